import { dotnetWays, goWays, javaWays, rustWays } from './compiled.ts';
import { javascriptWays } from './javascript.ts';
import { pythonWays } from './python.ts';
import { targetWays } from './targets.ts';
import { type Gate, type Root, sure, type Ways } from './ways.ts';

/** Files whose text says how a repository is tested, built and started. */
export const tellingFiles =
  /^(?:package\.json|pyproject\.toml|setup\.cfg|tox\.ini|Pipfile|requirements[\w.-]*\.txt|\.?mypy\.ini|go\.mod|Cargo\.toml|pom\.xml|build\.gradle(?:\.kts)?|(?:GNU)?[Mm]akefile|[Jj]ustfile)$/;

/** `texts` are those of the telling files at the root; paths are relative to it. */
export function findWays(files: readonly string[], texts: ReadonlyMap<string, string>): Ways {
  const root: Root = { files: new Set(files), text: (path) => texts.get(path) ?? '' };
  const languages = [javascriptWays, pythonWays, goWays, rustWays, javaWays, dotnetWays].map((ways) =>
    ways(root),
  );
  const named = targetWays(root);
  const all = [named, ...languages];
  return {
    gates: (['tests', 'lint', 'types', 'build'] as const).flatMap((kind) => best(kind, named, languages)),
    serve: all.find(({ serve }) => serve !== null)?.serve ?? null,
    programs: all.flatMap(({ programs }) => programs),
    hasPages: all.some(({ hasPages }) => hasPages),
  };
}

/** A target stands for the whole repository; of two languages none does, so that neither is sure. */
function best(kind: Gate['gate'], named: Ways, languages: readonly Ways[]): Gate[] {
  const of = ({ gates }: Ways): Gate[] => gates.filter(({ gate }) => gate === kind);
  const target = of(named)[0];
  if (target !== undefined) return [target];
  const found = languages.flatMap(of).toSorted((one, other) => other.confidence - one.confidence);
  const [first, second] = found;
  if (first === undefined) return [];
  if (second === undefined) return [first];
  const why = `${first.why}; but there is also ${second.run}`;
  return [{ ...first, confidence: Math.min(first.confidence, sure.guessed), why }];
}
