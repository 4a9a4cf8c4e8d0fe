// Finds the hidden folders that tools on PATH need beside themselves, so that a sandbox can show them.
import { wordsIn } from '#analysis/ecosystems/ecosystems.ts';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join, relative, sep } from 'node:path';

type Environment = { readonly [name: string]: string | undefined };

/** Variables with folders of tool managers. Downloads go elsewhere, so read access is enough. */
const folderVariables = wordsIn('machine', (each) => each.folderVariables);

const certificateVariables = [
  ...'NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR CURL_CA_BUNDLE GIT_SSL_CAINFO'.split(' '),
  ...wordsIn('machine', (each) => each.certificateVariables),
];

/** Settings of tools below the home folder. A file with a credential stays hidden. */
const settings = [
  '.gitconfig',
  // Not the whole folder: git's store of passwords is also there.
  '.config/git/config',
  '.config/git/ignore',
  '.config/git/attributes',
  ...wordsIn('machine', (each) => each.shownSettings),
];

/** Large files that tools download once and then only read. */
const downloads = wordsIn('machine', (each) => each.downloads);

const credential =
  /_auth|_password|password|token|secret|authorization|extraheader|bearer|api-?_?key|https?:\/\/[^/\s@]+@|:\/\/[^/\s:@]+:[^@\s]+@/i;

/** Existing paths, in no order. */
export function toolFolders(env: Environment, home: string): string[] {
  const onPath = (env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '' && existsSync(folder))
    .flatMap((folder) => aroundBin(realpathSync(folder), home));
  const named = [
    ...[...folderVariables, ...certificateVariables].flatMap((name) => env[name] ?? []),
    // The packages and the browser that the user named for page checks.
    ...(env['NODE_PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder) && folder !== home),
    ...(env['CHROME_PATH'] === undefined ? [] : [env['CHROME_PATH']]),
  ];
  const below = [...settings.filter((path) => isHarmless(join(home, path))), ...downloads].map((path) =>
    join(home, path),
  );
  return [...new Set([...onPath, ...named, ...below])].filter((path) => path !== '' && existsSync(path));
}

/** `~/.tool/shims` needs `~/.tool`, `/srv/tool/bin` needs `/srv/tool`; narrow folders only open `bin`. */
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

/** The other folders in them are caches, settings or keys. */
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
