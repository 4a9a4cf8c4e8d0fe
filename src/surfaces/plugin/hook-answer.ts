// What a hook says to the client: nothing at all where it has no business.

export type HookAnswer = { readonly [field: string]: unknown };

/** Not ours, or nothing to say: the client does what it would do anyway. */
export const silence: HookAnswer = {};

export function note(text: string): HookAnswer {
  return text === '' ? silence : { systemMessage: `untildone: ${text}` };
}

export function block(reason: string): HookAnswer {
  return { decision: 'block', reason };
}
