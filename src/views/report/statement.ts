// The evidence of a run as an in-toto statement: what was proven about which commit, for other tools.
import { knownUsd } from '#kernel/model/budget.ts';
import type { RunConfig } from '#kernel/model/config.ts';
import type { FlakyPolicy } from '#kernel/model/flaky.ts';
import type { Criterion, Evidence } from '#kernel/model/criterion.ts';
import type { Outcome, ProofKind } from '#kernel/model/outcome.ts';
import type { Run } from '#kernel/fold/run.ts';
import { sessionsJson } from './agents.ts';
import { criteriaOf } from '#views/status/criteria.ts';
import { isAcceptedOnReview, proofOf } from './proof.ts';
import { reviewsOf } from './reviews.ts';
import { isProtected } from './sandbox.ts';
import type { TamperView } from './tamper-ledger.ts';
import { tamperLedger } from './tamper-ledger.ts';
import { utc } from '#views/words.ts';
import type { CommittedTree } from '#kernel/model/base.ts';
import type { StatusName } from '#kernel/model/task.ts';

export const statementType = 'https://in-toto.io/Statement/v1';
export const testResultType = 'https://in-toto.io/attestation/test-result/v0.1';

export interface Statement {
  readonly _type: typeof statementType;
  /** The commit, then its tree. */
  readonly subject: readonly {
    readonly name: string;
    readonly digest: { readonly [kind: string]: string };
  }[];
  readonly predicateType: typeof testResultType;
  readonly predicate: {
    readonly result: 'PASSED' | 'WARNED' | 'FAILED';
    readonly configuration: readonly {
      readonly name: string;
      readonly digest: { readonly sha256: string };
    }[];
    readonly passedTests: readonly string[];
    readonly warnedTests: readonly string[];
    readonly failedTests: readonly string[];
    readonly untildone: RunProof;
  };
}

/** Everything needed to verify again without the journal, and context for a reader. */
export interface RunProof {
  readonly format: 1;
  readonly version: string;
  readonly run: {
    readonly id: string;
    readonly preset: string;
    readonly goal: string;
    readonly startedAt: string;
    readonly endedAt: string;
    readonly outcome: Outcome | null;
    /** What the outcome rests on: the weakest proof of the tasks; null if there is none. */
    readonly proof: ProofKind | null;
    readonly reason: string;
  };
  readonly base: CommittedTree;
  /** The run's own commit, if this one is a merge of it. */
  readonly landed: { readonly commit: string; readonly onto: string } | null;
  readonly prefix: string;
  readonly setup: RunConfig['setup'];
  /** Names of the additional variables that checks saw; never their values. */
  readonly environment: readonly string[];
  readonly knownRed: 'all' | readonly string[];
  readonly mayChange: readonly string[];
  readonly flaky: FlakyPolicy | null;
  readonly tasks: readonly ProvenTask[];
  readonly evidence: readonly Omit<Evidence, Printed>[];
  readonly tampering: readonly TamperView[];
  readonly reviews: readonly object[];
  readonly sessions: readonly object[];
  readonly cost: object;
  /** Whether the agents had no access to our own state. */
  readonly protected: boolean;
}

export interface ProvenTask {
  readonly id: string;
  readonly title: string;
  readonly status: StatusName;
  readonly commit: string | null;
  readonly mayChange: readonly string[];
  readonly criteria: readonly Criterion[];
  readonly skips: readonly {
    readonly criterionId: string;
    readonly by: string;
    readonly why: string;
    readonly approvedBy: 'person' | 'policy';
  }[];
}

export interface StatementOrder {
  readonly subject: CommittedTree;
  readonly landedOnto: string | null;
  readonly version: string;
  /** Hex sha256 of the frozen configuration and of the criteria. */
  readonly configDigest: string;
  readonly criteriaDigest: string;
}

