// A program that uses the library, as a user writes one. Its types are checked against the packed package.
import { setTimeout as sleep } from 'node:timers/promises';
import { existsSync, writeFileSync } from 'node:fs';
import { OperatorError, run } from 'untildone';
import type { Event, Outcome, ProofKind, RunOptions, RunResult } from 'untildone';

interface Order {
  readonly options: RunOptions;
  /** Aborted when this file is there. */
  readonly abortAt?: string;
  readonly isAbortedBefore?: boolean;
  /** The callback throws at this fact. */
  readonly throwAt?: Event['type'];
  /** The callback returns a promise that rejects at this fact. */
  readonly rejectAt?: Event['type'];
  /** How many calls at the same moment. */
  readonly times?: number;
}

type Answer =
  | { readonly result: RunResult }
  | { readonly error: { name: string; code: string | null; message: string; hint: string | null } };

const [orderText = '', answerFile = ''] = process.argv.slice(2);
const order = JSON.parse(orderText) as Order;
const events: Event[] = [];
const notes: string[] = [];

async function call(): Promise<Answer> {
  const abort = new AbortController();
  if (order.isAbortedBefore === true) abort.abort(new Error('not now'));
  const over = new AbortController();
  void watch(abort, over.signal);
  try {
    const result = await run({
      ...order.options,
      signal: abort.signal,
      onNote: (text) => void notes.push(text),
      onEvent: (event) => {
        events.push(event);
        if (event.type === order.throwAt) throw new RangeError(`thrown at ${event.type}`);
        return event.type === order.rejectAt ? rejectLater(event.type) : undefined;
      },
    });
    return { result };
  } catch (error) {
    if (error instanceof OperatorError) {
      const { name, code, message, hint } = error;
      return { error: { name, code, message, hint } };
    }
    const { name, message } = error as Error;
    return { error: { name, code: null, message, hint: null } };
  } finally {
    over.abort();
  }
}

async function rejectLater(type: string): Promise<void> {
  await sleep(20);
  throw new RangeError(`rejected at ${type}`);
}

async function watch(abort: AbortController, over: AbortSignal): Promise<void> {
  while (order.abortAt !== undefined && !over.aborted) {
    if (existsSync(order.abortAt)) return abort.abort();
    await sleep(20);
  }
}

const answers = await Promise.all(Array.from({ length: order.times ?? 1 }, call));
writeFileSync(answerFile, JSON.stringify({ answers, events, notes }));

// What a caller may write, and what the compiler refuses. Never called.
export async function typed(): Promise<void> {
  const agents: RunOptions['agent'][] = ['claude', ['claude', 'verifier=codex'], { builder: 'claude:opus' }];
  const { outcome, proof, branch, commits, cost, runId } = await run({
    goal: 'g',
    checks: ['npm test'],
    budget: { usd: 5, sessions: 3 },
    cwd: '.',
    flags: { maxLoops: '3', sandbox: 'none' },
  });
  const ending: Outcome | 'parked' | 'paused' = outcome;
  const kind: ProofKind | null = proof;
  const dollars: number | null = cost.usd;
  const made: readonly string[] = commits;
  const name: string | null = branch;
  const id: string = runId;
  writeFileSync(answerFile, JSON.stringify({ agents, ending, kind, dollars, made, name, id }));
  await run({ taskFile: 'tasks.md', agent: 'claude' });
  // @ts-expect-error a goal or a task file is needed
  await run({ checks: ['npm test'] });
  await run({ goal: 'g', checks: 'npm test', flags: { copy: '.env' } });
  // @ts-expect-error checks are texts
  await run({ goal: 'g', checks: [1] });
  // @ts-expect-error an unknown flag
  await run({ goal: 'g', flags: { maxLops: '1' } });
  // @ts-expect-error an unknown limit
  await run({ goal: 'g', budget: { dollars: 5 } });
  // @ts-expect-error an unknown option
  await run({ goal: 'g', cheks: [] });
  // @ts-expect-error not every outcome is a success
  const always: 'completed' = outcome;
  // @ts-expect-error the cost may be unknown
  const sum: number = cost.usd;
  writeFileSync(answerFile, `${always} ${sum}`);
}
