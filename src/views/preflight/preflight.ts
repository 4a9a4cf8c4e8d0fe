// Formats the preflight: one line per subject, with a mark.

/** One line of the preflight. A refused item stops the run before its first session. */
export interface PreflightItem {
  readonly mark: 'ok' | 'warning' | 'refused';
  /** The subject in one or two words: "starts from", "setup", "builder". */
  readonly about: string;
  readonly text: string;
  /** The next command or setting, on its own line. */
  readonly hint?: string;
}

const signs = { ok: '✓', warning: '!', refused: '✗' } as const;

/** A longer subject, such as the role of one task, shifts only its own text. */
const aboutMax = 16;

/** Texts are aligned in a column. */
export function preflightLines(items: readonly PreflightItem[]): string[] {
  const width = Math.max(0, ...items.map(({ about }) => about.length).filter((length) => length <= aboutMax));
  return items.flatMap(({ mark, about, text, hint }) => [
    `  ${signs[mark]} ${`${about}:`.padEnd(width + 1)} ${text}`,
    ...(hint === undefined ? [] : [`    ${' '.repeat(width + 1)} ${hint}`]),
  ]);
}
