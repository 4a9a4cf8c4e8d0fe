// The options of the `command` driver.
import * as clients from '#agents/clients.ts';
import {
  type Command,
  type GivenOptions,
  readCommand,
  readStrings,
  type Refuse,
  refusalBy,
  refuseUnknown,
} from '#agents/shared/read-options.ts';

export interface CommandOptions {
  readonly command: Command;
  /** How the prompt reaches the program. With `file`, its path is the last argument. */
  readonly prompt: 'argument' | 'stdin' | 'file';
  readonly output: CommandOutput;
  readonly env: { readonly [name: string]: string };
}

/** What it prints: plain words, or the JSON lines of a client that we know. */
export type CommandOutput = 'text' | keyof typeof clients;

const outputs = ['text', ...Object.keys(clients)] as readonly CommandOutput[];

const known = ['command', 'prompt', 'env', 'output'];
const fail: Refuse = refusalBy('command');

export function parseCommandOptions(options: GivenOptions): CommandOptions {
  refuseUnknown(options, known, fail);
  return {
    command: readCommand(options['command'], fail),
    prompt: parsePrompt(options['prompt'] ?? 'argument'),
    output: parseOutput(options['output'] ?? 'text'),
    env: readStrings('env', options['env'] ?? {}, fail),
  };
}

function parsePrompt(value: unknown): CommandOptions['prompt'] {
  if (value === 'argument' || value === 'stdin' || value === 'file') return value;
  return fail(`takes "prompt": "argument", "stdin" or "file", not ${JSON.stringify(value)}`);
}

function parseOutput(value: unknown): CommandOutput {
  const found = outputs.find((output) => output === value);
  return found ?? fail(`reads "output": ${outputs.join(', ')}, not ${JSON.stringify(value)}`);
}
