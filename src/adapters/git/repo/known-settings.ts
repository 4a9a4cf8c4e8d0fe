// Reads the settings of a repository that our own calls depend on: one git process, once.
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type GitCall, runGit } from './run-git.ts';

export type Setting = readonly [name: string, value: string];

export interface KnownSettings {
  /** `filter.<name>.<clean, smudge or process>`. */
  readonly filters: readonly Setting[];
  /** `core.excludesfile` and `core.attributesfile`, as paths. */
  readonly files: readonly Setting[];
}

interface Read extends KnownSettings {
  /** Another git folder of the same repository may have other settings. */
  readonly isConditional: boolean;
}

const filterNames = String.raw`filter\..*\.(clean|smudge|process)`;
const fileNames = String.raw`core\.(excludesfile|attributesfile)`;
const conditions = String.raw`includeif\..*|extensions\.worktreeconfig`;

/** Contract: a repository is read once, so that changes by a session have no effect here. */
export function createKnownSettings(): (gitDir: string, call: GitCall) => Promise<KnownSettings> {
  const known = new Map<string, Promise<Read>>();
  const once = (key: string, call: GitCall): Promise<Read> => {
    const reading = known.get(key) ?? read(call);
    known.set(key, reading);
    return reading;
  };
  return async (gitDir, call) => {
    const shared = await once(commonOf(gitDir), call);
    return shared.isConditional ? once(`of ${gitDir}`, call) : shared;
  };
}

/** The git folder of the repository that a linked worktree belongs to. */
export function commonOf(gitDir: string): string {
  return basename(dirname(gitDir)) === 'worktrees' ? dirname(dirname(gitDir)) : gitDir;
}

async function read(call: GitCall): Promise<Read> {
  const all = await list(['--get-regexp', `^(${filterNames}|${fileNames}|${conditions})$`], call);
  const matching = (names: string): Setting[] =>
    all.filter(([name]) => new RegExp(`^(${names})$`).test(name));
  return {
    filters: matching(filterNames),
    files: await asPaths(matching(fileNames), call),
    isConditional: matching(conditions).length > 0,
  };
}

/** Git expands `~user` and `%(prefix)`. */
async function asPaths(files: readonly Setting[], call: GitCall): Promise<readonly Setting[]> {
  if (files.some(([, value]) => /^(~[^/]|%\()/.test(value)))
    return list(['--type=path', '--get-regexp', `^${fileNames}$`], call);
  const home = call.env['HOME'] ?? homedir();
  return files.map(([name, value]) => [name, value.startsWith('~/') ? join(home, value.slice(2)) : value]);
}

async function list(args: readonly string[], call: GitCall): Promise<Setting[]> {
  const output = await runGit(['config', '-z', ...args], call);
  const entries = output.stdout
    .toString('utf8')
    .split('\0')
    .filter((entry) => entry !== '');
  return entries.map((entry) => {
    const [name = '', value = ''] = entry.split(/\n(.*)/s);
    return [name, value];
  });
}
