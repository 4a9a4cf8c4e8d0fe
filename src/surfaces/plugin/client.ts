// The client that started this hook.

/** As it says itself; it is only asked whether that process is still there. */
export function clientPid(): number | null {
  const said = Number(process.env['CLAUDE_PID'] ?? '');
  if (Number.isInteger(said) && said > 1) return said;
  return process.ppid > 1 ? process.ppid : null;
}
