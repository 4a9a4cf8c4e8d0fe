// Which of the files that a check names are the work itself. Pure.
//
// To pin those would refuse every honest change; to leave out one too many lets the worker write its own verdict. So a file
// counts as work only where its part in the command is plain:
// - examined: a tool looks at it (`grep -q x README.md`, `test -f a`, `eslint a.js`);
// - asked: it is started, and something else judges what it prints (`node a.js | grep x`, `[ "$(sh a.sh)" = x ]`,
//   `node a.js > out && diff out expected`); a pipe into `tee` judges nothing;
// - a source (`src/`, `lib/`, …) that is started and judged by how it ends.
// Whatever else a command starts decides it, and so does what is called expected, golden, baseline, limit and the like, and what is
// called a test or a check. Where that is wrong, the work is red and says which file; `mayChange` names it. What these rules
// let through although it decides (a judge in `src/` by an innocent name) is for held-out checks and reviewers.
import { posix } from 'node:path';
import { wordsIn } from '#analysis/ecosystems/ecosystems.ts';
import { isAmong } from '#analysis/texts/path-words.ts';
import { isTest } from '#analysis/test-files/test-names.ts';
import { wordsOf } from './pin-rules.ts';

const sources = /(^|\/)(src|lib|apps?|pkg|cmd|internal|sources?)\//;
const tools = /(^|\/)(scripts?|tools?|ci|bin|hack|checks?|\.[^/]+)\//;
/** Made for tests, wherever it lies; the second group could be anything where the sources are. */
const forTests =
  /(^|\/)(test-?utils?|fixtures?|goldens?|snapshots?)\/|(^|\/)[^/]*(test-?utils?|test-?helpers?|test-?setup)[^/]*$/i;
const besideTests = /(^|\/)(testing|mocks?|helpers?|support|harness|cases|vectors|corpus)\//i;
/** What something is compared with. */
const reference =
  /(^|[/._-])(thresholds?|limits?|baselines?|expect(ed|ations?)|goldens?|reference|budgets?|(allow|deny|ignore)-?list)([/._-]|$)/i;
const judgeName =
  /(^|[^a-z])(test|spec|check|verify|assert|e2e|grade|grader|judge|score|eval|prove|accept|acceptance|smoke|audit)s?([^a-z]|$)/i;
/** Programs are called so too. */
const weakJudgeName = /(^|[^a-z])(lint|validate|run|ci|all|bench)s?([^a-z]|$)/i;

const inputs = /(^|\/)(fixtures?|goldens?)\//i;
const results = /(^|\/)snapshots?\/|(^|[/._-])(baselines?|expect(ed|ations?)|goldens?)([/._-]|$)/i;
const code =
  /\.([cm]?[jt]sx?|vue|svelte|py|rb|php|go|rs|java|kt|scala|cs|cc?|cpp|h|hpp|swift|exs?|erl|dart|sh)$/;

/** Inputs and expected results of tests, by where they lie. */
export function isTestData(path: string): boolean {
  if (inputs.test(path)) return !(sources.test(path) && code.test(path));
  if (code.test(path)) return false;
  return results.test(path) || (!sources.test(path) && besideTests.test(path));
}

/** Who names the file: the command line of a check, a test, or a script that the check runs. */
export type Namer = { readonly command: string } | { readonly file: string };

export function isNamedWork(path: string, namer: Namer): boolean {
  const isSource = sources.test(path);
  if (isTest(path) || forTests.test(path) || isRecipe(path)) return false;
  if (reference.test(path) && !isSource) return false;
  if ('command' in namer) return isWorkOf(namer.command, path);
  if (!isSource && besideTests.test(path)) return false;
  // Tests import what they test.
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

/** In a folder of their own, what a script names belongs to it; in the root everything lies side by side. */
function isBeside(path: string, script: string): boolean {
  const folder = posix.dirname(script);
  return folder !== '.' && posix.dirname(path) === folder;
}

type Part = 'examined' | 'asked' | 'compared' | 'started';

/** What each mention of the file in a command is for; `started` where that is not plain. */
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
      // Of two that are compared, the first is what is asked and the second is what it should have said.
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

/** A file of patterns, settings or a program for such a tool decides what it says. */
const steered = new RegExp(
  String.raw`\b(?:[ef]?grep|rg|awk|sed|jq|yq)\b.*\s(?:-f|--file|--from-file)[ =]|\b(?:${checkers}|markdownlint\S*|yamllint)\b.*\s(?:-c|-p|--config\S*|--project|--rulesdir|--settings)[ =]`,
);

function isExamining(stage: string): boolean {
  return examiners.test(stage) && !steered.test(stage);
}

/** As the command writes it: from its own folder, or by a way around. */
function names(text: string, path: string): boolean {
  return isAmong(
    wordsOf(text).map((word) => word.replace(/^(\.\.?\/)+/, '')),
    path,
  );
}
