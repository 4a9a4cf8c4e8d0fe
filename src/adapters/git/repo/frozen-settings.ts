// Freezes the user's git settings at the start of a run, so that a filter written by an agent has no effect.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { type Environment, split } from './git.ts';
import { mayHang } from './outside-files.ts';
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
  if (existsSync(file)) return;
  const state = globalFiles(env);
  const settings = globalSettings(env, root);
  if (settings === null) return;
  mkdirSync(dirname(file), { recursive: true });
  const text = settings.entries.map(written).join('');
  // Two drivers may start at once: the lock of the run is taken later.
  replaceFileSync(file, text);
  remember(file, settings, { state, text, changed: [] });
}

/** Names of settings that have changed since; none of the changes affects our own git. */
export function changedSettings(env: Environment, indexFile: string, root: string): string[] {
  const file = frozenSettingsOf(indexFile);
  const text = orElse(() => readFileSync(file, 'utf8'), null);
  if (text === null) return [];
  const state = globalFiles(env);
  const last = compared.get(file);
  if (state !== null && last?.state === state && last.text === text) return [...last.changed];
  const now = globalSettings(env, root);
  const then = now === null ? null : list(['--file', file], env, root);
  if (now === null || then === null) return [];
  const entries = new Set(now.entries).symmetricDifference(new Set(then));
  const changed = [...new Set([...entries].map((entry) => entry.split('\n')[0] ?? ''))].toSorted();
  remember(file, now, { state, text, changed });
  return changed;
}

interface Compared {
  /** The user's files, as they were read; null if that was not possible. */
  readonly state: string | null;
  /** The frozen settings. */
  readonly text: string;
  readonly changed: readonly string[];
}

const compared = new Map<string, Compared>();

/** Files that are included may change although the files that include them do not. */
function remember(file: string, { hasIncludes }: GlobalSettings, found: Compared): void {
  if (hasIncludes || found.state === null) compared.delete(file);
  else compared.set(file, found);
}

/** The content of the files in which git looks for the user's settings. */
function globalFiles(env: Environment): string | null {
  const { HOME: home, XDG_CONFIG_HOME: config, GIT_CONFIG_GLOBAL: only } = env;
  if (home === undefined) return null;
  const usual = [join(home, '.gitconfig'), join(config || join(home, '.config'), 'git', 'config')];
  const files = only === undefined ? usual : [only];
  if (files.some((each) => !isAbsolute(each) || mayHang(each))) return null;
  return JSON.stringify(files.map((each) => [each, orElse(() => readFileSync(each, 'latin1'), null)]));
}

interface GlobalSettings {
  /** `name\nvalue` of all the user's files and their includes, in the order of git. */
  readonly entries: readonly string[];
  readonly hasIncludes: boolean;
}

function globalSettings(env: Environment, root: string): GlobalSettings | null {
  const parts = list(['--show-scope', '--includes'], env, root);
  if (parts === null) return null;
  const all = parts.filter((_, index) => index % 2 === 1 && parts[index - 1] === 'global');
  const entries = all.filter((entry) => !/^include(if)?\./i.test(entry));
  return { entries, hasIncludes: entries.length < all.length };
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
