/** The name that Node or the system gives an error (`ENOENT`, `ERR_…`); null if it has none. */
export function errorCode(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}
