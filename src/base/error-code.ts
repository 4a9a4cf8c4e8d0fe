/** `ENOENT`, `ERR_…`: by which Node and the system name an error; null where it has none. */
export function errorCode(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}
