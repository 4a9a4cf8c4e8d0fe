// Simulated session hosts that outlive the driver: they end the session and leave a receipt, unless they are
// killed too.
import type { SessionEnding } from '#kernel/model/ending.ts';
import type { SessionResult } from '#kernel/model/step.ts';
import type { LostSession, RunningSession, SessionStep, Sessions } from '#ports/sessions.ts';
import { behave } from './agent.ts';
import type { Behaviour } from './agent.ts';
import { think } from './architect.ts';
import type { LedgerSession } from './ledger.ts';
import { judgeSessionStart, judgeSpending } from './oracle.ts';
import type { Incarnation, Universe } from './universe.ts';
import { filesIn, never, pass, survives, worktreeOf } from './universe.ts';
import { limited } from './waiting/usage-limits.ts';

type Deliver = (end: SessionResult | LostSession) => void;

/** Who waits for the end of which session; gone with the driver that waits. */
const listeners = new WeakMap<LedgerSession, Deliver>();

export function simulatedSessions(universe: Universe, incarnation: Incarnation): Sessions {
  return {
    warm: () => {},
    start(step, { epoch }) {
      if (!survives(universe, incarnation)) return dead();
      // A host knows the newest driver and works for no older one.
      if (epoch < universe.ledger.view.epoch) return finished(lost('a newer driver has taken over'));
      const session = launch(universe, incarnation, step);
      if (!survives(universe, incarnation)) return dead();
      return session;
    },
    async adopt(step) {
      if (!survives(universe, incarnation)) return never();
      const session = universe.ledger.sessions.get(step.stepId);
      if (universe.faults.hostsOverlap !== true) {
        while (session?.isAlive === true) {
          await pass(universe, incarnation, 5);
          if (session.by !== incarnation.number) end(universe, session, cancelled(universe, session));
        }
      }
      if (!survives(universe, incarnation)) return never();
      if (universe.faults.receiptIsIgnored === true) return lost('no receipt was looked for');
      return session?.receipt ?? lost('nothing is left of it');
    },
    async close() {
      if (incarnation.isDead) return never();
      for (const session of universe.ledger.alive)
        if (session.by === incarnation.number) end(universe, session, cancelled(universe, session));
    },
  };
}

/** The driver is gone: each of its hosts notices, ends the session and writes the receipt. */
export function orphan(universe: Universe, incarnation: Incarnation): void {
  for (const session of universe.ledger.alive) {
    if (session.by !== incarnation.number) continue;
    universe.schedule.after(1 + universe.random.int(120), () =>
      end(universe, session, cancelled(universe, session)),
    );
  }
}

/** The power is gone: hosts die without a receipt. */
export function killHosts(universe: Universe): void {
  for (const session of universe.ledger.alive) end(universe, session, null);
}

function launch(universe: Universe, incarnation: Incarnation, step: SessionStep): RunningSession {
  const { ledger, random, plan } = universe;
  const worktree = worktreeOf(universe, incarnation, step.stepId);
  const files = filesIn(universe, worktree);
  const behaviour = limited(
    universe,
    step.taskId === null ? think(universe, step, files) : behave(random, step, files),
  );
  const session: LedgerSession = {
    step,
    worktree,
    by: incarnation.number,
    isAlive: true,
    receipt: null,
    texts: [],
    willCostUsd: behaviour.costUsd,
  };
  judgeSessionStart(universe, session);
  ledger.sessions.set(step.stepId, session);
  ledger.alive.add(session);
  universe.counts.sessions += 1;
  universe.trace(() => `session ${step.stepId} starts in ${worktree} on ${filesIn(universe, worktree)}`);
  const ended = new Promise<SessionResult | LostSession>((resolve) => {
    listeners.set(session, (result) => {
      if (!incarnation.isDead) resolve(result);
    });
  });
  const hostDies = !universe.isCalm && random.chance(0.015);
  universe.schedule.after(behaviour.durationMs, () =>
    end(universe, session, hostDies ? null : resultOf(universe, session, behaviour)),
  );
  const heard = new Set<string>();
  return {
    ended,
    steer(steer) {
      if (steer.kind === 'text') session.texts.push(steer.text);
      if (heard.has(steer.kind)) return;
      heard.add(steer.kind);
      const ending: SessionEnding | null =
        steer.kind === 'kill'
          ? { kind: 'cancelled', reason: steer.reason }
          : steer.kind === 'interrupt' && plan.temper.agentCanBeInterrupted
            ? { kind: 'interrupted', resumeId: `resume-${step.stepId}` }
            : null;
      if (ending === null) return;
      const cut = resultOf(universe, session, { ...behaviour, ending, signal: null });
      universe.schedule.after(1 + random.int(30), () => end(universe, session, cut));
    },
  };
}

/** Ends a session once; `result` is null when the host died and nothing is written down. */
function end(universe: Universe, session: LedgerSession, result: SessionResult | null): void {
  if (!session.isAlive) return;
  session.isAlive = false;
  session.receipt = result;
  universe.ledger.alive.delete(session);
  universe.ledger.spentUsd += session.willCostUsd;
  judgeSpending(universe);
  if (result?.endTree != null) universe.files.set(session.worktree, result.endTree);
  universe.trace(
    () =>
      `session ${session.step.stepId} ends: ${result === null ? 'host died' : `${result.ending.kind} ${result.signal?.kind ?? '-'} ${result.endTree ?? '?'}`}`,
  );
  listeners.get(session)?.(result ?? lost('its host died'));
}

function resultOf(universe: Universe, { step }: LedgerSession, behaviour: Behaviour): SessionResult {
  const { ending, signal, endTree, costUsd, resumeId } = behaviour;
  return {
    kind: 'session',
    ending,
    signal,
    usage: universe.plan.temper.agentTellsUsage
      ? { usd: costUsd, tokens: Math.floor(costUsd * 1000) }
      : { usd: null, tokens: null },
    endTree,
    log: `${step.stepId}.jsonl`,
    ran: { driver: 'simulated', model: null },
    ...(resumeId === undefined ? {} : { resumeId }),
  };
}

function cancelled(universe: Universe, session: LedgerSession): SessionResult {
  const files = filesIn(universe, session.worktree);
  return resultOf(universe, session, {
    durationMs: 0,
    ending: { kind: 'cancelled', reason: 'its driver was gone' },
    signal: null,
    endTree: files,
    costUsd: session.willCostUsd,
  });
}

function lost(reason: string): LostSession {
  return { kind: 'lost', reason, usage: null };
}

function finished(end: SessionResult | LostSession): RunningSession {
  return { ended: Promise.resolve(end), steer: () => {} };
}

function dead(): RunningSession {
  return { ended: never(), steer: () => {} };
}
