// Follows a check's command to the package scripts, recipes and test runner settings that it uses.
import { readJsonTable } from '#analysis/texts/json-text.ts';
import { tableOf } from '#analysis/texts/plain.ts';
import { posix } from 'node:path';
import { wordsIn } from '#analysis/ecosystems/ecosystems.ts';
import { commandOf } from '#kernel/model/check.ts';
import { scriptCalls } from '#analysis/tampering/script-calls.ts';
import { isShell } from '#analysis/test-files/shell-tests.ts';
import { pathsIn, startedScripts } from '#analysis/test-files/started-scripts.ts';
import type { RunnerContext, SourceText } from '#analysis/test-runners/test-runner.ts';
import type { Trees } from '#ports/trees.ts';
import type { Subject } from './bench.ts';

export type Recipes = Pick<RunnerContext, 'scripts' | 'dependencies' | 'settings'>;

const settingsNames = [
  ...'Makefile GNUmakefile makefile justfile'.split(' '),
  ...wordsIn('tests', (each) => each.settings),
];

export async function readRecipes(subject: Subject, trees: Trees, tree: string): Promise<Recipes> {
  const command = commandOf(subject.criterion.check);
  if (command === null) return { scripts: [], dependencies: [], settings: [] };
  const all = [...(await trees.list(tree)).keys()].filter((path) => !/(^|\/)node_modules\//.test(path));
  const here = posix.join(subject.context.run.config.repo.prefix, command.cwd);
  // `make -C sub test`, `cd sub && npm test`.
  const named = pathsIn(command.run).map((word) => posix.join(here, word));
  const folders = new Set([...foldersUp(here), ...named]);
  const paths = [...folders].flatMap((folder) =>
    ['package.json', ...settingsNames].map((name) => posix.join(folder, name)),
  );
  const texts = await trees.read(tree, [...new Set([...paths, ...membersFor(command.run, all)])]);
  const settings = [...texts].map(([path, text]): SourceText => ({ path, text }));
  const manifests = settings.filter(({ path }) => posix.basename(path) === 'package.json').map(manifestOf);
  const recipes = settings.filter(({ path }) => /(makefile|justfile)$/i.test(path)).map(({ text }) => text);
  const starts = /\b(g?make|just)\b/.test(command.run) ? [command.run, ...recipes] : [command.run];
  const scripts = manifests.flatMap((manifest) => reachable(starts, manifest.scripts));
  const lines = [...starts.slice(1), ...scripts];
  return {
    scripts: [
      ...lines,
      ...(await shellTexts([command.run, ...lines], all, (wanted) => trees.read(tree, wanted))),
    ],
    dependencies: [...new Set(manifests.flatMap(({ dependencies }) => dependencies))],
    settings: settings.filter(({ path }) => posix.basename(path) !== 'package.json'),
  };
}

const membersMax = 50;

/** Manifests of workspace members whose scripts the command runs. */
function membersFor(command: string, all: readonly string[]): string[] {
  const runsMembers = scriptCalls(command).some(({ members }) => members !== 'none');
  return runsMembers ? all.filter((path) => path.endsWith('/package.json')).slice(0, membersMax) : [];
}

const shellsMax = 20;

/** Scripts that the texts start, and the scripts that those start. */
async function shellTexts(
  starts: readonly string[],
  all: readonly string[],
  read: (paths: readonly string[]) => Promise<ReadonlyMap<string, string>>,
): Promise<string[]> {
  const found = new Map<string, string>();
  let texts = starts;
  while (texts.length > 0 && found.size < shellsMax) {
    const paths = startedScripts(texts, all).filter((path) => !found.has(path));
    const scripts = [...(await read(paths.slice(0, shellsMax)))].filter(([path, text]) =>
      isShell(path, text),
    );
    for (const [path, text] of scripts) found.set(path, text);
    texts = scripts.map(([, text]) => text);
  }
  return [...found.values()];
}

function foldersUp(folder: string): string[] {
  const inside = posix.normalize(folder).replace(/^\.?\/|\/$/g, '');
  if (inside === '' || inside === '.') return [''];
  return [inside, ...foldersUp(posix.dirname(inside))];
}

interface Manifest {
  readonly scripts: ReadonlyMap<string, string>;
  readonly dependencies: readonly string[];
}

function manifestOf({ text }: SourceText): Manifest {
  const value = readJsonTable(text) ?? {};
  const all = (key: string): [string, unknown][] => Object.entries(tableOf(value[key]) ?? {});
  return {
    scripts: new Map(all('scripts').map(([name, line]) => [name, String(line)])),
    dependencies: [...all('dependencies'), ...all('devDependencies')].map(([name]) => name),
  };
}

/** Scripts named by the command or a reachable script: `npm test`, `npm run lint`, `run-s build test`. */
function reachable(starts: readonly string[], scripts: ReadonlyMap<string, string>): string[] {
  const found = new Set<string>();
  const queue = [...starts];
  for (let text = queue.shift(); text !== undefined; text = queue.shift()) {
    if (!/\b(npm|pnpm|yarn|bun|node --run|run-[sp]|npm-run-all)\b/.test(text)) continue;
    const words = new Set(text.split(/[\s;&|()'"]+/));
    for (const [name, line] of scripts) {
      const isNamed = words.has(name) || (name === 'test' && (words.has('t') || words.has('tst')));
      if (!isNamed || found.has(line)) continue;
      found.add(line);
      queue.push(line);
    }
  }
  return [...found];
}
