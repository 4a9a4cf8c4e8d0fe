// Where the tools of this machine lie when they lie in hidden places: what a program on PATH needs beside itself.
import { wordsIn } from '#analysis/ecosystems/ecosystems.ts';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join, relative, sep } from 'node:path';

type Environment = { readonly [name: string]: string | undefined };

/** Folders of tool managers, by the variable that names them. Their downloads go elsewhere, so that reading is enough. */
const folderVariables = wordsIn('machine', (each) => each.folderVariables);

const certificateVariables = [
  ...'NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR CURL_CA_BUNDLE GIT_SSL_CAINFO'.split(' '),
  ...wordsIn('machine', (each) => each.certificateVariables),
];

/** Settings of tools below the home folder. One that holds a credential stays hidden. */
const settings = [
  '.gitconfig',
  // Not the whole folder: it is also where git's own store of passwords lies.
  '.config/git/config',
  '.config/git/ignore',
  '.config/git/attributes',
  ...wordsIn('machine', (each) => each.shownSettings),
];

/** Large things that tools download once and only read afterwards. */
const downloads = wordsIn('machine', (each) => each.downloads);

const credential =
  /_auth|_password|password|token|secret|authorization|extraheader|bearer|api-?_?key|https?:\/\/[^/\s@]+@|:\/\/[^/\s:@]+:[^@\s]+@/i;

/** Paths that exist, in no order. */
export function toolFolders(env: Environment, home: string): string[] {
  const onPath = (env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '' && existsSync(folder))
    .flatMap((folder) => aroundBin(realpathSync(folder), home));
  const named = [
    ...[...folderVariables, ...certificateVariables].flatMap((name) => env[name] ?? []),
    // Packages and the browser that the person named for checks of pages.
    ...(env['NODE_PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder) && folder !== home),
    ...(env['CHROME_PATH'] === undefined ? [] : [env['CHROME_PATH']]),
  ];
  const below = [...settings.filter((path) => isHarmless(join(home, path))), ...downloads].map((path) =>
    join(home, path),
  );
  return [...new Set([...onPath, ...named, ...below])].filter((path) => path !== '' && existsSync(path));
}

/** `~/.tool/shims` needs `~/.tool`, `/srv/tool/bin` needs `/srv/tool`; of a narrow folder of the home only `bin` is opened. */
function aroundBin(folder: string, home: string): string[] {
  const [first = '', second = '', third = ''] = relative(home, folder).split(sep);
  const isBelowHome = first !== '..' && first !== '';
  if (folder.endsWith(join('node_modules', '.bin'))) return [dirname(folder)];
  if (!isBelowHome) return [folder, ...libraryBeside(folder)];
  if (first === '.local' && second === 'share') return [join(home, first, second, third)];
  if (first === '.local') return [folder, ...sharedTools.map((name) => join(home, '.local', 'share', name))];
  if (first.startsWith('.') && !narrow.has(first)) return [join(home, first)];
  return [folder, ...(narrow.has(first) ? [] : libraryBeside(folder))];
}

/** Their other folders are caches, settings or keys. */
const narrow = new Set(['.config', '.cache', ...wordsIn('machine', (each) => each.narrowFolders)]);
const sharedTools = ['claude', ...wordsIn('machine', (each) => each.sharedFolders)];

function libraryBeside(folder: string): string[] {
  if (basename(folder) !== 'bin') return [];
  return ['lib', 'lib64', 'libexec', 'share', 'include'].map((name) => join(dirname(folder), name));
}

function isHarmless(path: string): boolean {
  try {
    return !credential.test(readFileSync(path, 'utf8'));
  } catch {
    return false;
  }
}
