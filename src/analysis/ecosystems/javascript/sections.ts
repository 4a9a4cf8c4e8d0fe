// `package.json`: what in it decides checks, and where its packages come from. Pure.
import { listOf } from '#analysis/texts/plain.ts';
import { pick, readJson, recordOf, unreadable } from '#analysis/texts/json-text.ts';
import type { Sections } from '#analysis/ecosystems/manifests/section-types.ts';
import { judgingCommands } from '#analysis/ecosystems/manifests/task-sections.ts';

const packageKeys = [
  'jest',
  'vitest',
  'mocha',
  'ava',
  'tap',
  'c8',
  'nyc',
  'eslintConfig',
  'eslintIgnore',
  'prettier',
  'xo',
  'standard',
  'stylelint',
  'lint-staged',
  'simple-git-hooks',
  'husky',
  'babel',
  'overrides',
  'resolutions',
  'pnpm',
];

/** Run by the setup of a clean checkout, where they could put anything in the place of what was installed. */
const installScripts = [
  'preinstall',
  'install',
  'postinstall',
  'prepublish',
  'preprepare',
  'prepare',
  'postprepare',
];

const elsewhere = /^(file|link|portal|npm|git|https?|github|workspace|patch)\b|[/\\]/;

/** `main`, `exports` and `type` are free: what they name is what everybody gets, tests and users alike. */
export function packageSections(text: string): Sections {
  const manifest = recordOf(readJson(text));
  if (manifest === null) return unreadable(text);
  const sections = pick(manifest, packageKeys);
  for (const [name, script] of pick(recordOf(manifest['scripts']) ?? {}, installScripts))
    sections.set(`scripts.${name}`, script);
  for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']) {
    for (const [name, wanted] of Object.entries(recordOf(manifest[kind]) ?? {})) {
      // Not from the registry under its own name: it could be anything, a test runner that always passes too.
      if (typeof wanted === 'string' && elsewhere.test(wanted)) sections.set(`${kind}.${name}`, wanted);
    }
  }
  for (const [name, command] of judgingCommands(manifest['wireit'], 'wireit.')) sections.set(name, command);
  const { workspaces } = manifest;
  for (const pattern of listOf(recordOf(workspaces)?.['packages'] ?? workspaces))
    sections.set(`members.${String(pattern)}`, '');
  for (const [alias, target] of Object.entries(recordOf(manifest['imports']) ?? {}))
    sections.set(`imports.${alias}`, JSON.stringify(target));
  for (const condition of conditionsOf(manifest['exports']))
    sections.set(`exports.${condition}`, 'tests only');
  return sections;
}

/** What a package shows to tests, or to a runner, and to nobody else. */
function conditionsOf(exports: unknown): Set<string> {
  const found = JSON.stringify(exports ?? {}).match(
    /"(test|tests|testing|jest|vitest|mocha|spec|development)":/g,
  );
  return new Set((found ?? []).map((each) => each.slice(1, -2)));
}
