// Maps a repository for a goal: its tree and what each file offers, within a token limit.
import { basename, join } from 'node:path';
import { openMapCache } from '#adapters/repo-map/cache.ts';
import { recallLinks } from '#adapters/repo-map/recall-links.ts';
import { type Listing, listFiles } from '#adapters/repo-map/list-files.ts';
import { type MapCounts, mapFiles, type MappedFile, type MappedFiles } from '#adapters/repo-map/map-files.ts';
import { createReaders } from '#adapters/repo-map/readers.ts';
import { createGit, type Git } from '#adapters/git/repo/git.ts';
import { type Cut, fitMap, tokensOf } from '#analysis/repo-map/map-cut.ts';
import { mapText } from '#analysis/repo-map/map-text.ts';
import { areNear, rankFiles } from '#analysis/repo-map/rank-files.ts';
import { linksOf } from '#analysis/repo-map/rank-imports.ts';
import { readWords } from '#analysis/repo-map/words.ts';
import { ownVersion } from '#app/own-files.ts';

export interface MapRequest {
  /** The root of a checkout. */
  readonly root: string;
  /** '' ranks files by how many others use them. */
  readonly goal: string;
  /** Upper limit, by estimate. `all`: no limit. Default: a tenth of the code, at most `tokensDefault`. */
  readonly tokens?: number | 'all';
  /** Outside the repository; the same for all its worktrees. */
  readonly cacheFolder: string;
  /** Relative to the root; empty means everything. */
  readonly paths?: readonly string[];
  /** The files at these paths, if a caller has listed them already. */
  readonly listing?: Promise<Listing>;
  /** A folder, relative to the root: maps everything in it instead of `paths`, with paths relative to it. */
  readonly base?: string;
  readonly env: { readonly [name: string]: string | undefined };
  readonly signal?: AbortSignal;
}

export interface RepositoryMap {
  readonly markdown: string;
  /** Estimated: characters / 4. */
  readonly tokens: number;
  /** The same estimate for all handwritten code without tests, to compare the map with. */
  readonly codeTokens: number;
  readonly files: readonly MapFile[];
  readonly stats: MapStats;
}

export interface MapFile {
  readonly path: string;
  readonly kind: MappedFile['kind'];
  readonly rank: number;
  readonly shown: 'signatures' | 'name' | 'counted';
  readonly note: string;
}

export interface MapStats extends Readonly<MapCounts> {
  readonly code: number;
  readonly tests: number;
  readonly others: number;
  readonly vendored: number;
}

/**
 * A prompt has room for more, but files far from the goal only distract. In a repository of
 * 155 files, 4,000 tokens held 94 of 100 files that real commits touched; larger ones need more room.
 */
export const tokensDefault = 8_000;
/** A tenth of a small code base would be almost nothing. */
const tokensMin = 1_000;
const nearestMax = 8;

export async function mapRepository(request: MapRequest): Promise<RepositoryMap> {
  const { goal, cacheFolder, env, base = '' } = request;
  const root = join(request.root, base);
  const git = createGit(request.root, env);
  const [cache, listing] = await Promise.all([
    openMapCache(cacheFolder, ownVersion()),
    listBelow(git, request),
  ]);
  const signal = request.signal ?? new AbortController().signal;
  const readers = createReaders({ root, hash: listing.hash, readWords, signal });
  const mapped = await mapFiles({ root, listing, cache, readers });
  const { files } = mapped;
  const ranks = rankFiles(goal, files, recallLinks(cache, files, linksOf));
  const drawn = await draw({ ...request, root }, { mapped, ranks, submodules: listing.submodules });
  await mapped.save();
  return drawn;
}

interface Ranked {
  readonly mapped: MappedFiles;
  readonly ranks: Float64Array;
  readonly submodules: readonly string[];
}

