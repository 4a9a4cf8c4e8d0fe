// Finds the recipes of make and just that a command reaches, not the whole file that holds them. Pure.
import type { RunnerContext } from '#analysis/test-runners/test-runner.ts';

/** The command, the recipes of its targets, and the scripts that these lead to. */
export function reachedRecipes({ command, scripts, settings }: RunnerContext): readonly string[] {
  const files = settings.filter(({ path }) => /(?:makefile|justfile)$/i.test(path)).map(({ text }) => text);
  const others = scripts.filter((text) => !files.includes(text));
  if (command.search(calls) < 0) return [command, ...others];
  const reached = follow(command, files.map(readRecipeFile));
  // The mapping from scripts to recipes is not known here.
  return reached.some((text) => startsScripts.test(text)) ? [...reached, ...others] : reached;
}

const calls = /(?:^|[\s;&|(@-])(?:g?make|just)(?=\s|$)([^\n;&|)]*)/gm;
const startsScripts =
  /\b(?:npm|pnpm|yarn|bun|node\s+--run|run-[sp]|npm-run-all|sh|bash)\b|(?:^|[;&|])\s*@?\.{1,2}\//m;

interface Target {
  readonly needs: readonly string[];
  readonly lines: string[];
}

interface RecipeFile {
  readonly targets: ReadonlyMap<string, Target>;
  /** The target if the command names none. */
  readonly first: string | undefined;
}

/** Variables are filled in if one line gives their value. */
function readRecipeFile(text: string): RecipeFile {
  const whole = text.replace(/\\\r?\n/g, ' ');
  const values = new Map(
    [...whole.matchAll(/^(?:export[ \t]+)?([\w.]+)[ \t]*[:?]{0,2}=[ \t]*(.*)$/gm)].map(
      ([, name = '', value = '']) => [name, value.trim()],
    ),
  );
  const fill = (line: string): string =>
    line.replace(/\$[({](\w+)[)}]/g, (all, name: string) =>
      name === 'MAKE' ? 'make' : (values.get(name) ?? all),
    );
  const targets = new Map<string, Target>();
  let current: readonly Target[] = [];
  for (const line of whole.split(/\r?\n/).map(fill)) {
    const head = /^@?([^\s#:=][^:=#]*)::?(?!=)([^;]*)(?:;(.*))?$/.exec(line);
    if (/^\s+\S/.test(line)) for (const { lines } of current) lines.push(line.trim());
    else if (head !== null) current = openTargets(targets, head);
    else if (line.trim() !== '' && !line.startsWith('#')) current = [];
  }
  const first = [...targets.keys()].find((name) => !name.startsWith('.'));
  return { targets, first: values.get('.DEFAULT_GOAL') ?? first };
}

/** A target may appear on several lines: `test: build`, and again with its recipe. */
function openTargets(
  targets: Map<string, Target>,
  [, names = '', needs = '', recipe]: RegExpExecArray,
): Target[] {
  return wordsOf(names).map((name) => {
    const { needs: before, lines } = targets.get(name) ?? { needs: [], lines: [] };
    if (recipe !== undefined) lines.push(recipe.trim());
    const target = { needs: [...before, ...wordsOf(needs.replace(/[|()]/g, ' '))], lines };
    targets.set(name, target);
    return target;
  });
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

function follow(command: string, files: readonly RecipeFile[]): readonly string[] {
  const reached = [command];
  const seen = new Set<Target>();
  const queue = targetsIn(command, files);
  for (let name = queue.shift(); name !== undefined; name = queue.shift())
    for (const { targets } of files) {
      const target = targets.get(name);
      if (target === undefined || seen.has(target)) continue;
      seen.add(target);
      reached.push(...target.lines);
      queue.push(...target.needs, ...target.lines.flatMap((line) => targetsIn(line, files)));
    }
  return reached;
}

/** Words after `make` without options and their values; if none, the first target of each file. */
function targetsIn(line: string, files: readonly RecipeFile[]): string[] {
  return [...line.matchAll(calls)].flatMap(([, rest = '']) => {
    const words = wordsOf(rest.replace(withValue, ' ')).filter((word) => !/^-|=/.test(word));
    return words.length > 0 ? words : files.flatMap(({ first }) => first ?? []);
  });
}

const withValue = /(?:^|\s)(?:-[CfIjloW]|--(?:directory|file|makefile|jobs|justfile))[ =]\s*\S+/g;
