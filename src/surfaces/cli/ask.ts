import { createInterface } from 'node:readline/promises';

/** Asks until one of the letters is typed; end of input counts as the last one. */
export async function ask(question: string, letters: readonly [string, ...string[]]): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const closed = new Promise<null>((resolve) => terminal.once('close', () => resolve(null)));
  try {
    for (;;) {
      const answer = await Promise.race([terminal.question(`${question} [${letters.join('/')}] `), closed]);
      if (answer === null) return letters.at(-1) ?? '';
      const letter = letters.find((one) => one === answer.trim().toLowerCase());
      if (letter !== undefined) return letter;
    }
  } finally {
    terminal.close();
  }
}
