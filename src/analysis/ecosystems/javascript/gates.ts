import { readJsonTable } from '#analysis/texts/json-text.ts';
import { type Gate, noWays, type Root, sure, type Ways } from '#analysis/ecosystems/gates/ways.ts';

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
  readonly packages: ReadonlySet<string>;
  readonly bins: readonly string[];
  readonly packager: string;
}

type Kind = Gate['gate'];

// The first existing name wins: a script for machines before one for people.
const scriptNames: Readonly<Record<Kind, readonly string[]>> = {
  tests: ['test:ci', 'test', 'tests', 'test:unit', 'test:run'],
  lint: ['lint:ci', 'lint:check', 'lint', 'check:lint', 'eslint'],
  types: ['typecheck', 'type-check', 'types', 'check-types', 'check:types', 'types:check', 'tsc'],
  build: ['build', 'compile'],
};

/** npm's own placeholder, and scripts that never end, or that fix instead of checking. */
const unfit = /no test specified|--watch(?!All=false)\b|--fix\b|--write\b/;

export function javascriptWays(root: Root): Ways {
  const manifest = readManifest(root);
  if (manifest === null) return noWays;
  const gates = (['tests', 'lint', 'types', 'build'] as const).flatMap((kind) => {
    const found = scriptGate(kind, manifest) ?? toolGate(kind, manifest, root);
    return found === null ? [] : [found];
  });
  const start = ['start', 'serve', 'dev', 'preview'].find((name) => manifest.scripts[name] !== undefined);
  return {
    gates,
    serve: start === undefined ? null : runScript(manifest.packager, start),
    programs: manifest.bins,
    hasPages: hasPages(root, manifest),
  };
}

function scriptGate(kind: Kind, { scripts, packager }: Manifest): Gate | null {
  const name = scriptNames[kind].find((one) => scripts[one] !== undefined && !unfit.test(scripts[one]));
  if (name === undefined) return null;
  return {
    gate: kind,
    run: runScript(packager, name),
    confidence: sure.written,
    why: `package.json has the script ${name}`,
  };
}

function runScript(packager: string, name: string): string {
  return name === 'test' && packager !== 'bun' ? `${packager} test` : `${packager} run ${name}`;
}

/** Without a script, a tool that is both installed and configured. */
function toolGate(kind: Kind, manifest: Manifest, root: Root): Gate | null {
  const tool = tools.find(
    (one) => one.gate === kind && manifest.packages.has(one.package) && isSet(one, root),
  );
  if (tool === undefined) return null;
  const exec = { npm: 'npx', pnpm: 'pnpm exec', yarn: 'yarn run', bun: 'bunx' }[manifest.packager] ?? 'npx';
  return {
    gate: kind,
    run: `${exec} ${tool.run}`,
    confidence: sure.likely,
    why: `package.json depends on ${tool.package} and has no script for it`,
  };
}

interface Tool {
  readonly gate: Kind;
  readonly package: string;
  readonly run: string;
  /** A configuration file must match; none is needed if absent. */
  readonly config?: RegExp;
}

const tools: readonly Tool[] = [
  { gate: 'tests', package: 'vitest', run: 'vitest run' },
  { gate: 'tests', package: 'jest', run: 'jest' },
  { gate: 'tests', package: 'mocha', run: 'mocha' },
  {
    gate: 'lint',
    package: 'eslint',
    run: 'eslint .',
    config: /^(?:eslint\.config\.\w+|\.eslintrc(?:\.\w+)?)$/,
  },
  { gate: 'lint', package: '@biomejs/biome', run: 'biome check', config: /^biome\.jsonc?$/ },
  { gate: 'lint', package: 'oxlint', run: 'oxlint', config: /^\.oxlintrc\.json$/ },
  { gate: 'types', package: 'typescript', run: 'tsc --noEmit', config: /^tsconfig\.json$/ },
];

function isSet({ config }: Tool, root: Root): boolean {
  return config === undefined || [...root.files].some((path) => config.test(path));
}

const pagePackages = ['react', 'vue', 'svelte', 'preact', 'solid-js', '@angular/core', 'next', 'astro'];

function hasPages(root: Root, { packages }: Manifest): boolean {
  return root.files.has('index.html') || pagePackages.some((name) => packages.has(name));
}

function readManifest(root: Root): Manifest | null {
  const parsed = readJsonTable(root.text('package.json'));
  if (parsed === null) return null;
  const names = ['dependencies', 'devDependencies', 'peerDependencies'].flatMap((key) =>
    Object.keys(strings(parsed[key])),
  );
  const { bin, name } = parsed;
  const own =
    typeof bin === 'string' && typeof name === 'string'
      ? [name.replace(/^@[^/]*\//, '')]
      : Object.keys(strings(bin));
  return {
    scripts: strings(parsed['scripts']),
    packages: new Set(names),
    bins: own,
    packager: packagerOf(root, parsed),
  };
}

function packagerOf(root: Root, manifest: Readonly<Record<string, unknown>>): string {
  const { packageManager } = manifest;
  const script =
    typeof packageManager === 'string' ? /^(npm|pnpm|yarn|bun)@/.exec(packageManager)?.[1] : undefined;
  const locks = { 'pnpm-lock.yaml': 'pnpm', 'yarn.lock': 'yarn', 'bun.lock': 'bun', 'bun.lockb': 'bun' };
  return script ?? Object.entries(locks).find(([file]) => root.files.has(file))?.[1] ?? 'npm';
}

function strings(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
