// Facts about Rust: cargo.
import { gate, noWays, type Root, sure, type Ways } from '#analysis/ecosystems/gates/ways.ts';
import { first, summed } from '#analysis/output/runner-line.ts';
import { listOf, spell, tableOf, valueAt } from '#analysis/texts/plain.ts';
import { readToml } from '#analysis/texts/toml.ts';
import { type Json, pickPaths, recordOf, unreadable } from '#analysis/texts/json-text.ts';
import type { Ecosystem, Manifest } from '#analysis/ecosystems/ecosystem.ts';
import { filtersByName, isNewProgram, missingCrate } from './cargo.ts';
import { rustModules } from './inline-modules.ts';
import { rustSections } from './inline-sections.ts';
import { textOf, tomlLock } from '#analysis/ecosystems/manifests/lock-readers.ts';
import { type Locked } from '#analysis/ecosystems/manifests/lock-sections.ts';
import type { Sections } from '#analysis/ecosystems/manifests/section-types.ts';
import { dependenciesOf, placesOf } from '#analysis/ecosystems/manifests/toml-places.ts';
import type { DetectedSetup } from '#analysis/ecosystems/setup/detected-setup.ts';
import { isFilled, self, unlocked } from '#analysis/ecosystems/setup/manifest-answers.ts';