export function statementOf(run: Run, order: StatementOrder): Statement {
  const criteria = criteriaOf(run);
  const name = (one: (typeof criteria)[number]): string => `${one.taskId}/${one.id}`;
  const isFine = (one: (typeof criteria)[number]): boolean => one.state === 'pass';
  const failed = criteria.filter((one) => one.required && !isFine(one));
  const warned = criteria.filter((one) => !one.required && !isFine(one));
  const isCompleted = run.outcome?.outcome === 'completed' && failed.length === 0;
  // An accepted review is no passed test.
  const isWarned = warned.length > 0 || isAcceptedOnReview(run);
  return {
    _type: statementType,
    subject: [
      { name: `commit of the run ${run.id}`, digest: { gitCommit: order.subject.commit } },
      { name: `tree of the run ${run.id}`, digest: { gitTree: order.subject.tree } },
    ],
    predicateType: testResultType,
    predicate: {
      result: isCompleted ? (isWarned ? 'WARNED' : 'PASSED') : 'FAILED',
      configuration: [
        { name: 'untildone configuration', digest: { sha256: order.configDigest } },
        { name: 'criteria', digest: { sha256: order.criteriaDigest } },
      ],
      passedTests: criteria.filter(isFine).map(name),
      warnedTests: warned.map(name),
      failedTests: failed.map(name),
      untildone: runProof(run, order),
    },
  };
}

function runProof(run: Run, order: StatementOrder): RunProof {
  const { config } = run;
  const tip = run.tip?.commit ?? order.subject.commit;
  return {
    format: 1,
    version: order.version,
    run: {
      id: run.id,
      preset: config.preset,
      goal: config.goal,
      startedAt: utc(run.createdAt),
      endedAt: utc(run.history.endedAt ?? run.now),
      outcome: run.outcome?.outcome ?? null,
      proof: proofOf(run),
      reason: run.outcome?.reason ?? 'not over',
    },
    base: { commit: run.base?.commit ?? '', tree: run.base?.tree ?? '' },
    landed: order.landedOnto === null ? null : { commit: tip, onto: order.landedOnto },
    prefix: config.repo.prefix,
    setup: config.setup,
    environment: namesOf(config.checkEnv),
    knownRed: config.knownRed,
    mayChange: config.mayChange,
    flaky: config.flaky ?? null,
    tasks: [...run.tasks.values()].map(({ spec, status, commit, skips }) => ({
      id: spec.id,
      title: spec.title,
      status: status.is,
      commit,
      mayChange: spec.mayChange,
      criteria: spec.criteria,
      skips: [...skips].map(([criterionId, skip]) => ({ criterionId, ...skip })),
    })),
    evidence: evidenceOf(run),
    tampering: tamperLedger(run),
    reviews: reviewsOf(run).map(({ text: _text, ...review }) => review),
    sessions: sessionsJson(run),
    cost: {
      ...run.ledger.spent,
      usd: knownUsd(run.ledger),
      usdIsComplete: run.ledger.usdIsComplete,
      activeMs: run.activeMs,
    },
    protected: isProtected(config),
  };
}

type Printed = 'tail' | 'excerpt' | 'cause' | 'log' | 'environment';

/** Without output: it is long, and was not searched for secrets. */
function evidenceOf(run: Run): Omit<Evidence, Printed>[] {
  return [...run.tasks.values()].flatMap((task) =>
    [...task.evidence.values()].flatMap((evidence) =>
      [evidence.base, evidence.attempt, evidence.acceptance].flatMap((one) => {
        if (one === undefined) return [];
        const {
          tail: _tail,
          excerpt: _excerpt,
          cause: _cause,
          log: _log,
          environment: _environment,
          ...rest
        } = one;
        return [rest];
      }),
    ),
  );
}

function namesOf(env: Run['config']['checkEnv']): string[] {
  const names = Array.isArray(env) ? (env as readonly string[]) : Object.keys(env);
  return names.map((entry) => entry.split('=')[0] ?? entry);
}
