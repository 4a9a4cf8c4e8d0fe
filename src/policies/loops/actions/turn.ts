// One turn of the agent: how its sessions start, and what follows when they end.
import { present } from '#base/assert.ts';
import { beganWith } from '#kernel/proof/checkpoint.ts';
import { describeSessionEnding, isConversationGone } from '#kernel/model/ending.ts';
import type { Fact } from '#kernel/events/events.ts';
import type { ActionName, ActionReport, TurnWay } from '#kernel/actions/action.ts';
import { isCutShort, isIdleTurn } from '#kernel/actions/action-loop.ts';
import type { Move } from '#kernel/decide/policy.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import type { SessionOperation, SessionResult } from '#kernel/model/step.ts';
import { conversationOf as builderConversation } from '#kernel/fold/conversation.ts';
import { agentFor } from '#policies/fallbacks/agent-for.ts';
import { unreadable } from '#policies/loops/builder-session.ts';
import { conclude, giveUp, hopelessReason } from '#policies/loops/moves.ts';
import { recover } from '#policies/fallbacks/recover.ts';
import { mergeState } from '#kernel/actions/action-state.ts';
import { turnPrompt } from './turn-prompt.ts';
import { actionsOf, troublesMax } from './settings.ts';
import { hasMenu, questionOf, troubleQuestion } from './questions.ts';
import { timeoutNotice, wrapUpRequest } from './action-texts.ts';

/** Resumes the conversation if possible; otherwise a fresh session gets the state in its prompt. */
export function startTurn(
  run: Run,
  task: TaskState,
  turn: { readonly action: ActionName; readonly way: TurnWay; readonly attempt: number },
): Move {
  const { action, way, attempt } = turn;
  const role = present(run.config.roles['builder'], 'the preset has a builder');
  const tip = present(run.tip, 'a prepared run has a tip');
  const agent = agentFor(run, task, 'builder');
  const isOnTip = task.base?.commit === tip.commit || task.commit === tip.commit;
  const resume = conversationOf(task, agent);
  const before = resume === null && task.workTree !== null ? beganWith(run, task) : null;
  const operation: SessionOperation = {
    kind: 'session',
    role: 'builder',
    attempt,
    ordinal: (run.ordinals.get('builder') ?? 0) + 1,
    agent,
    prompt: turnPrompt(run, task, { action, way, isResumed: resume !== null, showsChanges: before !== null }),
    readOnly: false,
    words: role.words,
    limits: limitsOf(run, way),
    resume,
    turn: { action, way },
    ...(before === null ? {} : { shows: { files: [], before } }),
  };
  return {
    kind: 'start',
    deed: operation,
    baseTree: isOnTip && task.workTree !== null ? task.workTree : tip.tree,
  };
}

/** A conversation belongs to one task and one agent; another agent starts a new one. */
function conversationOf(task: TaskState, agent: SessionOperation['agent']): string | null {
  const interrupted = builderConversation(task, agent);
  if (interrupted !== null) return interrupted.id;
  const { conversation } = task.actions;
  const isOwn = conversation?.agent.name === agent.name && conversation.agent.model === agent.model;
  return isOwn ? conversation.id : null;
}

/** The shorter of the session's and the turn's limit holds. A request to wrap up gets the grace time. */
function limitsOf(run: Run, way: TurnWay): SessionOperation['limits'] {
  const { limits } = present(run.config.roles['builder'], 'the preset has a builder');
  const { turnTimeoutMs } = actionsOf(run);
  const wallMs = Math.min(limits.wallMs, turnTimeoutMs);
  if (way === 'converge') return { ...limits, wallMs: Math.min(wallMs, limits.graceMs) };
  const setting = turnTimeoutMs < limits.wallMs ? 'actions.turnTimeout' : 'session.timeout';
  return { ...limits, wallMs, wrapUp: { text: wrapUpRequest, notice: timeoutNotice, setting } };
}

export function afterTurn(run: Run, task: TaskState, build: SessionResult): Move {
  const { action } = present(task.actions.turn, 'a turn is under way');
  const again = (way: TurnWay): Move => startTurn(run, task, { action, way, attempt: task.attempt });
  const { ending } = build;
  if (isConversationGone(ending) || ending.kind === 'interrupted' || ending.kind === 'cancelled')
    return again('asked');
  const hopeless = hopelessReason(ending);
  if (hopeless !== null) return giveUp(task, 'failed', hopeless);
  if (task.provider.transientError?.role === 'builder')
    return recover(run, task, task.provider.transientError) ?? again('asked');
  if (isCutShort(build)) return afterCut(task, build, again);
  if (build.endTree === null) return conclude(failedTurn(run, task, unreadable));
  if (ending.kind !== 'finished')
    return conclude(failedTurn(run, task, `the session ${describeSessionEnding(ending)}`));
  return afterAnswer(run, task, build, again);
}

