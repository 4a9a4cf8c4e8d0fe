// A fault: one small change of the sources that would harm a user, and the test that must notice it.

export interface Fault {
  /** Unique; `--only` takes it. */
  readonly id: string;
  /** What goes wrong for the user, in one sentence. */
  readonly breaks: string;
  /** Where the symbol was last seen. When it has moved, it is searched for in all of `src`. */
  readonly file: string;
  /** The function or constant at the top level of its file that holds the text. */
  readonly symbol: string;
  /** Exact text, once in the symbol, and what stands there instead. */
  readonly find: string;
  readonly replace: string;
  readonly test: NamedTest;
}

/** Contract: it runs the sources, not the built program, and with the fault it fails by an assertion, not by its time limit. */
export interface NamedTest {
  readonly file: string;
  /** As the source has it. The placeholders of a `test.each` (`%s`, `$name`) stand for any text. */
  readonly title: string;
}

/** Matches the name that a test has when it runs. */
export function titlePattern(title: string): RegExp {
  const escaped = title.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`(?:^|\\s)${escaped.replaceAll(/%[sdifjo#]|\\\$(?:[\w.]+|\\\{\w+\\\})/g, '.*')}$`, 's');
}
