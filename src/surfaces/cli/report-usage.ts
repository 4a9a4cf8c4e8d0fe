// Reports what commander refused, in its own words, and what to type instead.
import type { Command, CommanderError } from 'commander';
import { exitCodes } from '#kernel/model/outcome.ts';
import { show } from './report-error.ts';

/** Help and version are no errors; neither is a command group without a subcommand. */
export function reportUsage(
  error: CommanderError,
  program: Command,
  argv: readonly string[],
  isJson: boolean,
): number {
  if (error.exitCode === 0) return exitCodes.completed;
  const command = namedCommand(program, argv);
  if (error.code === 'commander.help') {
    command.outputHelp();
    return exitCodes.completed;
  }
  const text = textArgument(command);
  if (error.code === 'commander.excessArguments' && text !== null)
    show(unquoted(command, text, argv), isJson);
  else show(usageProblem(error.message, command), isJson);
  return exitCodes.usage;
}

function usageProblem(text: string, command: Command) {
  const [first = '', ...more] = text.replace(/^error: /, '').split('\n');
  const message = plainMessage(first);
  const suggestion = asCommands(more.join(' ').replaceAll(/[()]/g, '').trim(), command);
  const hint = `${suggestion === '' ? '' : `${suggestion} `}See \`${['untildone', ...commandNames(command)].join(' ')} --help\`.`;
  return {
    code: 'usage',
    message: `${message[0]?.toUpperCase() ?? ''}${message.slice(1)}.`.replace(/\.\.$/, '.'),
    hint,
  };
}

/** Commander's words for a value that is not one of the choices. */
function plainMessage(said: string): string {
  const found =
    /^(?:option '(--[\w-]+).*' argument|command-argument value) '(.*)' is invalid(?: for argument '(.*)')?\. Allowed choices are (.*)\.$/.exec(
      said,
    );
  if (found === null) return said;
  const [, option, value = '', argument, choices = ''] = found;
  return `${option ?? `The argument ${argument ?? ''}`} is "${value}"; the choices are ${choices}`;
}

/** `Did you mean run?` becomes `Did you mean untildone run?`; options stay. */
function asCommands(suggestion: string, command: Command): string {
  const found = /^Did you mean (one of )?([^-].*)\?$/.exec(suggestion);
  if (found === null) return suggestion;
  const [, several = '', names = ''] = found;
  const above = ['untildone', ...commandNames(command)].join(' ');
  return `Did you mean ${several}${names
    .split(', ')
    .map((name) => `\`${above} ${name}\``)
    .join(', ')}?`;
}

/** The command that the first words name, down to the subcommand. Options of the program may come before it. */
function namedCommand(program: Command, argv: readonly string[]): Command {
  let command = program;
  for (const word of splitWords(program, argv.slice(2)).words) {
    const next = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (next === undefined) break;
    command = next;
  }
  return command;
}

/** Arguments that are a sentence: several words were meant as one. */
const sentences = ['goal', 'text', 'title', 'id|sentence'];

function textArgument(command: Command): string | null {
  const [only, ...others] = command.registeredArguments.map((argument) => argument.name());
  if (only === undefined || others.length > 0 || !sentences.includes(only)) return null;
  return only === 'id|sentence' ? 'sentence' : only;
}

function unquoted(command: Command, text: string, argv: readonly string[]) {
  const names = commandNames(command);
  const { words, options } = splitWords(command, argv.slice(2 + names.length));
  const retyped = ['untildone', ...names, quoted(words.join(' ')), ...options.map(shellWord)].join(' ');
  return {
    code: 'usage',
    message: `\`untildone ${names.join(' ')}\` takes one ${text}, but ${words.length} words are given.`,
    hint: `Put the ${text} in quotes: ${retyped}`,
  };
}

function commandNames(command: Command): string[] {
  return command.parent === null ? [] : [...commandNames(command.parent), command.name()];
}

function splitWords(
  command: Command,
  rest: readonly string[],
): { readonly words: string[]; readonly options: string[] } {
  const words: string[] = [];
  const options: string[] = [];
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at] ?? '';
    const option = command.options.find(({ short, long }) => word === short || word === long);
    if (option === undefined) {
      (word.startsWith('--') ? options : words).push(word);
      continue;
    }
    options.push(word);
    const next = rest[at + 1];
    const takesNext = option.required || (option.optional && next?.startsWith('-') === false);
    if (takesNext && next !== undefined) {
      options.push(next);
      at += 1;
    }
  }
  return { words, options };
}

function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : quoted(word);
}

/** Double quotes, if nothing in them is special to a shell. */
function quoted(text: string): string {
  return /["$`\\!]/.test(text) ? `'${text.replaceAll("'", `'\\''`)}'` : `"${text}"`;
}
