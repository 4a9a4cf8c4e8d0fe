// Decides which changes of a pinned part of a manifest are honest after all. Pure.
import { posix } from 'node:path';
import picomatch from 'picomatch';
import { factsOf } from '#analysis/ecosystems/ecosystems.ts';
import type { Sections } from '#analysis/ecosystems/manifests/section-types.ts';

export interface Comparison {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  readonly old: Sections;
  readonly now: Sections;
  /** Paths of all files. */
  readonly files: { readonly base: readonly string[]; readonly now: readonly string[] };
  /** Packages that the work, and so its tests, depended on at the start. */
  readonly wanted: ReadonlySet<string>;
  /** Tests inside sources in their current form, in any file. */
  readonly moved: ReadonlySet<string>;
}

export type SectionChange = 'added' | 'changed' | 'deleted';

export function changedSections(comparison: Comparison): [section: string, change: SectionChange][] {
  const { old, now } = comparison;
  const all = [...new Set([...old.keys(), ...now.keys()])];
  return all
    .filter((section) => old.get(section) !== now.get(section) && !isHonest(section, comparison))
    .map((section) => [section, !now.has(section) ? 'deleted' : old.has(section) ? 'changed' : 'added']);
}

interface Texts {
  readonly old?: string;
  readonly now?: string;
}

/** Whether a change of the section is honest; `name`: the first group of the rule's pattern. */
export type SectionRule = (name: string, texts: Texts, comparison: Comparison) => boolean;

const rules: readonly (readonly [RegExp, SectionRule])[] = [
  // A test may be added, and may move whole.
  [/^test\.(.+)$/, (_, { old }, { moved }) => old === undefined || moved.has(old)],
  [/^known\.(.+)$/, () => true],
  // Versions change; the contents of a version do not.
  [/^contents\.(.+)$/, (_, { old, now }) => old === undefined || now === undefined],
  [/^origin\.(.+)$/, isKnownOrigin],
  [/^(?:\w*[dD]ependencies|place)\.(.+)$/, isOwnPlace],
  [/^compilerOptions\.baseUrl$/, isHarmlessRoot],
  [/^compilerOptions\.(\w+)$/, (_, { old, now }) => rank(now) > rank(old)],
  [/^(?:paths|imports)\.(.+)$/, isOwnAlias],
  // More files are checked than before.
  [/^(?:include|files|references|use)\.(.+)$/, (_, { now }) => now !== undefined],
  [/^exclude\.(.+)$/, (name, { now }, comparison) => now === undefined || !covers(name, comparison)],
  [/^members\.(.+)$/, isMemberStill],
  [/^scope$/, (_, { now }) => now === undefined],
  [/^command\.(.+)$/, (name, { old }) => old === undefined && !/^(pre|post)-/.test(name)],
  ...factsOf('pins').flatMap((each) => each.sectionRules ?? []),
];

function isHonest(section: string, comparison: Comparison): boolean {
  for (const [pattern, rule] of rules) {
    const match = pattern.exec(section);
    const [old, now] = [comparison.old.get(section), comparison.now.get(section)];
    const texts = { ...(old === undefined ? {} : { old }), ...(now === undefined ? {} : { now }) };
    if (match !== null) return rule(match[1] ?? '', texts, comparison);
  }
  return false;
}

/** A new own package replaces no other; a removed one breaks its dependents. */
function isOwnPlace(name: string, { old, now }: Texts, comparison: Comparison): boolean {
  const isElsewhere = (sections: Sections, text: string): boolean =>
    [...sections].some(([section, each]) => section.endsWith(`.${name}`) && each === text);
  if (old === undefined) return isElsewhere(comparison.old, now ?? '') || !isKnown(name, comparison, 'old');
  if (now === undefined) return isElsewhere(comparison.now, old) || !isKnown(name, comparison, 'now');
  // A lock file has a row for each dependent.
  const rows = new Set(old.split('\n'));
  return comparison.old.has(`known.${name}`) && now.split('\n').every((each) => rows.has(each));
}

/** Lock files list all packages; a manifest names its own. */
function isKnown(name: string, comparison: Comparison, when: 'old' | 'now'): boolean {
  const isList = [...comparison.old.keys(), ...comparison.now.keys()].some((section) =>
    section.startsWith('known.'),
  );
  if (isList) return comparison[when].has(`known.${name}`);
  const escaped = name.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&').replace(/[-_]/g, '[-_.]');
  const text = when === 'old' ? comparison.before : comparison.after;
  return new RegExp(String.raw`(^|["'\s/.[])${escaped}($|["'\s=<>~!;@[,.\]])`, 'im').test(text);
}

