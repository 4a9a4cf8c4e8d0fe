// Lock files with a format of their own, read line by line: yarn 1, go, bundler. Pure.
import { fromAddress, hashes, type Locked, splitName } from './lock-sections.ts';

/** null for a text that is no lock file of its kind. */
export function lineLock(name: string, text: string): Locked[] | null {
  const found = readers.find(([pattern]) => pattern.test(name));
  if (found === undefined) return [];
  const [, sign, read] = found;
  const plain = text.replaceAll('\r\n', '\n');
  return sign.test(plain) ? read(plain) : null;
}

const readers: readonly (readonly [RegExp, RegExp, (text: string) => Locked[] | null])[] = [
  [/^yarn\.lock$/, /^# yarn lockfile v1/m, yarnClassic],
  [/^go\.sum$/, /^\s*\S+[ \t]+\S+[ \t]+\S+[ \t]*$/m, goSum],
  [/^Gemfile\.lock$/, /^(GEM|PATH|GIT|PLATFORMS)$/m, bundler],
];

/** null where it is written as yarn writes none: another spelling could hide something. */
function yarnClassic(text: string): Locked[] | null {
  if (/^(?:[^\s#].*[^:]|.*\\.*:|__metadata:)$/m.test(text)) return null;
  return [...text.matchAll(/^(?=[^\s#])(.+):\n((?:[ \t]+.*\n?)*)/gm)].flatMap(([, head = '', body = '']) => {
    const field = (name: string): string =>
      new RegExp(`^ {2}${name}:? "?([^"\\n]*)"?$`, 'm').exec(body)?.[1] ?? '';
    const wanted = head.replaceAll('"', '').split(/,\s*/).map(splitName);
    const kept = { version: field('version'), contents: hashes(field('integrity')) };
    return wanted.map(([name, range]) => ({ name, ...kept, ...sourceOf(name, range, field('resolved')) }));
  });
}

function sourceOf(name: string, range: string, resolved: string): Pick<Locked, 'place' | 'origins'> {
  if (range.startsWith('npm:') && splitName(range.slice(4))[0] !== name) return { place: range };
  if (resolved === '') return { place: range };
  // In a folder of downloaded packages, which the file names; its hash is compared.
  return /^[\w-]+:/.test(resolved) ? fromAddress(name, resolved) : { origins: ['./'] };
}

function goSum(text: string): Locked[] {
  return [...text.matchAll(/^\s*(\S+)[ \t]+(\S+)[ \t]+(\S+)[ \t]*$/gm)].map(
    ([, name = '', version = '', hash = '']) => ({
      name,
      version,
      contents: [['', hash]],
    }),
  );
}

function bundler(text: string): Locked[] {
  const sums = [...text.matchAll(/^ {2}(\S+) \(([^)]+)\) (sha\S+)$/gm)].map(
    ([, name = '', version = '', hash = '']): Locked => ({ name, version, contents: [['', hash]] }),
  );
  const parts = [...text.matchAll(/^(GEM|PATH|GIT)\n((?: .*\n?)*)/gm)];
  const gems = parts.flatMap(([, kind, body = '']) => {
    const remote = /^ {2}remote: (.+)$/m.exec(body)?.[1] ?? '';
    return [...body.matchAll(/^ {4}(\S+) \(/gm)].map(([, name = '']): Locked =>
      kind === 'GEM' ? { name, origins: [remote] } : { name, place: remote },
    );
  });
  return [...gems, ...sums];
}
