// The list of checks before a run pays for anything: one line per subject, with a mark.

/** One line of the preflight. A refused item stops the run before its first session. */
export interface PreflightItem {
  readonly mark: 'ok' | 'warning' | 'refused';
  /** The subject in one or two words: "starts from", "setup", "builder". */
  readonly about: string;
  readonly text: string;
  /** The next command or setting, on a line of its own. */
  readonly hint?: string;
}

const signs = { ok: '✓', warning: '!', refused: '✗' } as const;

/** A longer subject, such as the role of one task, moves its own text and no other. */
const aboutMax = 16;

/** Texts stand below one another. */
export function preflightLines(items: readonly PreflightItem[]): string[] {
  const width = Math.max(0, ...items.map(({ about }) => about.length).filter((length) => length <= aboutMax));
  return items.flatMap(({ mark, about, text, hint }) => [
    `  ${signs[mark]} ${`${about}:`.padEnd(width + 1)} ${text}`,
    ...(hint === undefined ? [] : [`    ${' '.repeat(width + 1)} ${hint}`]),
  ]);
}
