// Which files a map shows, and how much of each, so that it stays within its tokens: the nearest to the goal first.

export interface Cuttable {
  readonly path: string;
  readonly kind: 'code' | 'test' | 'vendored' | 'other';
  /** One a line; '' where there are none. */
  readonly signatures: string;
  readonly signatureChars: number;
  readonly note: string;
}

export interface ShownFile {
  readonly path: string;
  readonly lines: readonly string[];
  /** Signatures that did not fit. */
  readonly left: number;
  readonly note: string;
}

export interface Cut {
  /** By path. */
  readonly shown: readonly ShownFile[];
  /** Paths that are shown as names only, and those that are not shown. */
  readonly named: readonly string[];
  readonly unnamed: readonly string[];
}

/**
 * Four characters are about one token: on maps of real code the estimate was within a few hundredths of what a
 * tokenizer counts.
 */
export const charsPerToken = 4;

export function tokensOf(chars: number): number {
  return Math.ceil(chars / charsPerToken);
}

/** No file, however near, takes the room of all others. */
const oneFileShare = 0.2;
/** Names alone may follow when every signature is in. */
const marginChars = { folder: 2, file: 3, line: 5, name: 2 };

interface Room {
  left: number;
  readonly folders: Set<string>;
}

/** Folders of which only a number is shown: enough to see the shape of a large repository. */
const foldersShare = 1 / 50;
const foldersMost = 60;
const tries = 6;
/** Then the room is used up, but for what names can have. */
const missesMax = 40;

/** Contract: the text stays within the tokens unless its head alone is longer. */
export function fitMap(
  files: readonly Cuttable[],
  order: readonly number[],
  tokens: number,
  write: (cut: Cut, foldersMax: number) => string,
): { readonly cut: Cut; readonly markdown: string } {
  const foldersMax = Math.min(foldersMost, Math.floor(tokens * foldersShare));
  let room = tokens;
  for (let tried = 1; ; tried += 1) {
    const cut = cutMap(files, order, room);
    const markdown = write(cut, foldersMax);
    const over = tokensOf(markdown.length) - tokens;
    if (over <= 0 || tried >= tries || room <= 0) return { cut, markdown };
    room = Math.max(0, room - over * 1.2);
  }
}

/** `order` has the places of the files, nearest first. */
function cutMap(files: readonly Cuttable[], order: readonly number[], tokens: number): Cut {
  const chars = tokens * charsPerToken;
  const room: Room = { left: chars, folders: new Set() };
  const shown: ShownFile[] = [];
  const later: Cuttable[] = [];
  let misses = 0;
  for (const at of order) {
    const file = files[at];
    if (file === undefined || file.kind === 'vendored') continue;
    const isTried = file.signatureChars > 0 && misses < missesMax;
    const fitted = isTried ? fit(file, room, chars * oneFileShare) : null;
    if (fitted !== null) shown.push(fitted);
    else later.push(file);
    if (isTried && fitted === null) misses += 1;
  }
  const { named, unnamed } = nameOthers(later, room);
  const vendored = files.filter(({ kind }) => kind === 'vendored').map(({ path }) => path);
  return {
    shown: shown.sort(byPath),
    named: named.sort(),
    unnamed: [...unnamed, ...vendored].sort(),
  };
}

function byPath(a: ShownFile, b: ShownFile): number {
  return a.path < b.path ? -1 : 1;
}

/** Null where not even the beginning fits. */
function fit(file: Cuttable, room: Room, most: number): ShownFile | null {
  const folder = folderOf(file.path);
  const headChars =
    (room.folders.has(folder) ? 0 : folder.length + marginChars.folder) +
    (file.path.length - folder.length) +
    marginChars.file;
  const lines = file.signatures.split('\n');
  let used = headChars;
  let taken = 0;
  for (const line of lines) {
    const next = used + line.length + marginChars.line;
    if (next > room.left || (taken > 0 && next > most)) break;
    used = next;
    taken += 1;
  }
  // Half of a file that does not fit is less than another one that does.
  const isCutByRoom = taken < lines.length && used + 200 > room.left;
  if (taken === 0 || (isCutByRoom && taken < lines.length / 2)) return null;
  room.left -= used;
  room.folders.add(folder);
  return { path: file.path, lines: lines.slice(0, taken), left: lines.length - taken, note: file.note };
}

function nameOthers(files: readonly Cuttable[], room: Room): { named: string[]; unnamed: string[] } {
  const named: string[] = [];
  const unnamed: string[] = [];
  for (const { path, note } of files) {
    const folder = folderOf(path);
    const own = path.length - folder.length + marginChars.name + (note === '' ? 0 : note.length + 3);
    const chars = own + (room.folders.has(folder) ? 0 : folder.length + marginChars.folder);
    if (chars > room.left) {
      unnamed.push(path);
      continue;
    }
    room.left -= chars;
    room.folders.add(folder);
    named.push(path);
  }
  return { named, unnamed };
}

export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
