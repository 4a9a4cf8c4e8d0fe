// Option checks that drivers share; by hand, because the host starts small and loads no schema library.
import { OperatorError } from '#base/operator-error.ts';
import { isRecord } from '#base/record.ts';

export type RawOptions = { readonly [key: string]: unknown };

/** A string goes through the shell; a list is started directly. */
export type Command = string | readonly [string, ...string[]];

type Strings = { readonly [name: string]: string };

/** Contract: each returns the checked value, or throws an OperatorError about the agent of this driver. */
export function optionsOf(driver: string) {
  /** `problem` continues "The … agent". */
  const fail = (problem: string): never => {
    const hint = 'Correct the options of this agent in the configuration.';
    throw new OperatorError('agent-options', `The ${driver} agent ${problem}.`, hint);
  };
  const refuseUnknown = (options: RawOptions, known: readonly string[]): void => {
    const stranger = Object.keys(options).find((key) => !known.includes(key));
    if (stranger !== undefined) fail(`has no option "${stranger}" (it knows ${known.join(', ')})`);
  };
  /** `like` is appended to "a list of strings". */
  const readCommand = (value: unknown, like = ''): Command => {
    if (typeof value === 'string' && value.trim() !== '') return value;
    if (Array.isArray(value) && value.every((part) => typeof part === 'string')) {
      const [program, ...rest] = value;
      if (program !== undefined && program !== '') return [program, ...rest];
    }
    return fail(`needs "command": a string or a list of strings${like}, and not an empty one`);
  };
  const readStrings = (name: string, value: unknown): Strings => {
    if (!isRecord(value)) return fail(`takes "${name}" as an object of strings`);
    for (const [key, one] of Object.entries(value)) {
      if (typeof one !== 'string') fail(`takes strings in "${name}", and "${key}" is none`);
    }
    return value as Strings;
  };
  return { fail, refuseUnknown, readCommand, readStrings };
}
