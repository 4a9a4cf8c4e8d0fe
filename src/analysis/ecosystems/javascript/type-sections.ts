// Reads tsconfig.json and jsconfig.json: strictness, included files, and module aliases. Pure.
import { pick, readJson, recordOf, unreadable } from '#analysis/texts/json-text.ts';
import type { Sections } from '#analysis/ecosystems/manifests/section-types.ts';

/** Stricter when true. */
const strictIfTrue =
  /^(strict\w*|alwaysStrict|no(Implicit(?!UseStrict)|Unchecked|Unused|Fallthrough|Property)\w*|exactOptionalPropertyTypes|useUnknownInCatchVariables|checkJs|allowJs|isolatedModules|isolatedDeclarations|verbatimModuleSyntax|forceConsistentCasingInFileNames|erasableSyntaxOnly)$/;
/** Stricter when false. */
const strictIfFalse =
  /^(skip\w*Check|noCheck|noStrictGenericChecks|noImplicitUseStrict|suppress\w*|allowUnreachableCode|allowUnusedLabels|allowUmdGlobalAccess|keyofStringsOnly)$/;
const asTheyAre = ['baseUrl', 'rootDirs', 'typeRoots', 'plugins', 'moduleSuffixes', 'customConditions'];

/**
 * `compilerOptions.X` with `strict` or `lax`; `paths.ALIAS` for the target of a name; `include.X`, `files.X`,
 * `references.X` and `exclude.X` for each of a list; `scope` if only listed files are checked.
 */
export function typeSections(text: string): Sections {
  const config = recordOf(readJson(text));
  if (config === null) return unreadable(text);
  const options = recordOf(config['compilerOptions']) ?? {};
  const sections = pick(config, ['extends', 'vueCompilerOptions', 'angularCompilerOptions', 'ts-node']);
  for (const [key, value] of Object.entries(options)) {
    const isStrict = strictIfTrue.test(key) ? value === true : value === false;
    if (typeof value === 'boolean' && (strictIfTrue.test(key) || strictIfFalse.test(key)))
      sections.set(`compilerOptions.${key}`, isStrict ? 'strict' : 'lax');
  }
  for (const [key, value] of pick(options, asTheyAre)) sections.set(`compilerOptions.${key}`, value);
  for (const [alias, targets] of Object.entries(recordOf(options['paths']) ?? {}))
    sections.set(`paths.${alias}`, listOf(targets).join('\n'));
  for (const key of ['include', 'files', 'exclude', 'references'])
    for (const each of listOf(config[key])) sections.set(`${key}.${each}`, '');
  if ('include' in config || 'files' in config) sections.set('scope', 'listed');
  return sections;
}

function listOf(value: unknown): string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  return list.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)));
}
