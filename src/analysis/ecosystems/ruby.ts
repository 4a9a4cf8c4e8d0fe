// Facts about Ruby: bundler.
import { first } from '#analysis/output/runner-line.ts';
import { allOf, isInRepository, manifestsNamed, type RedCheck } from '#analysis/why-red/red-check.ts';
import type { RedCause } from '#kernel/model/criterion.ts';
import type { Ecosystem, Manifest } from './ecosystem.ts';
import { lineLock } from '#analysis/ecosystems/manifests/lock-readers.ts';
import { type Locked } from '#analysis/ecosystems/manifests/lock-sections.ts';
import type { DetectedSetup } from '#analysis/ecosystems/setup/detected-setup.ts';
import { named, unlocked } from '#analysis/ecosystems/setup/manifest-answers.ts';

export const ruby: Ecosystem = {
  name: 'Ruby',
  setup: {
    locks: [
      {
        file: 'Gemfile.lock',
        use: { kind: 'install', command: 'bundle install', isReadLater: true },
        read: lineLock(/^(GEM|PATH|GIT|PLATFORMS)$/m, bundler),
      },
    ],
    manifests: [
      { file: 'Gemfile', judge: ofGemfile },
      { file: /^[\w.-]+\.gemspec$/, judge: ofGemspec },
    ],
    inputs: ['Gemfile'],
    tools: { bundle: { updatesLock: true } },
    declaring: [/(?:^|\/)(?:Gemfile|[\w.-]+\.gemspec)$/],
    missing: missingGem,
    asking: 'Gemfile',
  },
  pins: {
    settings: [/^(\.rubocop|\.rubocop_todo)\.yml$/, /^Gemfile$/],
    runnerSettings: [/(^|\/)\.rspec(-local)?$/],
    deciding: [/(^|\/)\.simplecov$/],
    readByRunners: [/(^|\/)\.rspec(-local)?$/],
    material: [/(^|\/)rakefile$/i],
    testLibraries: [
      /^(?:.*\/)?lib\/((?:rspec|minitest)(?:\.rb$|\/(?:core|expectations|mocks|autorun|test|spec|assertions|\w+_plugin)\.rb$))/,
    ],
    recipes: [[/\brake\b/, ['Rakefile', 'rakefile', 'Rakefile.rb', 'rakefile.rb']]],
  },
  tests: {
    lines: [{ runner: 'rspec', pattern: /^(\d+) examples?, \d+ failures?\b/, counts: first }],
    commands: [
      /(?<![\w-])rspec(?=\s|$)(?![^\n;&|]*--(?:dry-run|list))/m,
      /(?<![\w-])(?:rake|ruby(?!\s+-w?c\b))\s[^\n;&|]*(?:test|spec)/,
    ],
    readers: [/\brubocop\b|\bruby\s+-w?c\b/],
    files: [/_(test|specs?)\.rb$/, /(^|\/)(test_[^/]+|(spec|rails|test)_helper)\.rb$/],
    texts: [
      {
        files: /\.rb$/,
        library:
          /^require\s+['"](?:rspec|minitest\/\w+|test\/unit|(?:spec|test|rails)_helper)['"]|^RSpec\.describe\b/m,
        defines: /^[ \t]+(?:it|specify|should|test)\s+['"]|^[ \t]+def test_\w+/m,
      },
    ],
    // `# ./spec/x.rb:17:in`, `from x.rb:3:in`
    frames: [/^\s*(?:# |from )\S+:\d+:in\s/],
    words: { skipping: /^\s*(?:skip|pending)\b(?:\s+["']|$)/ },
    selecting: { programs: ['rspec'] },
  },
  gates: { why: 'no file says which of its runners and linters is used' },
  machine: {
    steering: [
      { below: 'home', folder: '', names: '.rspec .rubocop.yml .gemrc' },
      { below: 'home', folder: '.bundle', names: 'config' },
      { below: 'config', folder: 'rspec', names: 'options' },
      { below: 'config', folder: 'rubocop', names: 'config.yml' },
    ],
    upwards: 'Gemfile .rubocop.yml',
    registries: {
      questions: [['gem', 'sources', '--list']],
      variables: [/^BUNDLE_MIRROR/i],
      settings: '.gemrc',
      machineSettings: '/etc/gemrc',
      telling: [/^(BUNDLE|GEM)/i],
    },
    folderVariables: 'RBENV_ROOT',
  },
  programs: {
    checking: 'ruby',
    started: 'ruby rake bundle rspec',
    spoken: 'bundle',
    quoted: 'ruby rake rspec',
    common: 'bundle rake rspec ruby',
    rare: 'gem',
    relays: 'bundle',
    testers: 'rspec',
    rootFiles: ['Gemfile', 'Rakefile'],
  },
};

function bundler(text: string): Locked[] {
  const sums = [...text.matchAll(/^ {2}(\S+) \(([^)]+)\) (sha\S+)$/gm)].map(
    ([, name = '', version = '', hash = '']): Locked => ({ name, version, contents: [['', hash]] }),
  );
  const parts = [...text.matchAll(/^(GEM|PATH|GIT)\n((?: .*\n?)*)/gm)];
  const gems = parts.flatMap(([, kind, body = '']) => {
    const remote = /^ {2}remote: (.+)$/m.exec(body)?.[1] ?? '';
    return [...body.matchAll(/^ {4}(\S+) \(/gm)].map(([, name = '']): Locked =>
      kind === 'GEM' ? { name, origins: [remote] } : { name, place: remote },
    );
  });
  return [...gems, ...sums];
}

function ofGemfile({ path, text }: Manifest): DetectedSetup | null {
  return /^\s*(gem|gemspec)\b/m.test(text) ? unlocked('bundle install', path, 'Gemfile.lock') : null;
}

function ofGemspec({ path, text }: Manifest): DetectedSetup | null {
  if (!/\.add_(runtime_|development_)?dependency\b/.test(text)) return null;
  return named(
    `${path} declares dependencies, and no Gemfile names it`,
    'Commit a Gemfile with the line `gemspec`. ',
  );
}

/** Null if only files of the repository are missing. */
function missingGem(check: RedCheck): RedCause | null {
  const kind = 'missing-package';
  const unmet = /Could not find (?:gem '([^'\n]+)'|([\w.-]+-\d[\w.]*)(?:, [^\n]*)? in )/.exec(check.output);
  if (unmet !== null) return { kind, text: `the gem "${unmet[1] ?? unmet[2] ?? ''}" is not installed` };
  const declared = new Set(
    manifestsNamed(check, /^Gemfile$|\.gemspec$/).flatMap(([, text]) =>
      allOf(text, /^\s*(?:gem|\w+\.add_(?:\w+_)?dependency)[\s(]+['"]([\w.-]+)/gm),
    ),
  );
  const missing = allOf(check.output, /cannot load such file -- ([\w./-]+)/g).find((path) => {
    const isFile = /^[./]/.test(path) || isInRepository(check, path, ['.rb']);
    return (
      !isFile &&
      [path, path.replaceAll('/', '-'), path.split('/')[0] ?? ''].some((name) => declared.has(name))
    );
  });
  return missing === undefined
    ? null
    : { kind, text: `the gem for "${missing}" is declared in the Gemfile and not installed` };
}
