/** What `read` returns; `otherwise` where it throws. For what may be missing without a word. */
export function orElse<T, Other>(read: () => T, otherwise: Other): T | Other {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
