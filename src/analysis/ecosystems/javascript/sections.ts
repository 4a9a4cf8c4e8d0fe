// Reads the sections of `package.json` that decide checks, and the sources of its packages. Pure.
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

/** The setup of a clean checkout runs them; they could replace any installed file. */
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

/** `main`, `exports` and `type` are free: tests and users get the same files by them. */
export function packageSections(text: string): Sections {
  const manifest = recordOf(readJson(text));
  if (manifest === null) return unreadable(text);
  const sections = pick(manifest, packageKeys);
  for (const [name, script] of pick(recordOf(manifest['scripts']) ?? {}, installScripts))
    sections.set(`scripts.${name}`, script);
  for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']) {
    for (const [name, wanted] of Object.entries(recordOf(manifest[kind]) ?? {})) {
      // Not from the registry under its own name: it could be anything, even a runner that always passes.
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

/** Export conditions that only tests or a runner see. */
function conditionsOf(exports: unknown): Set<string> {
  const found = JSON.stringify(exports ?? {}).match(
    /"(test|tests|testing|jest|vitest|mocha|spec|development)":/g,
  );
  return new Set((found ?? []).map((each) => each.slice(1, -2)));
}
