// Describes a new file that breaks a pin. Pure.

export function notThere(path: string, why: string): string {
  return `not there at the start, ${why}; if it is meant, allow it with --may-change '${path}'`;
}
