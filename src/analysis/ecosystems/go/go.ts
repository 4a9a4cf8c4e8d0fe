// Facts about Go.
import { gate, noWays, type Root, sure, type Ways } from '#analysis/ecosystems/gates/ways.ts';
import { changedVendored, missingModule, takenModule } from './modules.ts';
import { none, one, type RunnerLine } from '#analysis/output/runner-line.ts';
import type { Ecosystem, Manifest } from '#analysis/ecosystems/ecosystem.ts';
import { lineLock } from '#analysis/ecosystems/manifests/lock-readers.ts';
import { type Locked } from '#analysis/ecosystems/manifests/lock-sections.ts';
import type { Sections } from '#analysis/ecosystems/manifests/section-types.ts';
import type { DetectedSetup } from '#analysis/ecosystems/setup/detected-setup.ts';
import { self } from '#analysis/ecosystems/setup/manifest-answers.ts';

const goLines: readonly RunnerLine[] = [
  { runner: 'go test', pattern: /^\?\s+\S+\s+\[no test files\]$/, counts: none },
  { runner: 'go test', pattern: /^ok\s+\S+\s+(?:[\d.]+s|\(cached\)).*\[no tests to run\]$/, counts: none },
  { runner: 'go test', pattern: /^testing: warning: no tests to run$/, counts: none },
  // Without -v it reports only packages, and each failed test.
  {
    runner: 'go test',
    pattern: /^(?:ok|FAIL)\s+\S+\s+(?:[\d.]+s|\(cached\))(?!.*\[no tests to run\]).*$/,
    counts: one,
  },
  { runner: 'go test', pattern: /^=== RUN\s+\S+$/, counts: one },
  {
    runner: 'go test',
    pattern: /^\s*--- SKIP: \S+ \([\d.]+s\)$/,
    counts: () => ({ executed: -1, skipped: 1, isNoSign: true }),
  },
];

