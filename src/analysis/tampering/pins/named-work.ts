// Decides which of the files that a check names are the work itself. Pure.
//
// Pinning those would refuse every honest change; skipping one too many lets the builder write its own
// verdict. So a file counts as work only if its part in the command is plain:
// - examined: a tool reads it (`grep -q x README.md`, `test -f a`, `eslint a.js`);
// - asked: it is started, and something else judges its output (`node a.js | grep x`, `[ "$(sh a.sh)" = x ]`,
//   `node a.js > out && diff out expected`); a pipe into `tee` judges nothing;
// - a source (`src/`, `lib/`, …) that is started and judged by its exit code.
// All other started files decide the check, and so do names such as expected, golden, limit, test or check.
// If that is wrong, the work is red and names the file; `mayChange` allows it. A deciding file that passes
// these rules (a judge in `src/` with an innocent name) is left to held-out checks and reviewers.
import { posix } from 'node:path';
import { wordsIn } from '#analysis/ecosystems/ecosystems.ts';
import { isAmong } from '#analysis/texts/path-words.ts';
import { isTest } from '#analysis/test-files/test-names.ts';
import { wordsOf } from './pin-rules.ts';

const sources = /(^|\/)(src|lib|apps?|pkg|cmd|internal|sources?)\//;
const tools = /(^|\/)(scripts?|tools?|ci|bin|hack|checks?|\.[^/]+)\//;
/** Made for tests, in any folder; the second group could be anything among the sources. */
const forTests =
  /(^|\/)(test-?utils?|fixtures?|goldens?|snapshots?)\/|(^|\/)[^/]*(test-?utils?|test-?helpers?|test-?setup)[^/]*$/i;
const besideTests = /(^|\/)(testing|mocks?|helpers?|support|harness|cases|vectors|corpus)\//i;
/** Expected values and limits. */
const reference =
  /(^|[/._-])(thresholds?|limits?|baselines?|expect(ed|ations?)|goldens?|reference|budgets?|(allow|deny|ignore)-?list)([/._-]|$)/i;
const judgeName =
  /(^|[^a-z])(test|spec|check|verify|assert|e2e|grade|grader|judge|score|eval|prove|accept|acceptance|smoke|audit)s?([^a-z]|$)/i;
/** Programs have such names too. */
const weakJudgeName = /(^|[^a-z])(lint|validate|run|ci|all|bench)s?([^a-z]|$)/i;

const inputs = /(^|\/)(fixtures?|goldens?)\//i;
const results = /(^|\/)snapshots?\/|(^|[/._-])(baselines?|expect(ed|ations?)|goldens?)([/._-]|$)/i;
const code =
  /\.([cm]?[jt]sx?|vue|svelte|py|rb|php|go|rs|java|kt|scala|cs|cc?|cpp|h|hpp|swift|exs?|erl|dart|sh)$/;

/** Inputs and expected results of tests, by their folder. */
export function isTestData(path: string): boolean {
  if (inputs.test(path)) return !(sources.test(path) && code.test(path));
  if (code.test(path)) return false;
  return results.test(path) || (!sources.test(path) && besideTests.test(path));
}

/** The source of the name: the command line of a check, a test, or a script that the check runs. */
export type Namer = { readonly command: string } | { readonly file: string };

export function isNamedWork(path: string, namer: Namer): boolean {
  const isSource = sources.test(path);
  if (isTest(path) || forTests.test(path) || isRecipe(path)) return false;
  if (reference.test(path) && !isSource) return false;
  if ('command' in namer) return isWorkOf(namer.command, path);
  if (!isSource && besideTests.test(path)) return false;
  // Tests import the code under test.
  if (isTest(namer.file)) return isSource || !tools.test(path);
  return !isJudge(path) && (isSource || !isBeside(path, namer.file));
}

function isWorkOf(command: string, path: string): boolean {
  const parts = partsIn(command, path);
  if (parts.every((part) => part === 'examined')) return true;
  if (parts.includes('compared') || isJudge(path)) return false;
  return sources.test(path) || parts.every((part) => part === 'asked' || part === 'examined');
}

