/** What we got wrong. Never caught to be handled: a surface prints it as a bug of ours. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

export function assert(isTrue: boolean, claim: string): asserts isTrue {
  if (!isTrue) throw new InvariantError(claim);
}

export function present<T>(value: T | null | undefined, claim: string): T {
  if (value === null || value === undefined) throw new InvariantError(claim);
  return value;
}