async function draw(
  { root, goal, tokens: asked }: MapRequest,
  { mapped, ranks, submodules }: Ranked,
): Promise<RepositoryMap> {
  const { files, signaturesOf } = mapped;
  const order = [...files.keys()].sort((a, b) => (ranks[b] ?? 0) - (ranks[a] ?? 0) || a - b);
  const codeTokens = tokensOf(files.reduce((sum, file) => sum + writtenChars(file), 0));
  const stats = statsOf(files, mapped.counts);
  const tokens = asked ?? defaultTokens(codeTokens);
  const head = {
    name: basename(root),
    goal,
    nearest: goal !== '' && areNear(ranks) ? nearest(files, order, ranks) : [],
    // A quarter of the limit.
    nearestChars: tokens === 'all' ? Number.POSITIVE_INFINITY : tokens,
    submodules,
  };
  const { cut, markdown } = await fitMap({
    files,
    order,
    tokens: tokens === 'all' ? Number.POSITIVE_INFINITY : tokens,
    signaturesOf,
    write: (tried, foldersMax) =>
      mapText(
        tried,
        { ...head, notes: notesOf(files), foldersMax },
        summaryOf(stats, tried, { codeTokens, goal, isNear: head.nearest.length > 0 }),
      ),
  });
  return {
    markdown,
    tokens: tokensOf(markdown.length),
    codeTokens,
    files: shownFiles(files, cut, ranks),
    stats: { ...stats, ...mapped.counts },
  };
}

function notesOf(files: readonly MappedFile[]): ReadonlyMap<string, string> {
  return new Map(files.flatMap(({ path, note }) => (note === '' ? [] : [[path, note] as const])));
}

async function listBelow(git: Git, { root, paths = [], base = '', listing }: MapRequest): Promise<Listing> {
  if (base === '') return listing ?? listFiles(git, root, paths);
  const { files, submodules, hash, isWhole } = await listFiles(git, root, [base]);
  const below = (path: string): string => path.slice(base.length + 1);
  return {
    files: files.map((file) => ({ ...file, path: below(file.path) })),
    submodules: submodules.map(below),
    hash,
    isWhole,
  };
}

function defaultTokens(codeTokens: number): number {
  return Math.max(tokensMin, Math.min(tokensDefault, Math.floor(codeTokens / 10)));
}

const notWritten = new Set(['generated', 'minified', 'binary']);

function writtenChars({ kind, chars, note }: MappedFile): number {
  return kind === 'code' && !notWritten.has(note) ? chars : 0;
}

function nearest(files: readonly MappedFile[], order: readonly number[], ranks: Float64Array): string[] {
  return order.slice(0, nearestMax).flatMap((at) => ((ranks[at] ?? 0) > 0 ? [files[at]?.path ?? ''] : []));
}

function statsOf(files: readonly MappedFile[], counts: MapCounts): MapStats {
  const of = (kind: MappedFile['kind']): number => files.filter((file) => file.kind === kind).length;
  return {
    ...counts,
    code: of('code'),
    tests: of('test'),
    others: of('other'),
    vendored: of('vendored'),
  };
}

function summaryOf(
  { code, tests, others, vendored }: MapStats,
  cut: Cut,
  {
    codeTokens,
    goal,
    isNear,
  }: { readonly codeTokens: number; readonly goal: string; readonly isNear: boolean },
): string {
  const all = [
    `${code} ${code === 1 ? 'file' : 'files'} of code`,
    `${tests} ${tests === 1 ? 'test' : 'tests'} (names only)`,
    `${others} ${others === 1 ? 'other' : 'others'}`,
    ...(vendored === 0 ? [] : [`${vendored} written elsewhere`]),
  ].join(', ');
  const { length } = cut.shown;
  const which = isNear ? 'nearest to the goal' : 'that others use most';
  const far = goal === '' || isNear ? '' : ' No file has a word of the goal.';
  const shown = cut.isWhole
    ? 'Signatures of all code are below'
    : `Signatures of the ${length === 1 ? 'file' : `${length} files`} ${which} are below`;
  return `${all}. ${shown}, without bodies. The code without tests is about ${codeTokens} tokens.${far}`;
}

function shownFiles(files: readonly MappedFile[], cut: Cut, ranks: Float64Array): MapFile[] {
  const withSignatures = new Set(cut.shown.map(({ path }) => path));
  const named = new Set(cut.named);
  return files.map(({ path, kind, note }, at) => ({
    path,
    kind,
    rank: ranks[at] ?? 0,
    shown: withSignatures.has(path) ? 'signatures' : named.has(path) ? 'name' : 'counted',
    note,
  }));
}