function isJudge(path: string): boolean {
  const name = posix.basename(path);
  if (judgeName.test(name)) return true;
  return !sources.test(path) && (tools.test(path) || weakJudgeName.test(name));
}

function isRecipe(path: string): boolean {
  return /(^|\/)(GNUmakefile|[Mm]akefile|\.?[Jj]ustfile|Taskfile\.ya?ml)$/.test(path);
}

/** In a separate folder, files that a script names belong to it; in the root everything is side by side. */
function isBeside(path: string, script: string): boolean {
  const folder = posix.dirname(script);
  return folder !== '.' && posix.dirname(path) === folder;
}

type Part = 'examined' | 'asked' | 'compared' | 'started';

/** The purpose of each mention of the file in a command; `started` if that is not plain. */
function partsIn(command: string, path: string): Part[] {
  const found: Part[] = [];
  const lines = command.split(/&&|\|\||;|\n/);
  for (const [index, line] of lines.entries()) {
    if (!names(line, path)) continue;
    const inner = [...line.matchAll(/\$\(([^()]*)\)|`([^`]*)`/g)].map((match) => match[1] ?? match[2] ?? '');
    const outer = line.replace(/\$\([^()]*\)|`[^`]*`/g, 'x');
    const isComparing = /^(if |while |! )*(test|\[\[?|case|diff|cmp)\s/.test(outer.trim());
    for (const [at, text] of inner.entries()) {
      if (!names(text, path)) continue;
      // Of two compared values, the first is the actual and the second is the expected one.
      const part = at > 0 ? 'compared' : isExamining(text) ? 'examined' : 'asked';
      found.push(isComparing ? part : 'started');
    }
    if (names(outer, path)) found.push(partInPipe(outer, path, lines.slice(index + 1).join('\n')));
  }
  return found.length === 0 ? ['started'] : found;
}

function partInPipe(line: string, path: string, later: string): Part {
  const stages = line.split('|');
  const at = stages.findIndex((stage) => names(stage, path));
  const stage = stages[at] ?? '';
  if (/^\s*(diff|cmp|comm)\s/.test(stage)) return 'compared';
  if (isExamining(stage)) return 'examined';
  const isJudged = stages
    .slice(at + 1)
    .some((next) => !/^\s*(tee|cat|tail|head|less|more|nl|ts)\b/.test(next));
  const output = /[^2&]>\s*["']?([\w./-]+)/.exec(stage)?.[1];
  return isJudged || (output !== undefined && later.includes(output)) ? 'asked' : 'started';
}

const checkers = wordsIn('programs', (each) => each.linters)
  .concat(wordsIn('programs', (each) => each.formatters))
  .join('|');

const examiners = new RegExp(
  String.raw`^\s*(?:(?:if|while|!|npx|pnpm|yarn|bunx|exec|time)\s+|\w+=\S*\s+)*(?:test|\[\[?|[ef]?grep|rg|ag|ls|stat|wc|cat|head|tail|file|jq|yq|awk|sed|cut|sort|sha\d*sum|md5sum|xmllint|shellcheck|${checkers}|markdownlint\S*|yamllint|actionlint|hadolint|node\s+--check|python3?\s+-m\s+(?:py_compile|json\.tool))\s`,
);

/** A file of patterns, settings or a program for such a tool decides its result. */
const steered = new RegExp(
  String.raw`\b(?:[ef]?grep|rg|awk|sed|jq|yq)\b.*\s(?:-f|--file|--from-file)[ =]|\b(?:${checkers}|markdownlint\S*|yamllint)\b.*\s(?:-c|-p|--config\S*|--project|--rulesdir|--settings)[ =]`,
);

function isExamining(stage: string): boolean {
  return examiners.test(stage) && !steered.test(stage);
}

/** As the command writes it: from its own folder, or by a detour. */
function names(text: string, path: string): boolean {
  return isAmong(
    wordsOf(text).map((word) => word.replace(/^(\.\.?\/)+/, '')),
    path,
  );
}
