import type { Command } from 'commander';
import { type Guide, listGuides } from '#app/guides.ts';
import { suggest } from '#base/suggest.ts';
import { OperatorError } from '#base/operator-error.ts';
import { print, printDocument } from '#surfaces/cli/output.ts';
import { guideText } from '#views/guide-text.ts';

/** Wider lines are hard to read. */
const columnsMax = 100;

/** A name that is both a command and a guide shows the command's help, then the guide. */
export async function helpCommand(program: Command, words: readonly string[]): Promise<number> {
  const guides = listGuides();
  if (words.length === 0) {
    program.outputHelp();
    print(topicLines(guides).join('\n'));
    return 0;
  }
  const command = findCommand(program, words);
  const guide = guides.find(({ topic }) => words.length === 1 && topic === words[0]?.replace(/\.md$/, ''));
  if (command === null && guide === undefined) throw unknownTopic(program, guides, words);
  command?.outputHelp();
  if (guide === undefined) return 0;
  if (command !== null) print('');
  printDocument(
    guideText(guide.markdown, { columns: columnsHere(), topics: guides.map(({ topic }) => topic) }),
  );
  return 0;
}

function topicLines(guides: readonly Guide[]): string[] {
  if (guides.length === 0) return [];
  const width = Math.max(...guides.map(({ topic }) => topic.length));
  const lines = guides.map(({ topic, title }) => `  ${topic.padEnd(width)}  ${title}`);
  return ['\nGuides, each shown by `untildone help TOPIC`:', ...lines];
}

function findCommand(program: Command, words: readonly string[]): Command | null {
  let command = program;
  for (const word of words) {
    const next = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (next === undefined) return null;
    command = next;
  }
  return command;
}

function unknownTopic(program: Command, guides: readonly Guide[], words: readonly string[]): OperatorError {
  const word = words.join(' ');
  const known = [...guides.map(({ topic }) => topic), ...program.commands.map((one) => one.name())];
  const near = suggest(words[0] ?? '', known);
  return new OperatorError(
    'no-topic',
    `There is no guide and no command "${word}".`,
    `${near === null || words.length > 1 ? '' : `Did you mean "${near}"? `}\`untildone help\` lists them.`,
  );
}

function columnsHere(): number {
  return Math.min(process.stdout.columns || columnsMax, columnsMax);
}
