// Reads the names of tests and assertions in a JavaScript test file. Pure.
import { escaped } from '#analysis/texts/path-words.ts';
import { mask } from '#analysis/texts/mask.ts';
import { styleOf } from '#analysis/test-runners/style.ts';
import type { Style } from '#analysis/test-runners/style.ts';

export interface JsFile {
  readonly text: string;
  readonly masked: string;
  readonly style: Style;
  /** Names of the functions that declare a test at the top level, most used first. */
  readonly testNames: readonly string[];
  /** Names of objects whose methods are assertions. */
  readonly assertObjects: readonly string[];
  /** Local names of imported assertion functions, and the words they are imported from. */
  readonly assertFunctions: ReadonlyMap<string, string>;
}

const assertModules = /^(?:node:)?assert(?:\/strict)?$|^chai$/;

/** Bindings that an import or require at the top level makes, by the module's name. */
export function importsOf(text: string): readonly { module: string; local: string; imported: string }[] {
  const found: { module: string; local: string; imported: string }[] = [];
  const add = (clause: string, module: string): void => {
    for (const binding of bindings(clause)) found.push({ module, ...binding });
  };
  for (const [, clause = '', module = ''] of text.matchAll(
    /^import\s+(?!type\b)([\w$*{},\s]+?)\s+from\s*['"]([^'"\n]+)['"]/gm,
  ))
    add(clause, module);
  for (const [, clause = '', module = '', rest = ''] of text.matchAll(
    /^(?:const|let|var)\s+([\w$]+|\{[\w$:,\s]+\})\s*=\s*require\(\s*['"]([^'"\n]+)['"]\s*\)((?:\.\w+)?)/gm,
  ))
    add(rest === '' ? clause : `{ ${rest.slice(1)}: ${clause} }`, module);
  return found;
}

function bindings(clause: string): readonly { local: string; imported: string }[] {
  const named = /\{([^}]*)\}/.exec(clause)?.[1] ?? '';
  const whole = clause
    .replace(/\{[^}]*\}/, '')
    .replaceAll('*', '')
    .replace(/\bas\b/, '');
  return [
    ...words(whole, ',').map((local) => ({ local, imported: 'default' })),
    ...words(named, ',').map((entry) => {
      const [imported = '', local = imported] = words(entry, /\bas\b|:/);
      return { local, imported };
    }),
  ];
}

function words(text: string, separator: string | RegExp): readonly string[] {
  return text
    .split(separator)
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

/** `testModule` is null if the runner's names are global. */
export function readJsFile(text: string, testModule: RegExp | null): JsFile {
  const masked = mask(text, 'javascript');
  const imports = importsOf(text);
  const own = imports.filter(({ module }) => testModule?.test(module) === true);
  const candidates = own
    .filter(({ imported }) => ['default', 'test', 'it', 'serial'].includes(imported))
    .map(({ local, imported, module }) =>
      isTap(module) && imported === 'default' ? `${local}.test` : local,
    );
  const uses = (name: string): number =>
    masked.split(new RegExp(String.raw`(?<![\w$.])${escaped(name)}(?:\.\w+)?\(`)).length - 1;
  const asserts = imports.filter(({ module }) => assertModules.test(module));
  return {
    text,
    masked,
    style: styleOf(text),
    testNames: (own.length > 0 ? candidates : ['test', 'it'])
      .filter((name) => uses(name) > 0)
      .toSorted((a, b) => uses(b) - uses(a)),
    assertObjects: asserts
      .filter(({ imported }) => ['default', 'strict', 'assert'].includes(imported))
      .map(({ local }) => local),
    assertFunctions: new Map(asserts.map(({ local, imported }) => [local, imported])),
  };
}

/** The default export of tap is a test itself, with `test` as its method. */
function isTap(module: string): boolean {
  return /^(?:tap|@tapjs\/core|libtap)$/.test(module);
}
