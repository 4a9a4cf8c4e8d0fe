/** Returns `otherwise` if `read` throws. Only for things that may be missing without a message. */
export function orElse<T, Other>(read: () => T, otherwise: Other): T | Other {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
