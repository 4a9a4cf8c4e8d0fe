import { factsOf } from '#analysis/ecosystems/ecosystems.ts';
import type { CommandCheck } from '#kernel/model/check.ts';
import type { RepositoryFacts } from './facts.ts';
import { ask, type Inference, understood } from './inference.ts';
import { certainty, matchWhole, patterns } from './match.ts';
import { isCommand } from './names.ts';
import type { Sentence, Token } from './sentence.ts';

const parts = {
  lead: '(?:running|executing|run|execute|invoking|calling) ',
  noun: '(?:cli |shell |console |npm |make )?(?:command|script|cli|task|target)',
  fine: 'passes|succeeds|works|is green|is clean|is successful|runs|runs clean|runs cleanly|completes|finishes|is passing|exits 0|exits with 0|exits (?:with )?(?:exit |status )?(?:code|status) (?:0|zero)|returns (?:0|exit code 0|status 0)|exits cleanly|exits|does not fail|terminates with (?:exit )?(?:code|status) 0|has exit code 0|(?:runs|passes|completes|finishes|exits|succeeds) (?:without|with no|with zero) (?:any )?(?:errors|failures|problems|issues)|reports no errors',
};

const commands = patterns(
  parts,
  '(?:{lead})?(?:{noun} )?@command@(?: {noun})? (?<how>{fine})',
  '{lead}(?:{noun} )?@command@ (?:and )?it (?<how>{fine})',
);

/** "`npm run lint` passes": the command itself. Criteria about its output are not covered. */
export function inferCommand(sentence: Sentence, facts: RepositoryFacts): Inference | null {
  const found = matchWhole(sentence, commands);
  const token = found?.token('command') ?? null;
  if (found === null || token === null || found.word('how') === 'exits') return null;
  if (!isCommand(token.text, facts)) return null;
  const problem = problemOf(token, facts);
  if (problem !== null) return ask(`\`${token.text}\` ${problem}`);
  const check: CommandCheck = {
    kind: 'command',
    run: token.text.trim(),
    cwd: '',
    timeoutMs: facts.timeoutMs,
  };
  return understood([check], certainty(token), `it names the command ${check.run}`);
}

const endless =
  /(?:^|[\s:])(?:start|dev|serve|watch|preview|up|runserver|bootRun|spring-boot:run|http\.server)(?:\s|$)/;
const outward = /(?:^|[\s:])(?:push|apply|rm|destroy)(?:\s|$)|\b(?:publish|deploy|release)\b(?<!--release)/;
const placeholder = /<[^>]*>|\[[^\]]*\]|(?:^|\s)(?:\.\.\.|…|[A-Z][A-Z_]{2,})(?=\s|$)|=[A-Z_]{3,}\b/;

/** Never ends, changes the outside world, has blanks to fill in, or belongs to another kind of repository. */
function problemOf({ text, isQuoted }: Token, facts: RepositoryFacts): string | null {
  if (endless.test(text) || text === facts.serve)
    return 'may never end: say what it must answer, and how long it may take';
  if (outward.test(text) && !/--dry-run\b/.test(text))
    return 'changes more than this checkout, so it is no check';
  if (facts.programs.includes(text.trim()))
    return 'says nothing of what it is asked to do: give its arguments';
  if (placeholder.test(text)) return 'has a blank to fill in: write the whole command';
  const needed = manifests.find(([program]) => program.test(text))?.[1];
  if (needed !== undefined && !facts.files.some((file) => needed.test(file)))
    return 'is of no use here: its own file is missing';
  return !isQuoted && narrow.some((command) => command.test(text))
    ? 'looks at one folder alone: say ./... or name a target'
    : null;
}

const manifests = factsOf('gates').flatMap((each) => each.needs ?? []);
const narrow = factsOf('gates').flatMap((each) => each.narrow ?? []);