export const go: Ecosystem = {
  name: 'Go',
  setup: {
    locks: [
      {
        file: 'go.sum',
        use: { kind: 'fetch' },
        read: lineLock(/^\s*\S+[ \t]+\S+[ \t]+\S+[ \t]*$/m, goSum),
      },
    ],
    manifests: [{ file: 'go.mod', judge: ofGo }],
    declaring: [/(?:^|\/)go\.mod$/],
    missing: missingModule,
    troubles: [
      /go: cannot find main module|go\.mod file not found|does not contain (?:main module|modules listed in go\.work)/,
    ],
    asking: 'go.mod',
    loading: [/(^|\/)go\.(mod|sum)$/i],
  },
  pins: {
    settings: [/^\.golangci\..+$/],
    readByRunners: [/(^|\/)go\.work$/],
    recipes: [[/\bmage\b/, ['magefile.go']]],
    notData: [/(^|\/)go\.(mod|sum)$/i],
    sections: [[/^go\.(mod|work)$/, goSections]],
    neverWhole: [/(^|\/)go\.(mod|sum)$/],
    suspicious: [
      {
        files: /\.go$/,
        pattern: /\btesting\.Testing\(\)|\bflag\.Lookup\(\s*"test\.|"\.test"\s*\)/,
        says: 'asks whether it is tested',
      },
    ],
    takes: { 'go.mod': takenModule },
    vendored: changedVendored,
  },
  tests: {
    lines: goLines,
    files: [/_test\.go$/],
    // `	/usr/lib/go/src/testing/testing.go:1446 +0x…`, `testing.tRunner(0x…)`
    frames: [/^\s+\S+\.go:\d+ \+0x/, /^[\w./*()]+\((?:0x|\{0x|\.\.\.)[^)]*\)$/],
    words: {
      skipping: /\b[tb]\.Skip(?:f|Now)?\(|^\/\/(?:go:build|\s*\+build)\s/,
      test: /\bfunc (?:\([^)]*\) )?Test\w*\(/,
      assertion: /\bt\.(?:Error|Fatal|Fail)\w*\(/,
      empty: /\bfunc \w+\([^)]*\)\s*\{\s*\}/,
      ending: /\bos\.Exit\(0\)/,
      unruled: /\/\/\s*nolint/,
    },
    selecting: { programs: ['go'] },
    commands: [/\bgo\s+(?:-C\s+\S+\s+)?test(?=\s|$)/m],
    wholeCommands: [/\bgo\s+test\s[^\n;&|]*\.\/\.\.\./],
    readers: [/\bgo\s+(?:vet|build|fmt)\b|\b(?:gofmt|goimports|golangci-lint|staticcheck)\b/],
  },
  gates: {
    reads: [/^go\.mod$/],
    ways: goWays,
    compilers: ['go'],
    needs: [[/^go /, /(?:^|\/)go\.mod$/]],
    narrow: [/^go (?:test|build|vet)$/],
  },
  machine: {
    steering: [
      { below: 'home', folder: 'Library/Application Support/go', names: 'env' },
      { below: 'config', folder: 'go', names: 'env' },
    ],
    upwards: 'go.work',
    registries: {
      questions: [['go', 'env', 'GOPROXY', 'GOSUMDB']],
      variables: [/^GOPROXY$/i],
      settings: '.config/go/env',
      telling: [/^GO/i],
    },
    folderVariables: 'GOROOT',
    passedVariables: 'GOPATH',
    narrowFolders: 'go',
  },
  programs: {
    checking: 'go',
    started: 'go gofmt',
    spoken: 'go',
    subcommands: 'vet',
    quoted: 'golangci-lint',
    common: 'go',
    formatters: 'gofmt',
    rootFiles: ['go.mod'],
    classless: { sources: /\.go$/, manifest: 'go.mod' },
  },
};

function goSum(text: string): Locked[] {
  return [...text.matchAll(/^\s*(\S+)[ \t]+(\S+)[ \t]+(\S+)[ \t]*$/gm)].map(
    ([, name = '', version = '', hash = '']) => ({
      name,
      version,
      contents: [['', hash]],
    }),
  );
}

/** Go refuses a module whose sum is not recorded. */
function ofGo({ path, text, has, hasHereOrInRoot, hasFolder }: Manifest): DetectedSetup {
  const isCovered = has('go.sum') || hasHereOrInRoot('go.work.sum') || hasFolder('vendor');
  if (isCovered || !requiresModule(text)) return self(path, 'go');
  return {
    kind: 'ask',
    why: `${path} requires modules, and no go.sum is committed, so go refuses to build`,
    hint: 'Run `go mod tidy` and commit go.sum, or let the run make it: --setup "go mod tidy"',
  };
}

/** A module that is replaced by a folder needs no sum. */
function requiresModule(text: string): boolean {
  const lines = text.split('\n').map((line) => line.replace(/\/\/.*$/, '').trim());
  const replaced = new Set(
    lines.flatMap((line) => /^(?:replace\s+)?(\S+)(?:\s+v\S+)?\s+=>\s+\.{0,2}\//.exec(line)?.[1] ?? []),
  );
  const required = lines.flatMap((line) => /^(?:require\s+)?(\S+)\s+v\d\S*$/.exec(line)?.[1] ?? []);
  return required.some((name) => name !== 'exclude' && name !== 'retract' && !replaced.has(name));
}

/** A `replace` of each module; and which modules make up a workspace. */
function goSections(text: string): Sections {
  const sections = new Map<string, string>();
  for (const line of directives(text, 'replace')) {
    const [from = '', to = ''] = line.split('=>').map((part) => part.trim());
    sections.set(`place.${from.split(/\s/)[0] ?? ''}`, `${from} => ${to}`);
  }
  for (const folder of directives(text, 'use')) sections.set(`use.${folder}`, '');
  return sections;
}

function directives(text: string, word: string): string[] {
  const found = text.matchAll(new RegExp(String.raw`^[ \t]*${word}\s*(?:\(([\s\S]*?)^\s*\)|\s(.*))$`, 'gm'));
  return [...found]
    .flatMap(([, many, one]) => (many ?? one ?? '').split('\n'))
    .map((line) =>
      line
        .replace(/\/\/.*$/, '')
        .replace(/["`]/g, '')
        .trim(),
    )
    .filter((line) => line !== '');
}

function goWays(root: Root): Ways {
  if (!root.files.has('go.mod')) return noWays;
  const linter = [...root.files].find((path) => /^\.golangci\.(?:ya?ml|toml|json)$/.test(path));
  const main = [...root.files].flatMap((path) => /^cmd\/([^/]+)\/main\.go$/.exec(path)?.[1] ?? []);
  return {
    gates: [
      gate('tests', 'go test ./...', sure.customary, 'go.mod is there'),
      linter === undefined
        ? gate('lint', 'go vet ./...', sure.guessed, 'go.mod is there and no linter is configured')
        : gate('lint', 'golangci-lint run', sure.configured, `${linter} is there`),
      gate('types', 'go build ./...', sure.guessed, 'in Go the compiler checks the types'),
      gate('build', 'go build ./...', sure.customary, 'go.mod is there'),
    ],
    serve: main.length === 1 ? `go run ./cmd/${main[0]}` : root.files.has('main.go') ? 'go run .' : null,
    programs: main,
    hasPages: false,
  };
}
