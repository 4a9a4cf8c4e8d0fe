// Selects the files of a map, and how much of each, within its tokens: the nearest to the goal first.

export interface Cuttable {
  readonly path: string;
  readonly kind: 'code' | 'test' | 'vendored' | 'other';
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
  /** Whether all existing signatures are shown. */
  readonly isWhole: boolean;
}

/**
 * Four characters are about one token: on maps of real code the estimate was within a few percent of a
 * tokenizer's count.
 */
export const charsPerToken = 4;

export function tokensOf(chars: number): number {
  return Math.ceil(chars / charsPerToken);
}

/** No file, however near, may use the room of all others. */
const oneFileShare = 0.2;
/** Names alone may follow when every signature is in. */
const marginChars = { folder: 2, file: 3, line: 5, name: 2 };

interface Room {
  left: number;
  readonly folders: Set<string>;
}

/** Folders that show only a number: enough to see the shape of a large repository. */
const foldersShare = 1 / 50;
const foldersMost = 60;
const tries = 6;
/** After so many misses the room is used up, except for names. */
const missesMax = 12;
const roomMin = 200;

export interface Fitting {
  readonly files: readonly Cuttable[];
  /** The places of the files, nearest first. */
  readonly order: readonly number[];
  readonly tokens: number;
  /** For the files at these places, one per line; '' if there are none. May take long. */
  readonly signaturesOf: (places: readonly number[]) => Promise<readonly string[]>;
  readonly write: (cut: Cut, foldersMax: number) => string;
}

/** Contract: the text stays within the tokens unless its head alone is longer; folders are cut first. */
export async function fitMap(fitting: Fitting): Promise<{ readonly cut: Cut; readonly markdown: string }> {
  const { files, tokens, write } = fitting;
  // Files are mostly in this order already.
  const byPath = [...files.keys()].sort((a, b) => ((files[a]?.path ?? '') < (files[b]?.path ?? '') ? -1 : 1));
  let room = tokens;
  for (let tried = 1; ; tried += 1) {
    const cut = await cutMap(fitting, byPath, room);
    const markdown = write(cut, foldersIn(room));
    const over = tokensOf(markdown.length) - tokens;
    if (over <= 0 || room <= 0) return { cut, markdown };
    room = tried >= tries ? 0 : Math.max(0, room - over * 1.2);
  }
}

function foldersIn(tokens: number): number {
  return tokens === Number.POSITIVE_INFINITY
    ? tokens
    : Math.min(foldersMost, Math.floor(tokens * foldersShare));
}

/** Number requested at once if the map is cut: not many more than will be shown. */
const askedMax = 64;
const askedMin = 8;

async function cutMap(
  { files, order, signaturesOf }: Fitting,
  byPath: readonly number[],
  tokens: number,
): Promise<Cut> {
  const chars = tokens * charsPerToken;
  const room: Room = { left: chars, folders: new Set() };
  const fitted = new Map<number, ShownFile>();
  const later: number[] = [];
  const own = order.filter((at) => files[at]?.kind !== 'vendored');
  let misses = 0;
  let at = 0;
  while (at < own.length && misses < missesMax && room.left > roomMin) {
    const places = own.slice(at, at + askedNow(chars, room.left, fitted.size));
    const signatures = await signaturesOf(places);
    for (const [index, place] of places.entries()) {
      const file = files[place];
      const text = signatures[index] ?? '';
      const shown = file === undefined || text === '' ? null : fit(file, text, room, chars * oneFileShare);
      if (shown !== null) fitted.set(place, shown);
      else later.push(place);
      if (text !== '' && shown === null) misses += 1;
    }
    at += places.length;
  }
  const isWhole = misses === 0 && at >= own.length && [...fitted.values()].every(({ left }) => left === 0);
  return {
    ...sorted(files, byPath, { fitted, named: nameOthers(files, [...later, ...own.slice(at)], room) }),
    isWhole,
  };
}

/** The remaining room holds about as many as the used room. */
function askedNow(chars: number, left: number, shown: number): number {
  if (chars === Number.POSITIVE_INFINITY) return chars;
  if (shown === 0) return askedMax;
  return Math.max(askedMin, Math.min(askedMax, Math.ceil((left * shown) / (chars - left))));
}

interface Chosen {
  readonly fitted: ReadonlyMap<number, ShownFile>;
  readonly named: ReadonlySet<number>;
}

function sorted(
  files: readonly Cuttable[],
  byPath: readonly number[],
  { fitted, named }: Chosen,
): Omit<Cut, 'isWhole'> {
  const cut = { shown: new Array<ShownFile>(), named: new Array<string>(), unnamed: new Array<string>() };
  for (const at of byPath) {
    const shown = fitted.get(at);
    const path = files[at]?.path ?? '';
    if (shown !== undefined) cut.shown.push(shown);
    else if (named.has(at)) cut.named.push(path);
    else cut.unnamed.push(path);
  }
  return cut;
}

/** Null if not even the beginning fits. */
function fit(file: Cuttable, signatures: string, room: Room, most: number): ShownFile | null {
  const folder = folderOf(file.path);
  const headChars =
    (room.folders.has(folder) ? 0 : folder.length + marginChars.folder) +
    (file.path.length - folder.length) +
    marginChars.file;
  const lines = signatures.split('\n');
  let used = headChars;
  let taken = 0;
  for (const line of lines) {
    const next = used + line.length + marginChars.line;
    if (next > room.left || (taken > 0 && next > most)) break;
    used = next;
    taken += 1;
  }
  // Half of a file that does not fit is worth less than another file that does.
  const isCutByRoom = taken < lines.length && used + 200 > room.left;
  if (taken === 0 || (isCutByRoom && taken < lines.length / 2)) return null;
  room.left -= used;
  room.folders.add(folder);
  return { path: file.path, lines: lines.slice(0, taken), left: lines.length - taken, note: file.note };
}

function nameOthers(files: readonly Cuttable[], places: readonly number[], room: Room): Set<number> {
  const named = new Set<number>();
  for (const at of places) {
    const { path = '', note = '' } = files[at] ?? {};
    const folder = folderOf(path);
    const own = path.length - folder.length + marginChars.name + (note === '' ? 0 : note.length + 3);
    // Most do not fit, regardless of their folder.
    if (own > room.left) continue;
    const chars = own + (room.folders.has(folder) ? 0 : folder.length + marginChars.folder);
    if (chars > room.left) continue;
    room.left -= chars;
    room.folders.add(folder);
    named.add(at);
  }
  return named;
}

export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
