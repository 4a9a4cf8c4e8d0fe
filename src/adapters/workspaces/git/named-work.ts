// Which of the files that a check names are the work itself. To pin those would refuse every honest change. Pure.
import { posix } from 'node:path';
import { isTest } from './pin-rules.ts';

const sources = /(^|\/)(src|lib|apps?|pkg|cmd|internal|sources?)\//;
const forTests =
  /(^|\/)(test-?utils?|testing|fixtures?|mocks?|helpers?|support|harness)\/|(^|\/)[^/]*(test-?utils?|test-?helpers?|test-?setup)[^/]*$/i;
const tools = /(^|\/)(scripts?|tools?|ci|bin|hack|checks?|\.[^/]+)\//;
const judgeName = /(^|[^a-z])(test|spec|check|verify|lint|assert|validate|e2e|run|ci|all)s?([^a-z]|$)/i;

/** Who names the file: the command line of a check, a test, or a script that the check runs. */
export type Namer = { readonly command: string } | { readonly file: string };

export function isNamedWork(path: string, namer: Namer): boolean {
  if (isTest(path) || forTests.test(path)) return false;
  if ('command' in namer) return !isJudge(path) && (sources.test(path) || isOutputJudged(namer.command));
  // Tests import what they test.
  if (isTest(namer.file)) return !tools.test(path) || sources.test(path);
  return !isJudge(path) && (sources.test(path) || !isBeside(path, namer.file));
}

function isJudge(path: string): boolean {
  return (!sources.test(path) && tools.test(path)) || judgeName.test(posix.basename(path)) || isRecipe(path);
}

function isRecipe(path: string): boolean {
  return /(^|\/)(GNUmakefile|[Mm]akefile|\.?[Jj]ustfile|Taskfile\.ya?ml)$/.test(path);
}

/** In a folder of their own, what a script names belongs to it; in the root everything lies side by side. */
function isBeside(path: string, script: string): boolean {
  const folder = posix.dirname(script);
  return folder !== '.' && posix.dirname(path) === folder;
}

/** `node greet.js | grep hello`, `test "$(sh greet.sh)" = hello`: what is started there is asked, it does not decide. */
function isOutputJudged(command: string): boolean {
  return /[^|]\|[^|]|\$\(|`/.test(command);
}
