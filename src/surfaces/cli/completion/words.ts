// Reads all completions from the commands themselves, so a new option needs no extra line.
import type { Argument, Command, Option } from 'commander';
import { listGuides } from '#app/guides.ts';
import { builtInAgents } from '#config/agents/known-agents.ts';
import { presetNames } from '#config/resolve/run-parts.ts';
import { flagRows } from '#config/setting-table.ts';

export interface CommandWords {
  /** `['criteria', 'add']`; empty for the program itself. */
  readonly path: readonly string[];
  readonly commands: readonly Described[];
  readonly options: readonly OptionWords[];
  /** Values of its arguments. */
  readonly values: Values;
}

export interface Described {
  readonly name: string;
  readonly description: string;
}

export interface OptionWords {
  readonly short: string | null;
  readonly long: string;
  readonly description: string;
  /** Null for an option without a value. */
  readonly values: Values | null;
}

/** Words to choose from, files, runs of the repository, or anything. */
export type Values = readonly string[] | 'files' | 'runs' | 'any';

/** Every command and subcommand that `--help` shows, the program first. */
export function wordsOf(program: Command, path: readonly string[] = []): readonly CommandWords[] {
  const help = program.createHelp();
  const commands = help.visibleCommands(program).filter((one) => program.commands.includes(one));
  return [
    {
      path,
      commands: commands.map((one) => ({
        name: one.name(),
        description: plain(help.subcommandDescription(one)),
      })),
      options: help.visibleOptions(program).flatMap((option) => optionWords(option, path)),
      values: argumentValues(program, path),
    },
    ...commands.flatMap((one) => wordsOf(one, [...path, one.name()])),
  ];
}

function optionWords(option: Option, path: readonly string[]): OptionWords[] {
  if (option.long === undefined || option.long === null) return [];
  const takesValue = option.required || option.optional;
  return [
    {
      short: option.short ?? null,
      long: option.long,
      description: plain(option.description),
      values: takesValue ? optionValues(option, path) : null,
    },
  ];
}

function optionValues({ long, argChoices, flags }: Option, path: readonly string[]): Values {
  if (argChoices !== undefined) return argChoices;
  const known = choices()[long ?? ''];
  if (known !== undefined && path.length > 0) return known;
  if (/[<[]run[>\]]/.test(flags)) return 'runs';
  return /[<[](?:file|folder|path|glob)[>\]]/.test(flags) ? 'files' : 'any';
}

/** Values that a command checks itself, with a better message than commander has. */
function choices(): { readonly [long: string]: readonly string[] | undefined } {
  return {
    ...Object.fromEntries(flagRows.map(({ long, choices: words }) => [long, words])),
    '--agent': Object.keys(builtInAgents),
    '--preset': presetNames,
    '--priority': ['critical', 'high', 'medium', 'low'],
  };
}

function argumentValues(command: Command, path: readonly string[]): Values {
  if (path.join(' ') === 'help') return helpTopics(command);
  const [first] = command.registeredArguments;
  if (first === undefined) return [];
  if (first.argChoices !== undefined) return first.argChoices;
  if (first.name() === 'run') return 'runs';
  return isFile(first) ? 'files' : 'any';
}

function helpTopics({ parent }: Command): readonly string[] {
  const commands = parent?.createHelp().visibleCommands(parent) ?? [];
  return [
    ...new Set([...listGuides().map(({ topic }) => topic), ...commands.map((one) => one.name())]),
  ].toSorted();
}

function isFile(argument: Argument): boolean {
  return /^(?:file|folder|path)$/.test(argument.name());
}

/** One line without characters that a shell interprets. */
function plain(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[`'"\\$]/g, '');
}
