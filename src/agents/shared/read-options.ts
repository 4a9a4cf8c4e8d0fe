// What drivers check alike in their options; by hand, because the host starts small and loads no schema library.
import { OperatorError } from '#base/operator-error.ts';
import { isRecord } from '#base/record.ts';

export type GivenOptions = { readonly [key: string]: unknown };
/** Throws an OperatorError. `problem` continues "The … agent". */
export type Refuse = (problem: string) => never;

export function refusalBy(driver: string): Refuse {
  return (problem) => {
    const hint = 'Correct the options of this agent in the configuration.';
    throw new OperatorError('agent-options', `The ${driver} agent ${problem}.`, hint);
  };
}

export function refuseUnknown(options: GivenOptions, known: readonly string[], refuse: Refuse): void {
  const stranger = Object.keys(options).find((key) => !known.includes(key));
  if (stranger !== undefined) refuse(`has no option "${stranger}" (it knows ${known.join(', ')})`);
}

/** A string goes through the shell; a list is started as it is. */
export type Command = string | readonly [string, ...string[]];

/** `like` is put behind "a list of strings". */
export function readCommand(value: unknown, refuse: Refuse, like = ''): Command {
  if (typeof value === 'string' && value.trim() !== '') return value;
  if (Array.isArray(value) && value.every((part) => typeof part === 'string')) {
    const [program, ...rest] = value;
    if (program !== undefined && program !== '') return [program, ...rest];
  }
  return refuse(`needs "command": a string or a list of strings${like}, and not an empty one`);
}

export function readStrings(
  name: string,
  value: unknown,
  refuse: Refuse,
): { readonly [name: string]: string } {
  if (!isRecord(value)) return refuse(`takes "${name}" as an object of strings`);
  for (const [key, one] of Object.entries(value)) {
    if (typeof one !== 'string') refuse(`takes strings in "${name}", and "${key}" is none`);
  }
  return value as { readonly [name: string]: string };
}
