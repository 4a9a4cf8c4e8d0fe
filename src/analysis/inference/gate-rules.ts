import type { GateCheck } from '#kernel/model/check.ts';
import type { RepositoryFacts } from './facts.ts';
import { isCompiler } from '#analysis/ecosystems/gates/find-ways.ts';
import { ask, type Inference, understood } from './inference.ts';
import { matchWhole, patterns } from './match.ts';
import type { Sentence } from './sentence.ts';

type Kind = GateCheck['gate'];

const problems = 'errors|problems|issues|violations|findings|complaints|failures';
const parts = {
  all: "(?:all|full|whole|entire|complete|existing|current|automated|project's|repository's|of|our|unit|project|every) ",
  tests: 'tests|test suites?|specs|test cases',
  lint: 'lint|linter|linting|lint checks?|linters|lint run|lint step',
  types:
    'types|type checks?|typechecks?|type-checks?|type checking|type-checking|typechecking|type checker|typing',
  build: '(?:(?:production|project) )?build',
  code: 'code|codebase|code base|project|source|sources|source code|repository|repo|everything|whole project|app|application|package|library|crate|service|program|site|it',
  fine: `passes|all passes|is passing|is all passing|is green|is all green|is clean|succeeds|is successful|stays green|remains green|keeps passing|continues to pass|runs clean|runs cleanly|is ok|completes|completes cleanly|passes cleanly|(?:passes|completes|runs|succeeds|finishes) (?:without|with no|with zero) (?:any )?(?:${problems})`,
  problems,
  none: 'no|zero|0',
};

const sentences: Readonly<Record<Kind, readonly RegExp[]>> = {
  tests: patterns(
    parts,
    '(?:{all})*(?:{tests}) (?:{fine})',
    '(?:there is )?(?:{none}) (?:failing tests|test failures|tests? fails?|broken tests)',
    '(?:{code}) passes (?:all )?(?:its |our )?(?:{all})*(?:{tests})',
    '(?:{all})*(?:{tests}) (?:has|shows|reports) (?:{none}) failures',
    '(?:every|each) (?:unit )?test passes',
  ),
  lint: patterns(
    parts,
    '(?:{lint}) (?:{fine})',
    '(?:{lint}) (?:reports|finds|shows|has|gives|produces|emits|raises) (?:{none}) (?:{problems})',
    '(?:there is |(?:{code}) has )?(?:{none}) (?:lint|linter|linting) (?:{problems})(?: (?:remain|remains|exists|is left|is reported|is introduced))?',
    '(?:{code}) (?:passes (?:{lint})|is lint-free|is lint free|lints cleanly|is lint clean|is lint-clean|lints without errors)',
    '(?:{code}) is free of (?:lint|linter|linting) (?:{problems})',
  ),
  types: patterns(
    parts,
    '(?:{types}) (?:{fine})',
    'types (?:check|checks|type-check|typecheck)(?: cleanly| out)?',
    '(?:{types}) (?:reports|finds|shows|has|gives|produces|emits|raises) (?:{none}) (?:{problems})',
    '(?:there is |(?:{code}) has )?(?:{none}) (?:type|typing|typescript|type checking|type-checking) (?:{problems})(?: (?:remain|remains|exists|is left|is reported|is introduced))?',
    '(?:{code}) (?:passes (?:{types})|type-checks|typechecks|type checks)(?: cleanly| without errors| with no errors)?',
  ),
  build: patterns(
    parts,
    '(?:{build}) (?:{fine}|works)',
    '(?:{code}) builds(?: cleanly| without (?:any )?errors| with no errors| fine)?',
    '(?:there is )?(?:{none}) build errors',
  ),
};

// The compiler is the build there; elsewhere "compiles" may mean either.
const compiled = patterns(
  parts,
  '(?:{code}) compiles(?: cleanly| without (?:any )?errors| with no errors)?',
  '(?:there is )?(?:{none}) (?:compiler|compile|compilation) errors',
);

/** Below this the command is a guess, and a person should decide. */
const confidenceMin = 0.7;

export function inferGate(sentence: Sentence, facts: RepositoryFacts): Inference | null {
  const kind = kindOf(sentence, facts);
  if (kind === null) return null;
  const gate = facts.gates.find((one) => one.gate === kind);
  if (gate === undefined) return ask(`no command for ${kind} was found in the repository's files`);
  if (gate.confidence < confidenceMin) return ask(`it is not certain how to run ${kind}: ${gate.why}`);
  const check: GateCheck = { kind: 'gate', gate: kind, run: gate.run, cwd: '', timeoutMs: facts.timeoutMs };
  return understood([check], gate.confidence, `it names ${kind}, and ${gate.why}`);
}

function kindOf(sentence: Sentence, facts: RepositoryFacts): Kind | null {
  const namedGate = (['tests', 'lint', 'types', 'build'] as const).find(
    (kind) => matchWhole(sentence, sentences[kind]) !== null,
  );
  if (namedGate !== undefined) return namedGate;
  const types = facts.gates.find(({ gate }) => gate === 'types');
  const isCompiled = types !== undefined && isCompiler(types.run);
  return isCompiled && matchWhole(sentence, compiled) !== null ? 'build' : null;
}
