// Reads the difference of two trees per file, for a report: bounded, and without the secrets it contains.
import type { FileDiff, FileDiffs } from '#kernel/model/base.ts';
import { createGit, type Environment, type Git } from '#adapters/git/repo/git.ts';

const limits = {
  /** Files that are named. */
  files: 500,
  /** Files whose lines are shown, and the length of their paths on the command line of git. */
  shownFiles: 100,
  pathChars: 60_000,
  /** One file cannot crowd out the others. */
  fileLines: 600,
  fileChars: 60_000,
  chars: 600_000,
};
// A larger file counts as binary. Names are unquoted.
const settings = ['core.bigFileThreshold=256k', 'core.quotePath=false'];
const how = '-r -M --no-ext-diff --no-textconv --no-color'.split(' ');

export interface DiffedTrees {
  readonly from: string;
  readonly to: string;
  /** Runs before anything is cut: a part of a secret is not recognized. */
  readonly redact: (text: string) => string;
}

/** Contract: rejects with an OperatorError if git does not have the objects. */
export async function fileDiffs(
  { commonDir, env }: { readonly commonDir: string; readonly env: Environment },
  { from, to, redact }: DiffedTrees,
): Promise<FileDiffs> {
  const git = createGit(commonDir, env);
  const place = { gitDir: commonDir, settings };
  const listed = await git.tell(['diff-tree', '-z', '--raw', '--numstat', ...how, from, to], place);
  const all = filesOf(listed);
  const shown = firstShown(all);
  const patches = await patchesOf(git, place, { from, to, files: shown });
  let left = limits.chars;
  const files = all.slice(0, limits.files).map((file, at): FileDiff => {
    const patch = patches[at] ?? null;
    if (patch === null) return { ...file, lines: [], linesHidden: hiddenOf(file) };
    const cut = bounded(redacted(patch, redact), Math.min(left, limits.fileChars));
    left -= cut.lines.reduce((sum, line) => sum + line.length + 1, 0);
    return { ...file, ...cut };
  });
  const sum = (which: 'added' | 'removed'): number =>
    all.reduce((total, { counts }) => total + (counts?.[which] ?? 0), 0);
  return { files, filesHidden: all.length - files.length, added: sum('added'), removed: sum('removed') };
}

type ListedFile = Omit<FileDiff, 'lines' | 'linesHidden'>;

const changes: { readonly [letter: string]: FileDiff['change'] } = {
  A: 'added',
  D: 'deleted',
  R: 'renamed',
  T: 'type changed',
};

/** `:100644 100755 OLD NEW R090` OLDPATH NEWPATH, each ended by a zero byte; then the counts, alike. */
function filesOf(listed: string): ListedFile[] {
  const parts = listed.split('\0');
  const files: Omit<ListedFile, 'counts'>[] = [];
  const counts = new Map<string, FileDiff['counts']>();
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at] ?? '';
    const raw = /^:(\d+) (\d+) \S+ \S+ ([A-Z])\d*$/.exec(part);
    const [, oldMode = '', newMode = '', letter = ''] = raw ?? [];
    if (raw !== null) {
      const oldPath = letter === 'R' ? (parts[(at += 1)] ?? '') : null;
      const path = parts[(at += 1)] ?? '';
      const isSame = oldMode === newMode || letter === 'A' || letter === 'D';
      const mode = isSame ? null : `${oldMode} → ${newMode}`;
      files.push({ path, oldPath, change: changes[letter] ?? 'changed', mode });
      continue;
    }
    const numbers = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(part);
    const [, added = '', removed = '', name = ''] = numbers ?? [];
    // A renamed file has an empty name here; its two paths follow.
    const path = name === '' ? (parts[(at += 2)] ?? '') : name;
    if (numbers !== null)
      counts.set(path, added === '-' ? null : { added: Number(added), removed: Number(removed) });
  }
  return files.map((file) => ({ ...file, counts: counts.get(file.path) ?? null }));
}

function firstShown(files: readonly ListedFile[]): ListedFile[] {
  let room = limits.pathChars;
  const shown: ListedFile[] = [];
  for (const file of files.slice(0, limits.shownFiles)) {
    room -= file.path.length + (file.oldPath?.length ?? 0);
    if (room < 0) break;
    shown.push(file);
  }
  return shown;
}

interface AskedFiles {
  readonly from: string;
  readonly to: string;
  readonly files: readonly ListedFile[];
}

/** The lines of each file's patch, in the order of `files`. Empty if git printed something else. */
async function patchesOf(
  git: Git,
  place: { readonly gitDir: string },
  { from, to, files }: AskedFiles,
): Promise<string[][]> {
  if (files.length === 0) return [];
  const paths = files.flatMap(({ path, oldPath }) => (oldPath === null ? [path] : [oldPath, path]));
  const within = paths.map((path) => `:(literal)${path}`);
  const { code, stdout } = await git.ask(['diff-tree', '-p', ...how, from, to, '--', ...within], place);
  // A type change is printed as a deletion and an addition.
  const expected = files.reduce((sum, { change }) => sum + (change === 'type changed' ? 2 : 1), 0);
  const printed = code === 0 ? sections(stdout) : [];
  if (printed.length !== expected) return [];
  return files.map(({ change }) => printed.splice(0, change === 'type changed' ? 2 : 1).flat());
}

/** Lines of a file begin with a sign: no content can look like the header of the next file. */
function sections(patch: string): string[][] {
  const found: string[][] = [];
  let isHeader = true;
  for (const line of patch.split('\n').slice(0, -1)) {
    if (line.startsWith('diff --git ')) {
      found.push([]);
      isHeader = true;
    } else if (line.startsWith('@@ ')) isHeader = false;
    if (!isHeader) found.at(-1)?.push(line);
  }
  return found;
}

/** A secret of several lines is found in lines of one sign, without the sign. */
function redacted(lines: readonly string[], redact: (text: string) => string): string[] {
  const found: string[] = [];
  for (let at = 0; at < lines.length;) {
    const sign = lines[at]?.[0] ?? '';
    let end = at + 1;
    while (end < lines.length && lines[end]?.[0] === sign) end += 1;
    const text = lines
      .slice(at, end)
      .map((line) => line.slice(1))
      .join('\n');
    found.push(
      ...redact(text)
        .split('\n')
        .map((line) => `${sign}${line}`),
    );
    at = end;
  }
  return found;
}

/** Whole lines only; a very long one is cut. */
function bounded(lines: readonly string[], charsMax: number): Pick<FileDiff, 'lines' | 'linesHidden'> {
  const shown: string[] = [];
  let room = charsMax;
  for (const line of lines.slice(0, limits.fileLines)) {
    const cut =
      line.length <= lineChars
        ? line
        : `${line.slice(0, lineChars)} [… ${line.length - lineChars} characters]`;
    room -= cut.length + 1;
    if (room < 0) break;
    shown.push(cut);
  }
  return { lines: shown, linesHidden: lines.length - shown.length };
}

const lineChars = 1_000;

function hiddenOf({ counts }: ListedFile): number {
  return counts === null ? 0 : counts.added + counts.removed;
}
