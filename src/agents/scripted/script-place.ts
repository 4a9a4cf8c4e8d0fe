// Where a scripted conversation stands in its script. Its id says it all, so that nothing has to be kept between sessions.

export interface ScriptPlace {
  readonly role: string;
  /** Number of the entry of this role, from 1. */
  readonly turn: number;
  /** Index of the action to begin with. */
  readonly from: number;
  /** Whether the entry is played by its `resumed` actions. */
  readonly isResumed: boolean;
}

/** `builder:2:0`: the second entry, from its first action. Null for what no scripted agent has told. */
export function readPlace(id: string): ScriptPlace | null {
  const found = /^(.+):(\d{1,9}):(\d{1,9})(:resumed)?$/.exec(id);
  const [, role, turn, from, resumed] = found ?? [];
  if (role === undefined) return null;
  // An entry that is begun by a resumed session is a resumed one.
  const isResumed = resumed !== undefined || Number(from) === 0;
  return { role, turn: Number(turn), from: Number(from), isResumed };
}

export function idOf({ role, turn, from, isResumed }: ScriptPlace): string {
  return `${role}:${turn}:${from}${isResumed && from > 0 ? ':resumed' : ''}`;
}

/** Where the conversation goes on after this turn, however the turn ends. */
export function placeAfter({ role, turn }: ScriptPlace): ScriptPlace {
  return { role, turn: turn + 1, from: 0, isResumed: true };
}
