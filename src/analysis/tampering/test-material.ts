// Decides which files of a change decide a check rather than do the work: tests, fixtures, scripts and
// settings. Pure. Broad for data and settings: one too many costs two more runs of the check. Narrow for
// source code: work that changed only test material has to ask a person.
import { readJsonTable } from '#analysis/texts/json-text.ts';
import { factsOf } from '#analysis/ecosystems/ecosystems.ts';
import { isOfferedBy } from '#analysis/ecosystems/setup/setup-files.ts';
import { keepsItsTests } from '#analysis/test-files/inline-test-parts.ts';
import { runnerSettings } from '#analysis/tampering/pins/pin-rules.ts';
import { isShellTest } from '#analysis/test-files/shell-tests.ts';
import { names, namesStem } from '#analysis/texts/path-words.ts';
import { isTest } from '#analysis/test-files/test-names.ts';
import { definesTests, loadsTestLibrary } from '#analysis/test-files/test-texts.ts';

export interface ChangedFile {
  readonly path: string;
  /** Null if the file is absent or not text. */
  readonly before: string | null;
  readonly after: string | null;
}

export interface MaterialContext {
  readonly goal: string;
  /** The check's command line and the scripts that it leads to. */
  readonly commands: readonly string[];
  /** Manifests of the base, by path: files that the package offers are its product. */
  readonly manifests?: ReadonlyMap<string, string>;
  /** Whether the base has a file or folder of this name in its root. */
  readonly isInRoot?: (name: string) => boolean;
  /** A person saw the change and accepted it. */
  readonly isAccepted: (path: string) => boolean;
  /** A person allowed the work to change the file, in any way. */
  readonly mayChange: (path: string) => boolean;
}

export function isTestMaterial(file: ChangedFile, context: MaterialContext): boolean {
  const { path } = file;
  const { goal } = context;
  if (context.isAccepted(path)) return false;
  // A test that may change must still not be the reason why the check turns green.
  if (context.mayChange(path)) return isTestFile(file) && !names(goal, path);
  if (isTestFile(file)) return true;
  if (mayBeProduct(file)) return file.before !== null && !isAskedFor(path, context);
  if (nameOf(path) in manifestParts) return changesManifest(file);
  if (settings.some((pattern) => pattern.test(path))) return true;
  if (names(goal, path)) return false;
  return (isCode(path) ? fixtures : data).test(path) || isScriptOf(path, context);
}

/** By its name or its text. */
export function isTestFile(file: ChangedFile): boolean {
  return isTest(file.path) || (!mayBeProduct(file) && hasTests(file));
}

const pins = factsOf('pins');

const data =
  /(^|\/)(fixtures?|goldens?|snapshots?|expected|baselines?|approved)\/|(^|[/._-])(expected|expectations?|goldens?|fixtures?|snapshots?|baselines?|approved)([._-][^/]*)?$/i;
/** Source code may be about snapshots and baselines; a folder of fixtures holds no product. */
const fixtures = /(^|\/)(fixtures?|goldens?)\//i;
const settings: readonly RegExp[] = [
  ...runnerSettings,
  ...pins.flatMap((each) => each.material ?? []),
  /(^|\/)((GNU)?makefile|[^/]+\.mk|\.?justfile|taskfile(\.dist)?\.ya?ml|\.coveragerc|\.(nycrc|c8rc)[^/]*|\.gitattributes)$/i,
  /(^|[/._-])(test|jest|vitest)[-_.]?(setup|helpers?|utils?)\.[^/]+$/i,
  /[a-z](Test|Jest|Vitest)(Setup|Helpers?|Utils?)\.[^/]+$/,
];

/** Tests, and helpers of tests, without a revealing import. */
const moreTests = factsOf('tests').flatMap((each) => each.plainTexts ?? []);

/** A product file with its own tests, as in Rust, stays product as long as these tests are unchanged. */
function hasTests({ path, before, after }: ChangedFile): boolean {
  if (keepsItsTests(path, before, after)) return false;
  return [before, after].some(
    (text) =>
      text !== null &&
      (loadsTestLibrary(path, text) ||
        isShellTest(path, text) ||
        moreTests.some(([name, words]) => name.test(path) && words.test(text))),
  );
}

