// Finds data that a check read on the base: its expected values, or the subject of the work. Pure.
import { factsOf } from '#analysis/ecosystems/ecosystems.ts';
import { isCode } from '#analysis/tampering/test-material.ts';
import { names } from '#analysis/texts/path-words.ts';

const data = /\.(jsonl?|json5|ndjson|[ct]sv|txt|xml|ya?ml|toml|ini|dat|bin|in|out|sql|dump|parquet|avro)$/i;
/** Dependencies and tool settings: other rules cover these. */
const ofTools: readonly RegExp[] = [
  ...factsOf('pins').flatMap((each) => each.notData ?? []),
  /(^|\/)[^/]*lock[^/]*$|(^|\/)\./i,
];
const documents = /(^|\/)(docs?|licen[sc]es?)\/|(^|\/)(licen[sc]e|notice|changelog|readme|robots)[^/]*$/i;

/** Data that the goal names neither by file nor by folder. */
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
