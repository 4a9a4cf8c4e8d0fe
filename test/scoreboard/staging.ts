// The parts of one scenario: the repository, the checks, the script of its agent, and the expected outcome.
import { createChance } from '#testing/faults/chance.ts';
import type { FaultAgent, FaultGround } from '#testing/faults/fault.ts';
import { passes, saysDone } from '#testing/faults/fault.ts';
import { faultScript } from '#testing/faults/fault-agents.ts';
import { sampleTask } from '#testing/faults/sample-task.ts';
import type { CaseAgent, CaseEnd } from './cases/case.ts';
import { wayOf } from './cases/case.ts';
import { answers, scenes } from './cases/scenes.ts';
import type { Toolchain } from './cases/toolchains.ts';
import type { ProofKind } from '#kernel/model/outcome.ts';

export type BoardAgent = FaultAgent | CaseAgent;

export interface Staging {
  readonly goal: string;
  /** Of the base commit, and shell before it. */
  readonly files: { readonly [path: string]: string };
  readonly prepare: string;
  readonly checks: readonly string[];
  readonly heldOut: readonly string[];
  readonly flags: readonly string[];
  /** Must be as they were, unless they may change. */
  readonly pinned: readonly string[];
  readonly mayChange: readonly string[];
  /** Shell that ends with 0 where the work is really done. */
  readonly truth: string;
  readonly script: string;
  readonly language: string;
  /** The place of the way in the list of its agent, from 1; null for agents without ways. */
  readonly way: number | null;
  readonly ground: FaultGround;
  readonly end: CaseEnd;
  /** Null where any proof will do. */
  readonly proof: ProofKind | null;
  readonly hangs: boolean;
  readonly attemptsMin: number;
  readonly hasSecond: boolean;
}

export interface StagingOptions {
  readonly stateHome: string;
  readonly port: number;
  readonly toolchains: readonly Toolchain[];
}

/** Null where no language is here that the agent needs. */
export function stage(agent: BoardAgent, seed: number, options: StagingOptions): Staging | null {
  return 'ways' in agent ? stageCase(agent, seed, options) : stageFault(agent, seed, options);
}

function stageFault(agent: FaultAgent, seed: number, options: StagingOptions): Staging {
  const ground = groundOf(agent, seed);
  const languages = (['node', 'python', 'sh'] as const).filter((name) => options.toolchains.includes(name));
  const sample = sampleTask(createChance(seed * 7919 + 17), { ...options, ground, languages });
  return {
    ...sample,
    prepare: '',
    flags: sample.mayChange.flatMap((glob) => ['--may-change', glob]),
    truth: sample.task.truth,
    script: faultScript(agent, sample.task, seed),
    language: '',
    way: null,
    ground,
    end: agent.isHonest ? 'completed' : 'refused',
    proof: null,
    hangs: agent.hangs === true,
    attemptsMin: agent.attemptsMin ?? 1,
    hasSecond: agent.second !== undefined,
  };
}

/** Where an agent has several, seeds take turns. */
function groundOf({ ground }: FaultAgent, seed: number): FaultGround {
  if (typeof ground === 'string') return ground;
  return ground[seed % ground.length] ?? ground[0];
}

function stageCase(agent: CaseAgent, seed: number, { toolchains }: StagingOptions): Staging | null {
  const way = wayOf(agent, seed, toolchains);
  if (way === null) return null;
  const scene = scenes[way.in];
  const files = Object.entries({ ...scene.files, ...way.files });
  return {
    goal: way.goal ?? 'write add',
    files: Object.fromEntries(files.flatMap(([path, text]) => (text === null ? [] : [[path, text]]))),
    prepare: way.prepare ?? '',
    checks: way.checks ?? [scene.check],
    heldOut: [],
    flags: way.flags ?? [],
    pinned: [],
    mayChange: [],
    truth: way.truth ?? `test "$(${scene.ask})" = '${answers}'`,
    script: `cat > /dev/null\nif [ "$UNTILDONE_ROLE" = builder ]; then\n${way.work}\n${saysDone}\nelse\n${passes}\nfi\n`,
    language: way.in,
    way: agent.ways.indexOf(way) + 1,
    ground: 'red',
    end: way.end ?? agent.end,
    proof: way.proof ?? null,
    hangs: false,
    attemptsMin: 1,
    hasSecond: false,
  };
}
