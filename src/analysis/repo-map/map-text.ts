// Writes a map as markdown: folders, their files, and the signatures of each file.
import { type Cut, folderOf, type ShownFile } from './map-cut.ts';

export interface MapHead {
  readonly name: string;
  readonly goal: string;
  /** The paths nearest to the goal. */
  readonly nearest: readonly string[];
  /** Their maximal total length. */
  readonly nearestChars: number;
  readonly submodules: readonly string[];
  readonly notes: ReadonlyMap<string, string>;
  /** Limit for folders that show only a number, and for submodules. */
  readonly foldersMax: number;
}

/** The caller knows the size: the text cannot count itself. */
export function mapText(cut: Cut, head: MapHead, summary: string): string {
  const tree = treeText(cut, head);
  const near = nearestText(head);
  const fence = '`'.repeat(Math.max(3, longestRun(tree) + 1));
  return [
    `# Map of ${plain(head.name)}`,
    '',
    ...(head.goal === '' ? [] : [`Goal: ${plain(head.goal).slice(0, 300)}`, '']),
    summary,
    '',
    ...(near === '' ? [] : [`Nearest to the goal: ${near}`, '']),
    `${fence}text`,
    tree,
    fence,
    '',
  ].join('\n');
}

function nearestText({ nearest, nearestChars }: MapHead): string {
  const names = nearest.map(plain);
  while (names.join(', ').length > nearestChars) names.pop();
  return names.join(', ');
}

interface Folder {
  readonly shown: ShownFile[];
  readonly named: string[];
  more: number;
}

function treeText(cut: Cut, { submodules, notes, foldersMax }: MapHead): string {
  const folders = new Map<string, Folder>();
  const at = (path: string): Folder => {
    const folder = folderOf(path);
    const known = folders.get(folder);
    if (known !== undefined) return known;
    const made: Folder = { shown: [], named: [], more: 0 };
    folders.set(folder, made);
    return made;
  };
  for (const file of cut.shown) at(file.path).shown.push(file);
  for (const path of cut.named) at(path).named.push(path);
  const { counted, beyond } = countOthers(cut.unnamed, new Set(folders.keys()), foldersMax);
  for (const [folder, count] of counted) at(folder).more += count;
  for (const path of submodules.slice(0, foldersMax))
    folders.set(`${path}/ (submodule)`, { shown: [], named: [], more: 0 });
  const lines = [...folders]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([path, folder]) => folderLines(path, folder, notes));
  return [
    ...lines,
    ...(beyond.files === 0 ? [] : [`… ${beyond.files} files in ${beyond.folders} other folders`]),
    ...(submodules.length <= foldersMax ? [] : [`… ${submodules.length - foldersMax} other submodules`]),
  ].join('\n');
}

function folderLines(
  path: string,
  { shown, named, more }: Folder,
  notes: ReadonlyMap<string, string>,
): string[] {
  const title = path === '' ? './' : plain(path);
  if (shown.length === 0 && named.length === 0) {
    return [more === 0 ? title : `${title} … ${more} ${more === 1 ? 'file' : 'files'}`];
  }
  const names = named.map((file) => nameText(file, notes.get(file) ?? ''));
  return [
    title,
    ...shown.flatMap(fileLines),
    ...(names.length === 0 ? [] : [`  ${names.join(', ')}`]),
    ...(more === 0 ? [] : [`  … ${more} more`]),
  ];
}

function fileLines({ path, lines, left }: ShownFile): string[] {
  return [
    `  ${nameText(path, '')}`,
    ...lines.map((line) => `    ${line}`),
    ...(left === 0 ? [] : [`    … ${left} more`]),
  ];
}

function nameText(path: string, note: string): string {
  const name = plain(path.slice(path.lastIndexOf('/') + 1));
  return note === '' ? name : `${name} (${note})`;
}

/**
 * Unnamed files are counted where a reader expects them: in their folder if it is shown, else in the highest
 * parent folder of which nothing is shown.
 */
function countOthers(paths: readonly string[], shown: ReadonlySet<string>, foldersMax: number) {
  const above = new Set([...shown].flatMap(foldersAbove));
  const counts = new Map<string, number>();
  for (const [folder, count] of countByFolder(paths)) {
    const place = shown.has(folder)
      ? folder
      : (foldersAbove(folder).find((one) => !above.has(one)) ?? folder);
    counts.set(place, (counts.get(place) ?? 0) + count);
  }
  const others = [...counts].filter(([place]) => !shown.has(place)).sort(([, a], [, b]) => b - a);
  const left = others.slice(foldersMax);
  for (const [place] of left) counts.delete(place);
  const files = left.reduce((sum, [, count]) => sum + count, 0);
  return { counted: counts, beyond: { files, folders: left.length } };
}

function countByFolder(paths: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const folder = folderOf(path);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return counts;
}

/** `a/b/` → `a/`, `a/b/`. */
function foldersAbove(folder: string): string[] {
  const found: string[] = [];
  for (let at = folder.indexOf('/'); at !== -1; at = folder.indexOf('/', at + 1))
    found.push(folder.slice(0, at + 1));
  return found;
}

/** A name may hold any character; it must not end a line of the map. */
function plain(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\u2028\u2029]/gu,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`{3,}/g) ?? []).map((run) => run.length));
}