/** A registry that the lock file already trusted, or a new package; a first lock file names its registry. */
function isKnownOrigin(name: string, { now }: Texts, { old, before }: Comparison): boolean {
  if (now === undefined || !old.has(`known.${name}`)) return true;
  const known = new Set(
    [...old].flatMap(([section, text]) => (section.startsWith('origin.') ? text.split('\n') : [])),
  );
  const isFirst = before === '' && known.size === 0;
  return isFirst || now.split('\n').every((origin) => known.has(origin));
}

function rank(text: string | undefined): number {
  return text === 'strict' ? 2 : text === undefined ? 1 : text === 'lax' ? 0 : -1;
}

/** A name that meant nothing before, or means nothing now; or one whose old target is gone, so it moved. */
function isOwnAlias(alias: string, { old, now }: Texts, comparison: Comparison): boolean {
  if (old === undefined || now === undefined)
    return !shadows(alias, comparison) || isGone(old ?? '', comparison);
  // One more place to search, after the old ones.
  return now.startsWith(`${old}\n`) || isGone(old, comparison);
}

function isGone(targets: string, { path, old, files }: Comparison): boolean {
  const base = old.get('compilerOptions.baseUrl')?.replaceAll('"', '') ?? '.';
  const found = targets.match(/[^\s"[\]{},:]*[./][^\s"[\]{},]*/g) ?? [];
  const isThere = (target: string): boolean => {
    const prefix = posix.join(posix.dirname(path), base, target.split('*')[0] ?? '').replace(/\/$/, '');
    return files.now.some(
      (file) => file === prefix || file.startsWith(`${prefix}/`) || file.replace(/\.\w+$/, '') === prefix,
    );
  };
  return found.length > 0 && !found.some(isThere);
}

/** Whether a name already had a target: a package, or another alias. */
function shadows(alias: string, { old, wanted, path }: Comparison): boolean {
  const isOwnName = alias.startsWith('#') && posix.basename(path) === 'package.json';
  const overlaps = (name: string): boolean => {
    const [mine = '', others = ''] = [alias.split('*')[0], name.split('*')[0]];
    if (!alias.includes('*')) return name.includes('*') ? mine.startsWith(others) : mine === name;
    return name.includes('*') ? mine.startsWith(others) || others.startsWith(mine) : name.startsWith(mine);
  };
  const known = [...old.keys()]
    .flatMap((section) => /^(?:paths|imports)\.(.+)$/.exec(section)?.[1] ?? [])
    .filter((name) => name !== alias);
  const packages = isOwnName ? [] : [...wanted].flatMap((name) => [name, `${name}/*`]);
  return [...known, ...packages].some(overlaps) || /^(node:|\*)/.test(alias);
}

/** Module names are searched in a folder first, and none there has the name of a package. */
function isHarmlessRoot(_: string, { old, now }: Texts, comparison: Comparison): boolean {
  if (old !== undefined || now === undefined) return now === undefined;
  const folder = posix.join(posix.dirname(comparison.path), now.replaceAll('"', ''));
  return ![...comparison.wanted].some((name) =>
    comparison.files.now.some((file) => {
      const inside = posix.relative(folder, file);
      return inside === name || inside.startsWith(`${name}/`) || inside.startsWith(`${name}.`);
    }),
  );
}

/** A workspace member may be added; it may go if nothing of it is left, or another pattern covers it. */
function isMemberStill(pattern: string, { now }: Texts, comparison: Comparison): boolean {
  if (pattern.startsWith('!')) return now === undefined || !covers(pattern.slice(1), comparison);
  if (now !== undefined) return true;
  const others = [...comparison.now.keys()].flatMap(
    (section) => /^members\.([^!].*)$/.exec(section)?.[1] ?? [],
  );
  const left = matcher([pattern], comparison);
  const isTaken = others.length === 0 ? () => false : matcher(others, comparison);
  return !comparison.files.now.some((file) => left(file) && !isTaken(file));
}

/** Whether a pattern excludes a file of the base. */
function covers(pattern: string, comparison: Comparison): boolean {
  return comparison.files.base.some(matcher([pattern], comparison));
}

/** Matches files at or below the patterns of a manifest. */
function matcher(patterns: readonly string[], { path }: Comparison): (file: string) => boolean {
  const folder = posix.dirname(path);
  const plain = patterns.map((each) => each.replace(/^\.\//, '').replace(/\/$/, ''));
  const isMatch = picomatch([...plain, ...plain.map((each) => `${each}/**`)], { dot: true });
  return (file) => isMatch(folder === '.' ? file : posix.relative(folder, file));
}
