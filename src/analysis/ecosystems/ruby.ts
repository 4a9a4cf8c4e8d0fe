// Ruby: bundler.
import { minitest, rspec } from '#analysis/test-runners/ruby.ts';
import { first } from '#analysis/output/runner-line.ts';
import type { Ecosystem, Manifest } from './ecosystem.ts';
import { lineLock } from '#analysis/ecosystems/manifests/lock-readers.ts';
import { type Locked } from '#analysis/ecosystems/manifests/lock-sections.ts';
import type { FoundSetup } from '#analysis/ecosystems/setup/found-setup.ts';
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
  },
  pins: {
    settings: [/^(\.rubocop|\.rubocop_todo)\.yml$/, /^Gemfile$/],
    runnerSettings: [/(^|\/)\.rspec(-local)?$/],
    deciding: [/(^|\/)\.simplecov$/],
    readByRunners: [/(^|\/)\.rspec(-local)?$/],
    recipes: [[/\brake\b/, ['Rakefile', 'rakefile', 'Rakefile.rb', 'rakefile.rb']]],
  },
  tests: {
    runners: [rspec, minitest],
    lines: [{ runner: 'rspec', pattern: /^(\d+) examples?, \d+ failures?\b/, counts: first }],
    commands: [
      /(?<![\w-])rspec(?=\s|$)(?![^\n;&|]*--(?:dry-run|list))/m,
      /(?<![\w-])(?:rake|ruby(?!\s+-w?c\b))\s[^\n;&|]*(?:test|spec)/,
    ],
    readers: [/\brubocop\b|\bruby\s+-w?c\b/],
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

function ofGemfile({ path, text }: Manifest): FoundSetup | null {
  return /^\s*(gem|gemspec)\b/m.test(text) ? unlocked('bundle install', path, 'Gemfile.lock') : null;
}

function ofGemspec({ path, text }: Manifest): FoundSetup | null {
  if (!/\.add_(runtime_|development_)?dependency\b/.test(text)) return null;
  return named(
    `${path} declares dependencies, and no Gemfile names it`,
    'Commit a Gemfile with the line `gemspec`. ',
  );
}
