// The options of the `command` driver, checked by hand: the host starts small and loads no schema library.
import * as clients from '#agents/clients.ts';
import { OperatorError } from '#base/operator-error.ts';

export interface CommandOptions {
  /** A string goes through the shell; a list is started as it is. */
  readonly command: string | readonly [string, ...string[]];
  /** How the prompt reaches the program. With `file`, its path is the last argument. */
  readonly prompt: 'argument' | 'stdin' | 'file';
  readonly output: CommandOutput;
  readonly env: { readonly [name: string]: string };
}

/** What it prints: plain words, or the JSON lines of a client that we know. */
export type CommandOutput = 'text' | keyof typeof clients;

const outputs = ['text', ...Object.keys(clients)] as readonly CommandOutput[];

const known = ['command', 'prompt', 'env', 'output'];
const hint = 'Correct the options of this agent in the configuration.';

export function parseCommandOptions(options: { readonly [key: string]: unknown }): CommandOptions {
  for (const key of Object.keys(options)) {
    if (!known.includes(key)) fail(`has no option "${key}" (it knows ${known.join(', ')})`);
  }
  return {
    command: parseCommand(options['command']),
    prompt: parsePrompt(options['prompt'] ?? 'argument'),
    output: parseOutput(options['output'] ?? 'text'),
    env: parseEnv(options['env'] ?? {}),
  };
}

function parseCommand(value: unknown): CommandOptions['command'] {
  if (typeof value === 'string' && value.trim() !== '') return value;
  if (Array.isArray(value) && value.every((part) => typeof part === 'string')) {
    const [program, ...rest] = value;
    if (program !== undefined && program !== '') return [program, ...rest];
  }
  return fail('needs "command": a string or a list of strings, and not an empty one');
}

function parsePrompt(value: unknown): CommandOptions['prompt'] {
  if (value === 'argument' || value === 'stdin' || value === 'file') return value;
  return fail(`takes "prompt": "argument", "stdin" or "file", not ${JSON.stringify(value)}`);
}

function parseOutput(value: unknown): CommandOutput {
  const found = outputs.find((output) => output === value);
  return found ?? fail(`reads "output": ${outputs.join(', ')}, not ${JSON.stringify(value)}`);
}

function parseEnv(value: unknown): CommandOptions['env'] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return fail('takes "env" as an object of strings');
  }
  for (const [name, one] of Object.entries(value)) {
    if (typeof one !== 'string') fail(`takes strings in "env", and "${name}" is none`);
  }
  return value as CommandOptions['env'];
}

function fail(problem: string): never {
  throw new OperatorError('agent-options', `The command agent ${problem}.`, hint);
}