/** Timeouts and crashes use no iteration: first a request to wrap up, then a fresh session, then a person. */
function afterCut(task: TaskState, { ending }: SessionResult, again: (way: TurnWay) => Move): Move {
  const { actions, status } = task;
  if (actions.troubles >= troublesMax && status.is !== 'needs-input')
    return conclude([troubleQuestion(task, `the last session ${describeSessionEnding(ending)}`)]);
  const isConverged = ending.kind === 'timed-out' && actions.conversation !== null;
  return again(isConverged && actions.turn?.way !== 'converge' ? 'converge' : 'asked');
}

function afterAnswer(run: Run, task: TaskState, build: SessionResult, again: (way: TurnWay) => Move): Move {
  const { actions } = task;
  const turn = present(actions.turn, 'a turn is under way');
  const problems = problemsOf(build, turn.action);
  if (problems === null) return conclude(takenTurn(run, task, reportOf(build)));
  // The problem is recorded already: ask once more. A second unusable answer fails the turn.
  if (actions.problems.length > 0 && turn.way !== 'again') return again('again');
  if (turn.way === 'again')
    return conclude(
      failedTurn(run, task, `the answer of the agent could not be used (${problems.join(' ')})`),
    );
  return conclude([
    { type: 'action-unreadable', taskId: task.spec.id, stepId: lastStep(run, task), problems },
  ]);
}

function reportOf({ signal }: SessionResult): ActionReport {
  return present(signal?.kind === 'action' ? signal.report : null, 'the answer was read');
}

/** Problems to send back to the agent; null for a usable answer. */
function problemsOf({ signal }: SessionResult, asked: ActionName): readonly string[] | null {
  if (signal?.kind === 'action-unreadable') return signal.problems;
  if (signal?.kind !== 'action') return ['The answer has no ACTION_RESULT block.'];
  const { action } = signal.report;
  if (action === asked || action === 'MENU') return null;
  return [`The answer reports ${action}; this turn is ${asked}.`];
}

function takenTurn(
  run: Run,
  task: TaskState,
  report: ActionReport,
  { isCounted = true }: { readonly isCounted?: boolean } = {},
): readonly Fact[] {
  const { actions } = task;
  const { action } = present(actions.turn, 'a turn is under way');
  const { state, problems } = mergeState(actions.state, report.stateUpdates);
  const { status, message, next, filesUpdated, menuOptions } = report;
  const taken: Fact = {
    type: 'action-taken',
    taskId: task.spec.id,
    stepId: lastStep(run, task),
    iteration: actions.iteration + (isCounted ? 1 : 0),
    action,
    status,
    message,
    next,
    state,
    tree: task.workTree,
    ...(filesUpdated.length === 0 ? {} : { filesUpdated }),
    ...(menuOptions === '' ? {} : { menuOptions }),
    ...(problems.length === 0 ? {} : { problems }),
  };
  const asked = questionOf(run, task, report);
  if (asked !== null) return [taken, asked];
  const isIdle = isIdleTurn(task, { action, status, tree: task.workTree, state });
  const before = isIdle ? actions.idleTurns : actions.troubles;
  const isTrouble = status === 'failed' || isIdle;
  const isThird = isTrouble && before + 1 >= troublesMax && !hasMenu(run, task, status);
  return isThird ? [taken, troubleQuestion(task, isIdle ? 'the agent changed nothing' : message)] : [taken];
}

/** The turn gave no result, so it counts no iteration; only three in a row end it. */
function failedTurn(run: Run, task: TaskState, message: string): readonly Fact[] {
  const nothing: ActionReport = {
    action: 'MENU',
    status: 'failed',
    message,
    stateUpdates: {},
    filesUpdated: [],
    menuOptions: '',
    next: 'NONE',
  };
  return takenTurn(run, task, nothing, { isCounted: false });
}

/** The step of the turn's last session, which has ended. */
function lastStep(run: Run, task: TaskState): string {
  return run.sessions.findLast((one) => one.taskId === task.spec.id && one.role === 'builder')?.stepId ?? '';
}
