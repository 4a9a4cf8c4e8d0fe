// The position of a scripted conversation in its script; its id holds it all, so no state is kept.

export interface ScriptPlace {
  readonly role: string;
  /** Number of the entry of this role, from 1. */
  readonly turn: number;
  /** Index of the action to begin with. */
  readonly from: number;
  /** Whether the entry is played by its `resumed` actions. */
  readonly isResumed: boolean;
}

/** `builder:2:0`: the second entry, from its first action. Null for an id that no scripted agent made. */
export function readPlace(id: string): ScriptPlace | null {
  const found = /^(.+):(\d{1,9}):(\d{1,9})(:resumed)?$/.exec(id);
  const [, role, turn, from, resumed] = found ?? [];
  if (role === undefined) return null;
  // An entry that a resumed session starts is a resumed one.
  const isResumed = resumed !== undefined || Number(from) === 0;
  return { role, turn: Number(turn), from: Number(from), isResumed };
}

export function idOf({ role, turn, from, isResumed }: ScriptPlace): string {
  return `${role}:${turn}:${from}${isResumed && from > 0 ? ':resumed' : ''}`;
}

/** Where the conversation continues after this turn, regardless of how the turn ends. */
export function placeAfter({ role, turn }: ScriptPlace): ScriptPlace {
  return { role, turn: turn + 1, from: 0, isResumed: true };
}
