// Creates the state of a run before its first event.
import { emptyLedger } from '#kernel/model/budget.ts';
import type { RunConfig } from '#kernel/model/config.ts';
import { emptyHistory } from './run-history.ts';
import { emptyPlan } from '#kernel/planning/plan-state.ts';
import type { Run } from './run.ts';

export function createRun(id: string, config: RunConfig, createdAt: number): Run {
  return {
    id,
    config,
    createdAt,
    now: createdAt,
    lagMs: 0,
    events: 0,
    epoch: 0,
    activeMs: 0,
    isDriven: false,
    base: null,
    tip: null,
    tasks: new Map(),
    queue: { ready: [], active: new Set(), dependents: new Map(), unfinished: 0 },
    plan: emptyPlan(),
    running: new Map(),
    stepsStarted: 0,
    ordinals: new Map(),
    sessions: [],
    history: emptyHistory(),
    ledger: emptyLedger(),
    budget: config.budget,
    controls: new Map(),
    asked: new Map(),
    pending: [],
    limitedUntil: null,
    paused: null,
    suspensions: new Map(),
    agentSuspensions: 0,
    stopping: null,
    movedBranch: new Set(),
    tampering: [],
    proposals: new Map(),
    arePinsDue: false,
    messages: [],
    acceptance: null,
    trouble: null,
    outcome: null,
    landings: [],
    reopenings: [],
    approval: null,
    forked: null,
    cleaned: null,
  };
}
