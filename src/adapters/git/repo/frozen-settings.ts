// Freezes the user's git settings at the start of a run, so that a filter written by an agent has no effect.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Environment, split } from './git.ts';
import { orElse } from '#base/or-else.ts';
import { replaceFileSync } from '#adapters/files/files.ts';

const listMsMax = 10_000;

export function frozenSettingsOf(indexFile: string): string {
  return `${indexFile}.gitconfig`;
}

/** The environment in which git reads the frozen settings; unchanged if none were frozen. */
export function withFrozenSettings(env: Environment, indexFile: string): Environment {
  const file = frozenSettingsOf(indexFile);
  return existsSync(file) ? { ...env, GIT_CONFIG_GLOBAL: file } : env;
}

/** Contract: idempotent; called before the first session. Freezes nothing if git cannot list its settings. */
export function freezeSettings(env: Environment, indexFile: string, root: string): void {
  const file = frozenSettingsOf(indexFile);
  const settings = existsSync(file) ? null : globalSettings(env, root);
  if (settings === null) return;
  mkdirSync(dirname(file), { recursive: true });
  // Two drivers may start at once: the lock of the run is taken later.
  replaceFileSync(file, settings.map(written).join(''));
}

/** Names of settings that have changed since; none of the changes affects our own git. */
export function changedSettings(env: Environment, indexFile: string, root: string): string[] {
  const file = frozenSettingsOf(indexFile);
  const now = existsSync(file) ? globalSettings(env, root) : null;
  const then = now === null ? null : list(['--file', file], env, root);
  if (now === null || then === null) return [];
  const changed = new Set(now).symmetricDifference(new Set(then));
  return [...new Set([...changed].map((entry) => entry.split('\n')[0] ?? ''))].toSorted();
}

/** `name\nvalue` of all the user's files and their includes, in the order of git. */
function globalSettings(env: Environment, root: string): string[] | null {
  const parts = list(['--show-scope', '--includes'], env, root);
  if (parts === null) return null;
  const entries = parts.filter((_, index) => index % 2 === 1 && parts[index - 1] === 'global');
  return entries.filter((entry) => !/^include(if)?\./i.test(entry));
}

function list(args: readonly string[], env: Environment, cwd: string): string[] | null {
  const read = (): string =>
    execFileSync('git', ['config', '-z', '--list', ...args], {
      cwd,
      env,
      encoding: 'utf8',
      maxBuffer: 16 * 1024 * 1024,
      // An agent without a sandbox can replace the settings by a pipe.
      timeout: listMsMax,
      killSignal: 'SIGKILL',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  return orElse(() => split(read()), null);
}

/** `a.b.c.d` is the key `d` of the section `a`, subsection `b.c`. */
function written(entry: string): string {
  const [name = '', value] = entry.split(/\n(.*)/s);
  const section = name.slice(0, name.indexOf('.'));
  const key = name.slice(name.lastIndexOf('.') + 1);
  const inner = name.slice(section.length + 1, -key.length - 1);
  const head = inner === '' ? `[${section}]` : `[${section} ${quoted(inner)}]`;
  return `${head}\n\t${key}${value === undefined ? '' : ` = ${quoted(value)}`}\n`;
}

function quoted(text: string): string {
  const safe = text.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
  return `"${safe.replaceAll('\n', '\\n').replaceAll('\t', '\\t')}"`;
}
