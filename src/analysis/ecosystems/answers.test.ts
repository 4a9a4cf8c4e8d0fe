// What is answered for many real file names, commands and lines, kept in fixtures/: a moved fact must change none of them.
// In each fixture a line has the question, ` → `, and the answer.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runsTests } from '#analysis/calibration/test-commands.ts';
import { hasSections } from '#analysis/ecosystems/manifests/sections.ts';
import { countTests } from '#analysis/output/zero-tests.ts';
import { isReadByBuilds, isReadByRunners } from '#analysis/tampering/new-test-files.ts';
import {
  recipeFiles,
  rivalFiles,
  toolSettings,
  usesPackager,
  whyPinned,
} from '#analysis/tampering/pins/pin-rules.ts';
import { isTest } from '#analysis/test-files/test-names.ts';
import { findSetup, isReadForSetup } from '#analysis/ecosystems/setup/find-setup.ts';
import { findWays, isReadForGates } from '#analysis/ecosystems/gates/find-ways.ts';
import {
  decidesSetup,
  isLockFile,
  keptLockKindOf,
  lockKindOf,
} from '#analysis/ecosystems/setup/setup-files.ts';

const fixtures = new URL('fixtures/', import.meta.url);

function recorded(file: string): readonly (readonly [string, string])[] {
  const lines = readFileSync(new URL(file, fixtures), 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => {
    const at = line.lastIndexOf(' → ');
    return [line.slice(0, at), line.slice(at + 3)];
  });
}

/** The lines of a fixture, and the same lines with the answers of today. */
function answered(file: string, answer: (question: string) => string): Record<'recorded' | 'now', string[]> {
  const rows = recorded(file);
  return {
    recorded: rows.map(([question, said]) => `${question} → ${said}`),
    now: rows.map(([question]) => `${question} → ${answer(question)}`),
  };
}

/** Of a file at the root, and of the same file in a folder. */
function aboutPath(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const rival = toolSettings.find((pattern) => pattern.test(name));
  const facts = (at: string): (string | false)[] => [
    whyPinned(at) ?? false,
    isTest(at) && 'test',
    hasSections(at) && 'sections',
    isLockFile(at) && 'lock',
    lockKindOf(at)?.command ?? false,
    keptLockKindOf(at) !== undefined && 'kept lock',
    keptLockKindOf(at)?.isReadLater === true && 'read later',
    decidesSetup(at) && 'decides setup',
    isReadForSetup(at) && 'read for setup',
    isReadByRunners(at) && 'read by runners',
    isReadByBuilds(at) && 'read by builds',
    isReadForGates(at) && 'read for gates',
  ];
  const said = (at: string): string => facts(at).filter(Boolean).join(', ');
  const tool = rival === undefined ? '' : ` | a setting like ${likeOf(rival)}`;
  return `${said(path)} | ${said(`packages/app/${path}`)}${tool}`;
}

/** The other recorded names of the same tool: one of them may not take the place of another. */
function likeOf(tool: RegExp): string {
  const names = recorded('paths.txt').map(([path]) => path.slice(path.lastIndexOf('/') + 1));
  return [...new Set(names.filter((name) => tool.test(name)))].join(' ');
}

function aboutCommand(command: string): string {
  const context = { command, scripts: [], output: '', dependencies: [], settings: [] };
  const facts = [
    runsTests(context) && 'runs tests',
    usesPackager(command) && 'packager',
    recipeFiles(command).join(' '),
    rivalFiles(command, () => true).join(' ') !== recipeFiles(command).join(' ') && 'other rivals',
    `alone: ${rivalFiles(command, () => false).join(' ')}`,
  ];
  return facts.filter(Boolean).join(' | ');
}

const texts: Readonly<Record<string, string>> = {
  'package.json': '{"dependencies":{"a":"1"},"scripts":{"test":"jest","lint":"eslint ."}}',
  'composer.json': '{"require":{"a/b":"1"}}',
  Gemfile: "gem 'a'",
  'a.gemspec': "s.add_dependency 'a'",
  'pyproject.toml': '[project]\ndependencies = ["a"]\n[tool.pytest.ini_options]\n[build-system]\n',
  'requirements.txt': 'a==1',
  'requirements-dev.txt': 'a==1',
  'setup.py': 'install_requires=[]',
  'setup.cfg': 'install_requires = a',
  'environment.yml': 'dependencies: [a]',
  'Cargo.toml': '[package]\nname = "a"\n[dependencies]\na = "1"\n',
  'go.mod': 'module a\nrequire b v1.0.0\n',
  Makefile: 'test:\n\ttrue\n',
};

/** The file that decides among all of these, then among the rest, and so on. */
function setupOrder(paths: readonly string[]): string {
  const found = findSetup({ paths, texts: new Map(Object.entries(texts)) });
  const decisive = paths.find((path) => found.why.startsWith(`${path} `));
  const answer = found.kind === 'command' ? found.command : found.kind;
  return decisive === undefined
    ? answer
    : `${decisive} (${answer}) < ${setupOrder(paths.filter((path) => path !== decisive))}`;
}

function aboutTree(files: readonly string[]): string {
  const { gates, serve, programs } = findWays(files, new Map(Object.entries(texts)));
  const told = gates.map(({ gate, run, confidence, why }) => `${gate}: ${run} (${confidence}, ${why})`);
  return [...told, serve ?? '', programs.join(' ')].join('; ');
}

function aboutLine(line: string): string {
  const count = countTests();
  count.add(`${line}\n`);
  return JSON.stringify(count.finding());
}

describe('recorded answers of the ecosystems', () => {
  it('Every file name is pinned, read and installed from as recorded', () => {
    const { recorded, now } = answered('paths.txt', aboutPath);
    expect(now).toEqual(recorded);
    expect(now.length).toBeGreaterThan(300);
  });
  it('Every command leads to the files, and to the tests, as recorded', () => {
    const { recorded, now } = answered('commands.txt', aboutCommand);
    expect(now).toEqual(recorded);
    expect(now.length).toBeGreaterThan(80);
  });
  it('Every line of a runner is counted as recorded', () => {
    const { recorded, now } = answered('lines.txt', aboutLine);
    expect(now).toEqual(recorded);
    expect(now.length).toBeGreaterThan(40);
  });
  it('The manifests and lock files of many tools decide in the recorded order', () => {
    const { recorded, now } = answered('trees.txt', (question) => {
      const [kind, ...files] = question.split(' ');
      return kind === 'setup' ? setupOrder(files) : aboutTree(files);
    });
    expect(now).toEqual(recorded);
    expect(now.length).toBeGreaterThan(60);
  });
});
