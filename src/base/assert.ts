/** A bug in our own code. Never caught and handled: the CLI and the other surfaces report it as our bug. */
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
