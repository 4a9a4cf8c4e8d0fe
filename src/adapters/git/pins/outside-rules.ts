// Lists files outside of the repository that configure a check's tools, in the home and parent folders. Pure.
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import type { Steering } from '#analysis/ecosystems/ecosystem.ts';
import { factsOf, wordsIn } from '#analysis/ecosystems/ecosystems.ts';
import { isWithin } from '#base/is-within.ts';
import type { Environment } from '#adapters/git/repo/git.ts';
import {
  bunSections,
  npmrcSections,
  yamlSettings,
} from '#analysis/ecosystems/javascript/packager-sections.ts';

/** Names in one folder; both may contain a `*`. */
export interface Group {
  readonly folder: string;
  readonly names: readonly string[];
}

const shellFiles = '.profile .bash_profile .bash_login .bashrc .zshenv .zprofile .zshrc .zlogin .kshrc';
const steering = factsOf('machine').flatMap((each) => each.steering ?? []);
/** Files that tools search in their start folder and in each parent. */
const upwards = wordsIn('machine', (each) => each.upwards);

export interface OutsidePlace {
  readonly home: string;
  /** The environment of the checks. */
  readonly env: Environment;
  /** Folders of checkouts: files in them are judged as files of the work. */
  readonly checkouts: readonly string[];
}

/** `texts`: the commands of the checks and the scripts that they call. */
export function steeringGroups(place: OutsidePlace, texts: readonly string[]): Group[] {
  const { home, env, checkouts } = place;
  const config = env['XDG_CONFIG_HOME'] || join(home, '.config');
  const groups: Group[] = [
    ...groupsBelow('home', home, env),
    ...groupsBelow('config', config, env),
    ...named(env),
    ...besidePrograms(env),
    ...[...new Set(checkouts.flatMap(above))].flatMap((folder) => [
      { folder, names: upwards },
      ...groupsBelow('above', folder, env),
    ]),
  ];
  if (texts.some(readsShellFiles))
    groups.push(group(home, shellFiles), group(join(config, 'fish'), 'config.fish'));
  return joined(groups).filter(({ folder }) => !checkouts.some((root) => isWithin(folder, root)));
}

function groupsBelow(below: Steering['below'], root: string, env: Environment): Group[] {
  return steering
    .filter((each) => each.below === below)
    .map(({ folder, names, variable }) =>
      group((variable === undefined ? '' : env[variable]) || join(root, folder), names),
    );
}

function group(folder: string, names: string): Group {
  return { folder: join(folder, '.').replace(/\/$/, ''), names: names.split(' ') };
}

function named(env: Environment): Group[] {
  const files = ['BASH_ENV', 'ENV', 'NPM_CONFIG_USERCONFIG', 'npm_config_userconfig', 'PIP_CONFIG_FILE'];
  return files.flatMap((name) => {
    const path = env[name] ?? '';
    return path.startsWith('/') ? [{ folder: dirname(path), names: [basename(path)] }] : [];
  });
}

/** Files of `x` that a program in `x/bin` reads, as in a Python environment or a Node with its own npm. */
function besidePrograms(env: Environment): Group[] {
  const folders = [...new Set((env['PATH'] ?? '').split(delimiter))];
  return folders
    .filter((folder) => isAbsolute(folder) && basename(folder) === 'bin')
    .map(dirname)
    .flatMap((root) => groupsBelow('program', root, env));
}

/** A plain shell reads none of them; zsh and fish always do. */
function readsShellFiles(text: string): boolean {
  return /\b(?:ba|k|da)?sh\s+(?:-\w*[li]\w*|--login)\b|\b(?:zsh|fish)\b/.test(text);
}

function above(checkout: string): string[] {
  const folders: string[] = [];
  let folder = checkout;
  while (folder !== dirname(folder)) {
    folder = dirname(folder);
    folders.push(folder);
  }
  return folders;
}

function joined(groups: readonly Group[]): Group[] {
  const all = new Map<string, Set<string>>();
  for (const { folder, names } of groups) all.set(folder, new Set([...(all.get(folder) ?? []), ...names]));
  return [...all].map(([folder, names]) => ({ folder, names: [...names] }));
}

/** Lines that installers write, for editable packages and for setuptools itself. */
const installing =
  /^import (?:(__editable___\w+_finder); \1\.install\(\)|os; var = 'SETUPTOOLS_USE_DISTUTILS'; enabled = os\.environ\.get\(var, '\w+'\) == 'local'; enabled and __import__\('_distutils_hack'\)(?:\.add_shim\(\))?);?\s*$/;

/** The normalized part of a file that can influence a check; '' if there is none. Usually the whole text. */
export function steeringPart(path: string, text: string): string {
  const name = basename(path);
  if (/^(\.npmrc|\.yarnrc|npmrc)$/.test(name) || path.endsWith('/pnpm/rc')) return spelt(npmrcSections(text));
  if (name === '.yarnrc.yml' || path.endsWith('/pnpm/config.yaml')) return spelt(yamlSettings(text));
  if (name === '.bunfig.toml') return spelt(bunSections(text));
  if (name === '.gitconfig' || path.endsWith('/git/config')) return gitPart(text);
  // Other lines only append folders to the search path.
  if (name.endsWith('.pth'))
    return (text.match(/^import[ \t].*$/gm) ?? []).filter((line) => !installing.test(line)).join('\n');
  return text;
}

function spelt(sections: ReadonlyMap<string, string>): string {
  return sections.size === 0 ? '' : JSON.stringify([...sections].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Sections by which git runs a program, reads more settings, or changes the files that it shows. */
const programs =
  /^(alias|filter|diff|merge|mergetool|difftool|include|includeif|url|http|gpg|protocol|trace2)\b/;
const coreKeys =
  /^(hookspath|fsmonitor|attributesfile|excludesfile|worktree|sshcommand|gitproxy|autocrlf|eol|safecrlf|filemode|symlinks|pager)$/;

function gitPart(text: string): string {
  const found: string[] = [];
  let section = '';
  for (const line of text
    .replace(/\\\n/g, '')
    .split('\n')
    .map((each) => each.trim())) {
    const head = /^\[\s*([^\]]*)\](.*)$/.exec(line);
    if (head !== null) section = (head[1] ?? '').trim().toLowerCase();
    const entry = head === null ? line : (head[2] ?? '').trim();
    const key = /^[\w-]+/.exec(entry)?.[0]?.toLowerCase() ?? '';
    // The usual settings of Git LFS are harmless.
    const isLarge = /^filter "lfs"$/.test(section) && /=\s*(git-lfs [\w% -]+|true)$/.test(entry);
    const isSteering =
      programs.test(section) ||
      (section === 'core' && coreKeys.test(key)) ||
      (section === 'init' && key === 'templatedir');
    if (key !== '' && isSteering && !isLarge) found.push(`${section} ${entry}`);
  }
  return found.join('\n');
}
