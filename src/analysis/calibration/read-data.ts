// Data that a check read on the base: it may be what the check compares with, or what the work is about. Pure.
import { factsOf } from '#analysis/ecosystems/ecosystems.ts';
import { isCode } from '#analysis/tampering/test-material.ts';
import { names } from '#analysis/texts/path-words.ts';

const data = /\.(jsonl?|json5|ndjson|[ct]sv|txt|xml|ya?ml|toml|ini|dat|bin|in|out|sql|dump|parquet|avro)$/i;
/** Dependencies, and settings of tools: what they decide has rules of its own. */
const ofTools: readonly RegExp[] = [
  ...factsOf('pins').flatMap((each) => each.notData ?? []),
  /(^|\/)[^/]*lock[^/]*$|(^|\/)\./i,
];
const documents = /(^|\/)(docs?|licen[sc]es?)\/|(^|\/)(licen[sc]e|notice|changelog|readme|robots)[^/]*$/i;

/** Data that neither the goal nor its folder in the goal names. */
export function isDataBeside(goal: string, path: string): boolean {
  const isData = data.test(path) && (!isCode(path) || path.endsWith('.sql'));
  return (
    isData &&
    !ofTools.some((pattern) => pattern.test(path)) &&
    !documents.test(path) &&
    !namesFolderOf(goal, path) &&
    !names(goal, path)
  );
}

function namesFolderOf(goal: string, path: string): boolean {
  const words = goal
    .split(/[\s;,:()"'`]+/)
    .map((word) => word.replace(/^\.\//, '').replace(/\/?[.!?]*$/, '/'));
  return words.some((word) => word.length > 1 && path.startsWith(word) && goal.includes(word));
}
