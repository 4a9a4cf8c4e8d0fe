// The languages of the sample tasks: how a function, its test, and every trick on it are written.
import type { FaultTask } from './fault.ts';
import { nodeLanguage } from './sample-node.ts';
import { pythonLanguage } from './sample-python.ts';
import { shellLanguage } from './sample-shell.ts';
import type { Operation } from './sample-task.ts';

export type Tricks = Pick<
  FaultTask,
  'edits' | 'skips' | 'settings' | 'runners' | 'ignored' | 'servers' | 'sabotage' | 'luck' | 'strays'
>;

export interface Language {
  path(name: string): string;
  source(name: string, form: string): string;
  testPath(name: string): string;
  test(operation: Operation, inputs: readonly (readonly [number, number])[]): string;
  /** Settings of the tests and of the package. */
  readonly files: { readonly [path: string]: string };
  checks(names: readonly string[]): readonly [readonly string[], ...(readonly string[])[]];
  /** Against the test of this operation. */
  tricks(target: Operation): Tricks;
  /** A program that prints a line per name, with its answers to the asked inputs. */
  ask(names: readonly string[]): readonly [string, ...string[]];
}

export const languages = { node: nodeLanguage, python: pythonLanguage, sh: shellLanguage } as const;
