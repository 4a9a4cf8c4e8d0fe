// Reads the style of a file, so that planted code passes the same formatters and linters. Pure.
import type { PlantedFailure } from './test-runner.ts';

export interface Style {
  readonly quote: "'" | '"';
  readonly indent: string;
  readonly semicolon: ';' | '';
}

export function styleOf(text: string): Style {
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  return {
    quote: count(/'/g) >= count(/"/g) ? "'" : '"',
    indent: /^(\t| {2,8})\S/m.exec(text)?.[1] ?? '  ',
    semicolon: count(/;[ \t]*$/gm) >= count(/[)'"\]][ \t]*$/gm) ? ';' : '',
  };
}

export interface JoinedId {
  /** The joined parts at run time. */
  readonly id: string;
  readonly parts: readonly [string, string];
  /** The same letters as a name in code; it does not contain `id`. */
  readonly identifier: string;
}

/** The id of one planted test in two parts: compilers and code frames print source, never the joined id. */
export function joinedId(id: string, index: number): JoinedId {
  const letter = String.fromCharCode(97 + (index % 26));
  const half = Math.ceil(id.length / 2);
  const parts = [id.slice(0, half), `${id.slice(half)}${letter}`] as const;
  return { id: parts.join('_'), parts, identifier: `${id}${letter}` };
}

/** A failing test for each assertion word of a file. `write` gives its text and its reported name. */
export function writeEach<Word>(
  id: string,
  words: readonly Word[],
  write: (word: Word, one: JoinedId) => readonly [text: string, test: string],
): { readonly texts: readonly string[]; readonly failures: readonly PlantedFailure[] } {
  const written = words.map((word, index) => {
    const one = joinedId(id, index);
    const [text, test] = write(word, one);
    return { text, failure: { id: one.id, test } };
  });
  return { texts: written.map(({ text }) => text), failures: written.map(({ failure }) => failure) };
}

export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

export function withLineEnd(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