/** Loads a test library and has no test: a plugin, an assertion library, or an unmarked test helper. */
export function mayBeProduct({ path, before, after }: ChangedFile): boolean {
  const texts = [before, after].filter((text) => text !== null);
  const isOwn = ([name, words]: (typeof moreTests)[number]): boolean =>
    name.test(path) && texts.some((text) => words.test(text));
  return (
    !isTest(path) &&
    texts.some((text) => loadsTestLibrary(path, text)) &&
    !texts.some((text) => definesTests(path, text)) &&
    !moreTests.some(isOwn)
  );
}

/** By the goal, also without the extension, or because the package offers it to others. */
function isAskedFor(path: string, { goal, manifests = new Map() }: MaterialContext): boolean {
  if (names(goal, path) || namesStem(goal, path)) return true;
  return [...manifests].some(([manifest, text]) => isOfferedBy(manifest, text, path));
}

const manifestParts: { readonly [name: string]: RegExp } = Object.fromEntries(
  pins.flatMap((each) => Object.entries(each.materialParts ?? {})),
);

function changesManifest({ path, before, after }: ChangedFile): boolean {
  const parts = manifestParts[nameOf(path)] ?? /./;
  const read = path.endsWith('.json') ? keysOf : sectionsOf;
  const [old, now] = [read(before ?? ''), read(after ?? '')];
  if (old === null || now === null) return true;
  return [...new Set([...old.keys(), ...now.keys()])].some(
    (key) => parts.test(key) && old.get(key) !== now.get(key),
  );
}

/** Null if the text is not an object. */
function keysOf(text: string): Map<string, string> | null {
  if (text === '') return new Map();
  const table = readJsonTable(text);
  return table === null
    ? null
    : new Map(Object.entries(table).map(([key, part]) => [key, JSON.stringify(part)]));
}

function sectionsOf(text: string): Map<string, string> {
  const sections = new Map<string, string>();
  let name = '';
  for (const line of text.split('\n')) {
    name = /^\s*\[+([^\]]+)\]+/.exec(line)?.[1] ?? name;
    sections.set(name, `${sections.get(name) ?? ''}${line.trim()}\n`);
  }
  return sections;
}

const judgeName =
  /(^|[^a-z])(test|spec|check|verify|assert|e2e|grader?|judge|score|eval|prove|accept|acceptance|smoke|audit)s?([^a-z]|$)/i;

/** A started script with the name of a judge, or a path that makes a make target up to date. */
function isScriptOf(path: string, { commands, isInRoot = () => false }: MaterialContext): boolean {
  const [root = path] = path.split('/');
  return commands.some((command) => {
    // An old file cannot newly make a target up to date.
    if (!isInRoot(root) && isTargetOf(root, command)) return true;
    if (!names(command, path)) return false;
    const isTarget = /\bg?make\b/.test(command) && !nameOf(path).includes('.');
    return isTarget || (isCode(path) && judgeName.test(nameOf(path)) && !/(^|\/)(src|lib)\//.test(path));
  });
}

function isTargetOf(name: string, command: string): boolean {
  const calls = [...command.matchAll(/(?<![\w.-])g?make\s([^;&|\n]*)/g)].map(([, words = '']) => words);
  return (
    !name.includes('.') && calls.some((words) => names(words.replace(/(-[CfI]|--\w+)[ =]?\S+/g, ''), name))
  );
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

const code =
  /\.([cm]?[jt]sx?|py|pyi|rs|go|java|kts?|scala|groovy|clj[cs]?|rb|php|pl|pm|t|bats|c|cc|cpp|cxx|h|hh|hpp|m|mm|cs|fs|vb|swift|dart|ex|exs|erl|hrl|hs|ml|mli|lua|r|jl|zig|nim|sh|bash|zsh|fish|ps1|sql|vue|svelte|wat|proto|graphql|tf)$/i;

/** Source code, as opposed to data, documents, pages and settings. */
export function isCode(path: string): boolean {
  return code.test(path);
}