export const rust: Ecosystem = {
  name: 'Rust',
  setup: {
    // Cargo installs from it on a build; if none is committed, the run keeps the one of the first setup.
    locks: [
      {
        file: 'Cargo.lock',
        use: { kind: 'build', command: 'cargo fetch --locked', isReadLater: true },
        read: tomlLock(crate),
      },
    ],
    manifests: [{ file: 'Cargo.toml', judge: ofCargo }],
    inputs: ['Cargo.toml'],
    tools: { cargo: { updatesLock: true } },
    declaring: [/(?:^|\/)Cargo\.toml$/],
    missing: missingCrate,
    asking: 'Cargo.toml',
    loading: [/(^|\/)Cargo\.toml$/i],
  },
  pins: {
    settings: [/^(\.?clippy\.toml|\.?rustfmt\.toml)$/],
    runnerSettings: [/(^|\/)nextest\.toml$/],
    deciding: [/(^|\/)\.cargo\/config(\.toml)?$/],
    readByRunners: [/(^|\/)nextest\.toml$/],
    readByBuilds: [/(^|\/)\.cargo\/config(\.toml)?$/],
    recipes: [[/\bcargo[ -]make\b/, ['Makefile.toml']]],
    notData: [/(^|\/)Cargo\.toml$/i],
    sections: [
      [/^Cargo\.toml$/, cargoSections],
      [/^rust-toolchain(\.toml)?$/, toolchainSections],
      [/\.rs$/, rustSections],
    ],
    sectionRules: [[/^bin\.(.+)$/, isNewProgram]],
    neverWhole: [/(^|\/)Cargo\.(toml|lock)$/],
    suspicious: [
      {
        files: /\.rs$/,
        pattern: /\bcfg!\(\s*(?:not\(\s*)?test\b|#\[cfg\(\s*not\(\s*test\s*\)\s*\)\]/,
        says: 'asks whether it is tested',
      },
    ],
  },
  tests: {
    lines: [
      { runner: 'cargo test', pattern: /^test result: \w+\. \d+ passed; \d+ failed;/, counts: summed },
      { runner: 'cargo nextest', pattern: /^\s*Summary \[.*\]\s+(\d+) tests? run:/, counts: first },
    ],
    commands: [/\bcargo\s+(?:[+-]\S+\s+)*(?:test|t|nextest\s+run)(?=\s|$)(?![^\n;&|]*--no-run\b)/m],
    wholeCommands: [
      /\bcargo\s+(?:\+\S+\s+)?(?:test|t|nextest\s+run)(?=\s|$)(?![^\n;&|]*\s(?:--(?:lib|bins?|doc|examples?|benches|test|package|exclude|no-run|manifest-path)|-p)\b)/m,
    ],
    readers: [/\bcargo\s+(?:[+-]\S+\s+)*(?:check|c|clippy|build|b|fmt|doc)(?=\s|$)|\brustfmt\b/m],
    files: [/(^|\/)tests\.rs$/],
    modules: rustModules,
    // `  3: core::panicking::panic_fmt`
    frames: [/^\s+\d+:\s+(?:0x[\da-f]+ - )?[\w<{][\w:<>{}$ ]*/],
    words: {
      skipping: /#\[ignore|#!\[cfg\b/,
      test: /#\[(?:\w+::)?test\]/,
      empty: /\bfn \w+\([^)]*\)\s*\{\s*\}/,
      unruled: /#!?\[allow\(/,
    },
    selecting: { selects: filtersByName, leftOut: 'filtered out' },
    settings: 'Cargo.toml',
  },
  gates: {
    reads: [/^Cargo\.toml$/],
    ways: rustWays,
    compilers: ['cargo'],
    needs: [[/^cargo /, /(?:^|\/)Cargo\.toml$/]],
  },
  machine: {
    steering: [
      { below: 'home', folder: '.cargo', names: 'config config.toml', variable: 'CARGO_HOME' },
      { below: 'home', folder: '.rustup', names: 'settings.toml', variable: 'RUSTUP_HOME' },
      { below: 'above', folder: '.cargo', names: 'config config.toml' },
    ],
    upwards:
      'Cargo.toml rust-toolchain rust-toolchain.toml rustfmt.toml .rustfmt.toml clippy.toml .clippy.toml',
    registries: {
      files: [
        { path: '.cargo/config.toml', variable: 'CARGO_HOME' },
        { path: '.cargo/config', variable: 'CARGO_HOME' },
      ],
      variables: [/^CARGO_REGISTRIES_.*_INDEX$/i],
      telling: [/^CARGO/i],
    },
    shownSettings: '.cargo/config.toml .cargo/config',
    folderVariables: 'RUSTUP_HOME',
    passedVariables: 'CARGO_HOME',
    downloads: '.rustup',
    narrowFolders: '.cargo',
  },
  programs: {
    checking: 'cargo rustc',
    started: 'cargo rustc rustdoc cargo-nextest',
    spoken: 'cargo',
    subcommands: 'clippy',
    quoted: 'rustc',
    common: 'cargo',
    linters: 'clippy',
    rootFiles: ['Cargo.toml', 'rustfmt.toml'],
    classless: { sources: /\.rs$/, manifest: 'Cargo.toml' },
  },
};

function crate(entry: Json): Locked {
  const [name, version, source] = [textOf(entry['name']), textOf(entry['version']), textOf(entry['source'])];
  if (!/^(registry|sparse)\+/.test(source)) return { name, place: source === '' ? 'a folder' : source };
  const sum = textOf(entry['checksum']);
  return { name, version, origins: [source], contents: sum === '' ? [] : [['', sum]] };
}

/** Without a lock file cargo chooses versions on a build; fetched first, they are equal in every checkout. */
function ofCargo({ path, text, hasHereOrInRoot }: Manifest): DetectedSetup {
  const about = readToml(text);
  const tables = [
    about,
    ...Object.values(tableOf(about?.['target']) ?? {}).map(tableOf),
    tableOf(about?.['workspace']),
  ];
  const dependencies = tables.flatMap((table) =>
    ['dependencies', 'dev-dependencies', 'build-dependencies'].flatMap((name) =>
      Object.values(tableOf(table?.[name]) ?? {}),
    ),
  );
  const isFetched = (dependency: unknown): boolean => tableOf(dependency)?.['path'] === undefined;
  // The manifests of members are not read.
  const declares = dependencies.some(isFetched) || isFilled(tableOf(about?.['workspace'])?.['members']);
  return declares && !hasHereOrInRoot('Cargo.lock')
    ? unlocked('cargo fetch', path, 'Cargo.lock')
    : self(path, 'cargo');
}

const cargoPrefixes = [
  'profile',
  'lints',
  'workspace.lints',
  'patch',
  'replace',
  'test',
  'workspace.default-members',
  'package.autotests',
  'package.autobins',
  'lib.test',
  'lib.doctest',
  'lib.harness',
  'lib.path',
];

/** `bin.X` for the source of a program that tests may start. */
function cargoSections(text: string): Sections {
  const manifest = readToml(text);
  if (manifest === null) return unreadable(text);
  const workspace = recordOf(manifest['workspace']) ?? {};
  const targets = Object.values(recordOf(manifest['target']) ?? {});
  const sections = placesOf([manifest, workspace, ...targets].flatMap(dependenciesOf));
  for (const list of ['members', 'exclude'])
    for (const pattern of listOf(workspace[list])) sections.set(`${list}.${String(pattern)}`, '');
  for (const each of listOf(manifest['bin'])) {
    const program = recordOf(each) ?? {};
    sections.set(`bin.${String(program['name'])}`, spell(program['path']));
  }
  return new Map([...pickPaths(manifest, cargoPrefixes), ...sections]);
}

/** A compiler from a folder instead of a release. */
function toolchainSections(text: string): Sections {
  // The older form is only the name of a release.
  if (/^\s*[\w.-]+\s*$/.test(text)) return new Map();
  const manifest = readToml(text);
  if (manifest === null) return unreadable(text);
  const path = valueAt(manifest, 'toolchain.path');
  return path === undefined ? new Map() : new Map([['tools', spell(path)]]);
}

function rustWays(root: Root): Ways {
  const manifest = root.text('Cargo.toml');
  if (!root.files.has('Cargo.toml')) return noWays;
  const all = /^\[workspace\]/m.test(manifest) ? ' --workspace' : '';
  const name = /^\[package\][^[]*?^name\s*=\s*"([^"]+)"/ms.exec(manifest)?.[1];
  return {
    gates: [
      gate('tests', `cargo test${all}`, sure.customary, 'Cargo.toml is there'),
      gate(
        'lint',
        `cargo clippy${all} --all-targets -- -D warnings`,
        sure.guessed,
        "clippy is Rust's linter",
      ),
      gate('types', `cargo check${all}`, sure.guessed, 'in Rust the compiler checks the types'),
      gate('build', `cargo build${all}`, sure.customary, 'Cargo.toml is there'),
    ],
    serve: null,
    programs: name !== undefined && root.files.has('src/main.rs') ? [name] : [],
    hasPages: false,
  };
}
