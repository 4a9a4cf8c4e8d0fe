// The options of the `command` driver.
import * as clients from '#agents/clients.ts';
import { optionsOf, type Command, type RawOptions } from '#agents/shared/read-options.ts';

export interface CommandOptions {
  readonly command: Command;
  /** How the prompt reaches the program. With `file`, its path is the last argument. */
  readonly prompt: 'argument' | 'stdin' | 'file';
  readonly output: CommandOutput;
  readonly env: { readonly [name: string]: string };
}

/** What the program prints: plain text, or the JSON lines of a known client. */
export type CommandOutput = 'text' | keyof typeof clients;

const outputs = ['text', ...Object.keys(clients)] as readonly CommandOutput[];

const known = ['command', 'prompt', 'env', 'output'];
const { fail, readCommand, readStrings, refuseUnknown } = optionsOf('command');

export function parseCommandOptions(options: RawOptions): CommandOptions {
  refuseUnknown(options, known);
  return {
    command: readCommand(options['command']),
    prompt: parsePrompt(options['prompt'] ?? 'argument'),
    output: parseOutput(options['output'] ?? 'text'),
    env: readStrings('env', options['env'] ?? {}),
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
