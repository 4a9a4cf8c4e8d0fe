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

export function preflightLines(items: readonly PreflightItem[]): string[] {
  return items.flatMap(({ mark, about, text, hint }) => [
    `  ${signs[mark]} ${about}: ${text}`,
    ...(hint === undefined ? [] : [`    ${hint}`]),
  ]);
}
