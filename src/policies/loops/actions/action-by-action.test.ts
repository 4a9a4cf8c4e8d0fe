import { describe, expect, it } from 'vitest';
import { replay } from '#kernel/fold/apply.ts';
import type { ActionName, ActionReport, ActionSettings, ActionWish } from '#kernel/actions/action.ts';
import type { SessionOperation, SessionResult, Step } from '#kernel/model/step.ts';
import type { Criterion } from '#kernel/model/criterion.ts';
import type { Task } from '#kernel/model/task.ts';
import { actions as preset } from '#policies/presets/actions.ts';
import {
  commandCriterion,
  personCriterion,
  playRun,
  reviewerCriterion,
  simulatedBudget,
  simulatedConfig,
  simulatedPolicy,
  simulatedTask,
} from '#test/simulated/simulated-run.ts';
import type { PlayedRun } from '#test/simulated/simulated-run.ts';
import { defaultTexts } from './action-texts.ts';
import { questionOf } from '#kernel/model/task.ts';
import { taskOf } from '#kernel/fold/run.ts';

interface Setting {
  readonly mode?: ActionSettings['mode'];
  readonly criteria?: readonly Criterion[];
  readonly iterations?: number;
  readonly others?: readonly Task[];
}

function playing({
  mode = 'auto',
  criteria = [commandCriterion('works')],
  iterations = 10,
  others = [],
}: Setting = {}): PlayedRun {
  const { roles } = simulatedConfig();
  const builder = { ...roles['builder'], ...preset.roles['builder'] };
  const played = playRun({
    tasks: [simulatedTask('main', { criteria: [...criteria] }), ...others],
    policy: preset.policy,
    config: {
      preset: 'actions',
      roles: { ...roles, builder } as typeof roles,
      policy: simulatedPolicy({
        actions: { mode, turnTimeoutMs: 600_000, texts: defaultTexts, project: [] },
      }),
      budget: simulatedBudget({ attemptsPerTask: iterations }),
    },
  });
  played.prepare();
  if (criteria.some((one) => one.check.kind === 'command'))
    played.endCheck(played.beginOne(), { works: 'fail' });
  return played;
}

function report(action: ActionName, known: Partial<ActionReport> = {}): ActionReport {
  return {
    action,
    status: 'success',
    message: `${action} is done`,
    stateUpdates: {},
    filesUpdated: [],
    menuOptions: '',
    next: 'NONE',
    ...known,
  };
}

function turnOf(step: Step): SessionOperation {
  if (step.deed.kind !== 'session') throw new Error(`${step.stepId} is no session`);
  return step.deed;
}

/** Plays one turn of the agent and returns its session. */
function turn(
  played: PlayedRun,
  action: ActionName,
  {
    known = {},
    tree,
    result = {},
  }: { known?: Partial<ActionReport>; tree?: string; result?: Partial<SessionResult> } = {},
): SessionOperation {
  const step = played.beginOne();
  expect(turnOf(step).turn?.action).toBe(action);
  played.endSession(step, {
    signal: { kind: 'action', report: report(action, known) },
    resumeId: 'conversation',
    ...(tree === undefined ? {} : { endTree: tree }),
    ...result,
  });
  return turnOf(step);
}

function loop(played: PlayedRun) {
  const task = played.run.tasks.get('main');
  if (task === undefined) throw new Error('there is no task');
  return task.actions;
}

function taken(played: PlayedRun): string[] {
  return loop(played).taken.map(({ iteration, action, status }) => `${iteration} ${action} ${status}`);
}

describe('The action loop in auto mode', () => {
  it('The loop initialises, develops, validates and completes, and only then is the task proven [A1] [A8]', () => {
    const played = playing();
    turn(played, 'INIT', {
      known: { stateUpdates: { tasks: [{ id: 't1', title: 'do it', status: 'pending' }] } },
    });
    turn(played, 'DEVELOP', {
      tree: 'work',
      known: { next: 'VALIDATE', stateUpdates: { tasks: [{ id: 't1', title: 'do it', status: 'done' }] } },
    });
    const check = played.beginOne();
    expect(check).toMatchObject({ baseTree: 'work', deed: { kind: 'check', purpose: 'attempt' } });
    played.endCheck(check, { works: 'pass' });
    expect(played.beginOne().deed.kind).toBe('commit');
    expect(taken(played)).toEqual([
      '1 INIT success',
      '2 DEVELOP success',
      '2 VALIDATE success',
      '2 COMPLETE success',
    ]);
    expect(replay(played.events).tasks.get('main')?.actions).toEqual(loop(played));
  });

  it('A turn resumes the conversation of the one before [A1]', () => {
    const played = playing();
    expect(turn(played, 'INIT')).toMatchObject({ resume: null });
    expect(turn(played, 'DEVELOP', { tree: 'work', known: { next: 'DEVELOP' } })).toMatchObject({
      resume: 'conversation',
    });
  });

  it('A conversation belongs to one task: the next task begins its own [A1]', () => {
    const played = playing({ others: [simulatedTask('second')] });
    turn(played, 'INIT');
    turn(played, 'DEVELOP', { tree: 'work' });
    played.endCheck(played.beginOne(), { works: 'pass' });
    played.endCommit(played.beginOne(), 'c1');
    played.endCheck(played.beginOne(), { works: 'fail' });
    const step = played.beginOne();
    expect(step.taskId).toBe('second');
    expect(turnOf(step)).toMatchObject({ resume: null, turn: { action: 'INIT' } });
  });

  it('Another agent that takes over does not resume the conversation of the first [A1]', () => {
    const played = playing();
    turn(played, 'INIT');
    const builder = { name: 'another', model: null };
    const { spec } = played.run.tasks.get('main') ?? {};
    if (spec === undefined) throw new Error('there is no task');
    Object.assign(spec, { agents: { builder } });
    expect(turn(played, 'DEVELOP', { known: { next: 'DEVELOP' } })).toMatchObject({
      agent: builder,
      resume: null,
    });
    expect(turn(played, 'DEVELOP')).toMatchObject({ agent: builder, resume: 'conversation' });
  });

  it('An agent that cannot resume gets state, results and changes in a fresh session [A1]', () => {
    const played = playing();
    const step = played.beginOne();
    played.endSession(step, {
      signal: { kind: 'action', report: report('INIT', { stateUpdates: { notes: 'the parser is in src' } }) },
    });
    const operation = turn(played, 'DEVELOP');
    expect(operation.resume).toBeNull();
    expect(operation.prompt).toContain('the parser is in src');
    expect(operation.prompt).toContain('Turn 1, INIT: success');
    expect(operation.prompt).toContain('{{memory}}');
  });

  it('COMPLETE with a red check is refused, and the gap is in the first lines of the next turn [A8]', () => {
    const played = playing();
    turn(played, 'INIT');
    turn(played, 'DEVELOP', { tree: 'work', known: { next: 'COMPLETED' } });
    played.endCheck(played.beginOne(), { works: 'fail' }, { tail: 'expected 2, got 3' });
    const next = played.beginOne();
    expect(turnOf(next).turn?.action).toBe('DEBUG');
    expect(turnOf(next).prompt.split('\n').slice(0, 3).join('\n')).toContain('works');
    expect(turnOf(next).prompt).toContain('expected 2, got 3');
    expect(played.run.tasks.get('main')?.status.is).toBe('active');
  });

  it('A reviewer that refutes the work refuses the completion [A8]', () => {
    const played = playing({ criteria: [commandCriterion('works'), reviewerCriterion] });
    turn(played, 'INIT');
    turn(played, 'DEVELOP', { tree: 'work' });
    played.endCheck(played.beginOne(), { works: 'pass' });
    const review = played.beginOne();
    played.endSession(review, { signal: { kind: 'report', text: 'the flag is missing' } });
    expect(turnOf(played.beginOne()).turn?.action).toBe('DEBUG');
    expect(taken(played).at(-1)).toBe('2 COMPLETE failed');
  });

  it('Files that nothing changed are never completed [A8] [X7]', () => {
    const played = playing({ iterations: 3 });
    turn(played, 'INIT');
    turn(played, 'DEVELOP', { known: { next: 'COMPLETED' } });
    turn(played, 'DEVELOP', { known: { next: 'COMPLETED' } });
    expect(played.settle().start).toEqual([]);
    expect(played.run.outcome?.outcome).not.toBe('completed');
  });

  it('An impossible next action is not followed, and the agent gets the possible ones [A8]', () => {
    const played = playing();
    turn(played, 'INIT', { known: { next: 'VALIDATE' } });
    const { prompt } = turn(played, 'DEVELOP', { tree: 'work', known: { next: 'INIT' } });
    expect(prompt).toContain(
      'You asked for VALIDATE next; that is not possible now. Possible are DEVELOP, DEBUG.',
    );
    expect(played.beginOne().deed.kind).toBe('check');
  });

  it('A question in auto mode parks the run, and the answer goes to the next turn [A3]', () => {
    const played = playing();
    turn(played, 'INIT');
    turn(played, 'DEVELOP', {
      known: { status: 'needs_input', message: 'SQLite or files?', next: 'WAITING_INPUT' },
    });
    expect(played.settle()).toMatchObject({ start: [], waitingFor: 'an answer to "SQLite or files?"' });
    const question = questionOf(taskOf(played.run, 'main'));
    played.ask({ kind: 'answer', questionId: question?.id ?? '', text: 'use files' });
    const step = played.beginOne();
    expect(turnOf(step)).toMatchObject({ turn: { action: 'DEVELOP' } });
    expect(turnOf(step).prompt).toContain('use files');
  });

  it.each(['PAUSED', 'STOPPED'] as const)(
    'The action %s from an agent becomes a question, never an end [A6]',
    (next: ActionWish) => {
      const played = playing();
      turn(played, 'INIT', { known: { next, message: 'lunch' } });
      expect(played.settle().waitingFor).toContain('lunch');
      expect(played.run.outcome).toBeNull();
    },
  );

  it('The limit of iterations ends the run as exhausted and says what remains [A7]', () => {
    const played = playing({ iterations: 2 });
    turn(played, 'INIT');
    turn(played, 'DEVELOP', { tree: 'work', known: { next: 'DEVELOP' } });
    played.endCheck(played.beginOne(), { works: 'fail' });
    played.settle();
    expect(played.run.outcome?.outcome).toBe('exhausted');
    const reason = played.run.outcome?.reason ?? '';
    expect(reason).toContain('Reached maximum iterations (2)');
    expect(reason).toContain('Consider breaking down the task or taking a break.');
    expect(reason).toContain('Remaining: works');
  });

  it('Checks and completion are free: they continue after the last iteration [A7] [A8]', () => {
    const played = playing({ iterations: 2 });
    turn(played, 'INIT');
    turn(played, 'DEVELOP', { tree: 'work' });
    played.endCheck(played.beginOne(), { works: 'pass' });
    expect(played.beginOne().deed.kind).toBe('commit');
  });
});

describe('An unusable answer of the agent', () => {
  const unreadable: Partial<SessionResult> = {
    signal: { kind: 'action-unreadable', problems: ['There is no ACTION_RESULT block.'], text: 'I am done!' },
  };

  it('An unreadable answer is requested once more with the exact problem; then the turn fails [A2]', () => {
    const played = playing();
    turn(played, 'INIT', { result: unreadable });
    const again = played.beginOne();
    expect(turnOf(again)).toMatchObject({ resume: 'conversation', turn: { action: 'INIT', way: 'again' } });
    expect(turnOf(again).prompt).toContain('There is no ACTION_RESULT block.');
    played.endSession(again, { ...unreadable, resumeId: 'conversation' });
    played.settle();
    expect(taken(played)).toEqual(['0 INIT failed']);
  });

  it('An answer for another action than the requested one is sent back once [A2]', () => {
    const played = playing();
    turn(played, 'INIT');
    const step = played.beginOne();
    played.endSession(step, {
      signal: { kind: 'action', report: report('COMPLETE') },
      resumeId: 'conversation',
    });
    const again = played.beginOne();
    expect(turnOf(again)).toMatchObject({ turn: { action: 'DEVELOP', way: 'again' } });
    expect(turnOf(again).prompt).toContain('reports COMPLETE; this turn is DEVELOP');
  });

  it('After three failed turns in a row, the run waits for a person [A2]', () => {
    const played = playing();
    turn(played, 'INIT');
    turn(played, 'DEVELOP', { known: { status: 'failed', message: 'no idea' } });
    turn(played, 'DEBUG', { known: { status: 'failed', message: 'no idea' } });
    turn(played, 'DEVELOP', { known: { status: 'failed', message: 'no idea' } });
    expect(played.settle()).toMatchObject({ start: [] });
    expect(questionOf(taskOf(played.run, 'main'))?.text).toContain('3 times in a row');
  });

  it('A successful turn resets the count of failed ones [A2]', () => {
    const played = playing();
    const failed = { status: 'failed', message: 'no idea' } as const;
    turn(played, 'INIT');
    turn(played, 'DEVELOP', { known: failed });
    turn(played, 'DEBUG', { known: failed });
    turn(played, 'DEVELOP', { tree: 'more', known: { next: 'DEVELOP' } });
    turn(played, 'DEVELOP', { known: failed });
    expect(turnOf(played.beginOne()).turn?.action).toBe('DEBUG');
    expect(questionOf(taskOf(played.run, 'main'))).toBeNull();
  });

  it('An agent cannot change state that this program keeps itself [A2]', () => {
    const played = playing();
    turn(played, 'INIT', { known: { stateUpdates: { max_iterations: 99, notes: 'ok' } } });
    played.settle();
    expect(loop(played).state).toEqual({ notes: 'ok' });
    expect(loop(played).taken[0]?.problems.join(' ')).toContain('max_iterations');
  });
});

describe('A turn that does not end by itself', () => {
  const timedOut: Partial<SessionResult> = {
    ending: { kind: 'timed-out', limit: 'wall', afterMs: 600_000 },
    signal: { kind: 'action-unreadable', problems: ['none'], text: 'half of the parser is written' },
  };

  it('A timeout uses no iteration: one turn to converge, then a fresh session with the previous output [A5]', () => {
    const played = playing();
    turn(played, 'INIT');
    turn(played, 'DEVELOP', { tree: 'half', result: timedOut });
    const converge = played.beginOne();
    expect(turnOf(converge)).toMatchObject({ resume: 'conversation', turn: { way: 'converge' } });
    expect(turnOf(converge).prompt).toContain('TIMEOUT NOTIFICATION');
    played.endSession(converge, { ...timedOut, resumeId: 'conversation' });
    const fresh = played.beginOne();
    expect(turnOf(fresh)).toMatchObject({ resume: null, turn: { action: 'DEVELOP', way: 'asked' } });
    expect(turnOf(fresh).prompt).toContain('half of the parser is written');
    expect(taken(played)).toEqual(['1 INIT success']);
  });

  it('After three sessions in a row are cut short, the run waits for a person, and the answer continues it [A5]', () => {
    const played = playing();
    turn(played, 'INIT');
    for (let count = 0; count < 3; count += 1)
      played.endSession(played.beginOne(), { ending: { kind: 'crashed', detail: 'gone' }, signal: null });
    expect(played.settle().waitingFor).toContain('3 times in a row');
    const question = questionOf(taskOf(played.run, 'main'));
    played.ask({ kind: 'answer', questionId: question?.id ?? '', text: 'try again' });
    expect(turnOf(played.beginOne())).toMatchObject({ turn: { action: 'DEVELOP' } });
  });

  it('A conversation that the client forgot continues in a fresh session, once [A1]', () => {
    const played = playing();
    turn(played, 'INIT');
    const step = played.beginOne();
    played.endSession(step, {
      ending: { kind: 'failed', errorClass: 'conversation-gone', detail: 'no conversation found' },
      signal: null,
    });
    expect(turnOf(played.beginOne())).toMatchObject({ resume: null, turn: { action: 'DEVELOP' } });
  });

  it('A lost turn is repeated and counts no iteration [A7]', () => {
    const played = playing();
    turn(played, 'INIT');
    const step = played.beginOne();
    played.record({ type: 'step-lost', stepId: step.stepId, reason: 'killed', usage: null });
    expect(turnOf(played.beginOne())).toMatchObject({ resume: 'conversation', turn: { action: 'DEVELOP' } });
    expect(loop(played).iteration).toBe(1);
  });

  it('A pause interrupts the turn, and the same conversation continues [A6]', () => {
    const played = playing();
    turn(played, 'INIT');
    const step = played.beginOne();
    played.ask({ kind: 'pause', why: 'lunch' });
    expect(played.settle().steer).toEqual([{ stepId: step.stepId, kind: 'interrupt' }]);
    played.endSession(step, { ending: { kind: 'interrupted', resumeId: 'there' }, signal: null });
    played.ask({ kind: 'resume' });
    expect(turnOf(played.beginOne())).toMatchObject({ resume: 'there', turn: { action: 'DEVELOP' } });
    expect(loop(played).iteration).toBe(1);
  });

  it('A stop ends the run as stopped [A6]', () => {
    const played = playing();
    turn(played, 'INIT');
    played.ask({ kind: 'stop', now: true, why: 'enough' });
    played.settle();
    expect(played.run.outcome?.outcome).toBe('stopped');
  });
});

describe('The action loop in interactive mode', () => {
  function interactive(): PlayedRun {
    const played = playing({ mode: 'interactive' });
    turn(played, 'INIT');
    played.settle();
    return played;
  }

  it('The run waits for a choice after each action [A4]', () => {
    const played = interactive();
    expect(played.settle()).toMatchObject({ start: [], waitingFor: 'your choice of the next action' });
    played.ask({ kind: 'choose', taskId: 'main', turn: 2, action: 'DEVELOP', text: 'begin with the parser' });
    expect(turn(played, 'DEVELOP', { tree: 'work' }).prompt).toContain('begin with the parser');
    expect(played.settle()).toMatchObject({ start: [], waitingFor: 'your choice of the next action' });
    played.ask({ kind: 'choose', taskId: 'main', turn: 3, action: 'VALIDATE' });
    played.endCheck(played.beginOne(), { works: 'pass' });
    expect(played.settle().waitingFor).toBe('your choice of the next action');
    played.ask({ kind: 'choose', taskId: 'main', turn: 4, action: 'COMPLETE' });
    expect(played.beginOne().deed.kind).toBe('commit');
  });

  it('A second choice for the same turn is refused with the name of the person who chose [A4]', () => {
    const played = interactive();
    played.ask({ kind: 'choose', taskId: 'main', turn: 2, action: 'DEVELOP' });
    const second = played.ask({ kind: 'choose', taskId: 'main', turn: 2, action: 'DEBUG' });
    played.settle();
    const refused = played.events.find((event) => event.type === 'control-refused' && event.id === second);
    expect(refused).toMatchObject({ reason: 'ann chose DEVELOP already' });
  });

  it('A choice made before another action was done is refused [A4]', () => {
    const played = interactive();
    const late = played.ask({ kind: 'choose', taskId: 'main', turn: 1, action: 'DEVELOP' });
    played.settle();
    expect(played.run.controls.get(late)).toBe('refused');
  });

  it('A choice during a turn is refused [A4]', () => {
    const played = interactive();
    played.ask({ kind: 'choose', taskId: 'main', turn: 2, action: 'DEVELOP' });
    played.beginOne();
    const during = played.ask({ kind: 'choose', taskId: 'main', turn: 2, action: 'DEBUG' });
    played.settle();
    expect(played.run.controls.get(during)).toBe('refused');
  });

  it('COMPLETE chosen without a validation runs the checks first and is refused if one is red [A4] [A8]', () => {
    const played = interactive();
    played.ask({ kind: 'choose', taskId: 'main', turn: 2, action: 'DEVELOP' });
    turn(played, 'DEVELOP', { tree: 'work' });
    played.settle();
    played.ask({ kind: 'choose', taskId: 'main', turn: 3, action: 'COMPLETE' });
    played.endCheck(played.beginOne(), { works: 'fail' });
    expect(played.settle().waitingFor).toBe('your choice of the next action');
    expect(taken(played).at(-1)).toBe('2 COMPLETE failed');
  });

  it('No reviewer is paid for while a check is red [A8]', () => {
    const played = playing({ mode: 'interactive', criteria: [commandCriterion('works'), reviewerCriterion] });
    turn(played, 'INIT');
    played.settle();
    played.ask({ kind: 'choose', taskId: 'main', turn: 2, action: 'DEVELOP' });
    turn(played, 'DEVELOP', { tree: 'work' });
    played.settle();
    played.ask({ kind: 'choose', taskId: 'main', turn: 3, action: 'COMPLETE' });
    played.endCheck(played.beginOne(), { works: 'fail' });
    expect(played.settle().start).toEqual([]);
  });

  it('The run waits for a choice also while a slow check of the base still runs [A4]', () => {
    const slow = commandCriterion('slow', { when: 'acceptance' });
    const { roles } = simulatedConfig();
    const played = playRun({
      tasks: [simulatedTask('main', { criteria: [slow] })],
      policy: preset.policy,
      config: {
        roles: { ...roles, builder: { ...roles['builder'], ...preset.roles['builder'] } } as typeof roles,
        policy: simulatedPolicy({
          actions: { mode: 'interactive', turnTimeoutMs: 600_000, texts: defaultTexts, project: [] },
        }),
      },
    });
    played.prepare();
    const [check, init] = played.begin();
    if (check === undefined || init === undefined) throw new Error('a check and a turn run side by side');
    played.endSession(init, { signal: { kind: 'action', report: report('INIT') } });
    expect(played.settle()).toMatchObject({ start: [], waitingFor: 'your choice of the next action' });
    const choice = played.ask({ kind: 'choose', taskId: 'main', turn: 2, action: 'DEVELOP' });
    expect(turnOf(played.beginOne()).turn?.action).toBe('DEVELOP');
    expect(played.run.controls.get(choice)).toBe('applied');
  });

  it('The mode changes with a resume, and the loop then chooses by itself [A3] [A4]', () => {
    const played = interactive();
    played.settle();
    played.ask({ kind: 'resume', mode: 'auto' });
    expect(turnOf(played.beginOne()).turn?.action).toBe('DEVELOP');
  });
});

describe('Work that the acceptance refuses', () => {
  it('A completion that the clean checkout refuses goes back to the agent [A8]', () => {
    const played = playing();
    turn(played, 'INIT');
    turn(played, 'DEVELOP', { tree: 'work' });
    played.endCheck(played.beginOne(), { works: 'pass' });
    played.endCommit(played.beginOne(), 'c1');
    const acceptance = played.beginOne();
    expect(acceptance.deed).toMatchObject({ kind: 'check', purpose: 'acceptance' });
    played.endCheck(acceptance, { works: 'fail' });
    expect(turnOf(played.beginOne()).turn?.action).toBe('DEBUG');
  });
});

describe('The time between an acceptance and the next turn', () => {
  it('Files that the acceptance refused cannot be completed again before a turn of the agent [A4] [A8]', () => {
    const played = playing({ mode: 'interactive' });
    const choose = (action: ActionName): unknown =>
      played.ask({ kind: 'choose', taskId: 'main', turn: loop(played).taken.length + 1, action });
    turn(played, 'INIT');
    played.settle();
    choose('DEVELOP');
    turn(played, 'DEVELOP', { tree: 'work' });
    played.settle();
    choose('COMPLETE');
    played.endCheck(played.beginOne(), { works: 'pass' });
    played.endCommit(played.beginOne(), 'c1');
    played.endCheck(played.beginOne(), { works: 'fail' });
    expect(played.settle().waitingFor).toBe('your choice of the next action');
    for (const action of ['COMPLETE', 'VALIDATE', 'COMPLETE'] as const) {
      choose(action);
      expect(played.settle()).toMatchObject({ start: [], waitingFor: 'your choice of the next action' });
    }
    expect(taken(played).slice(-3)).toEqual(['2 COMPLETE failed', '2 VALIDATE success', '2 COMPLETE failed']);
    expect(loop(played).taken.at(-3)?.message).toContain(
      'on a clean checkout: works: exit 1; a turn of the agent',
    );
    choose('DEBUG');
    expect(turnOf(played.beginOne())).toMatchObject({ turn: { action: 'DEBUG' } });
  });

  it('A completion that a person refuses before it is proven is taken back [A8]', () => {
    const played = playing({ criteria: [commandCriterion('works'), personCriterion] });
    turn(played, 'INIT');
    turn(played, 'DEVELOP', { tree: 'work' });
    played.endCheck(played.beginOne(), { works: 'pass' });
    played.settle();
    const about = { taskId: 'main', criterionId: 'person', tree: 'work' };
    played.ask({ kind: 'approve', ...about });
    while (taken(played).at(-1) !== '2 COMPLETE success') played.record(...played.decide().record);
    played.ask({ kind: 'reject', ...about, why: 'ugly' });
    expect(turnOf(played.beginOne()).prompt).toContain('ugly');
    expect(taken(played).at(-1)).toBe('2 COMPLETE failed');
  });

  it("A person's rejection of a loop that is out of time counts, and no further turn starts [A7]", () => {
    const played = playing({ criteria: [commandCriterion('works'), personCriterion] });
    turn(played, 'INIT');
    turn(played, 'DEVELOP', { tree: 'work' });
    played.endCheck(played.beginOne(), { works: 'pass' });
    played.settle();
    played.pass(9 * 3_600_000);
    played.settle();
    played.ask({ kind: 'reject', taskId: 'main', criterionId: 'person', tree: 'work', why: 'ugly' });
    expect(played.settle().start).toEqual([]);
    expect(played.run.outcome?.outcome).toBe('exhausted');
  });
});

describe('The messages of a turn', () => {
  it('The first message names goal, checks, actions and format, and leaves no placeholder open [A1]', () => {
    const { prompt } = turnOf(playing().beginOne());
    for (const part of [
      'make main work',
      '`check works`',
      '### DEBUG',
      'ACTION_RESULT',
      '## This turn: INIT',
    ])
      expect(prompt).toContain(part);
    expect(prompt).not.toMatch(/\{\{/);
  });

  it('A message of a person reaches the next turn, also one that only asks for the result again [A4]', () => {
    const played = playing();
    turn(played, 'INIT', { result: { signal: { kind: 'action-unreadable', problems: ['none'], text: '' } } });
    played.ask({ kind: 'tell', text: 'mind the umlauts' });
    expect(turnOf(played.beginOne()).prompt).toContain('mind the umlauts');
  });

  it('A retried loop in interactive mode waits for a choice [A4]', () => {
    const played = playing({ mode: 'interactive', iterations: 1 });
    turn(played, 'INIT');
    played.settle();
    played.ask({ kind: 'choose', taskId: 'main', turn: 2, action: 'DEVELOP' });
    played.settle();
    expect(played.run.outcome?.outcome).toBe('exhausted');
    played.ask({ kind: 'retry', taskId: 'main' });
    played.prepare();
    expect(played.settle()).toMatchObject({ start: [], waitingFor: 'your choice of the next action' });
    played.ask({ kind: 'choose', taskId: 'main', turn: 2, action: 'DEVELOP' });
    expect(turnOf(played.beginOne()).turn?.action).toBe('DEVELOP');
  });
});

describe('A loop without progress', () => {
  it('After three turns that change neither files nor state, the run waits for a person [A2] [X2]', () => {
    const played = playing();
    turn(played, 'INIT');
    for (let count = 0; count < 3; count += 1) turn(played, 'DEVELOP', { known: { next: 'COMPLETED' } });
    expect(played.settle()).toMatchObject({ start: [] });
    expect(questionOf(taskOf(played.run, 'main'))?.text).toContain('the agent changed nothing');
  });

  it('A turn that only investigates is not idle [A2]', () => {
    const played = playing();
    turn(played, 'INIT');
    for (let count = 0; count < 4; count += 1)
      turn(played, 'DEVELOP', { known: { next: 'DEVELOP', stateUpdates: { notes: `looked at ${count}` } } });
    expect(questionOf(taskOf(played.run, 'main'))).toBeNull();
    expect(turnOf(played.beginOne()).turn?.action).toBe('DEVELOP');
  });

  it('In interactive mode, a question of INIT is asked, and three failed INIT turns wait for a person [A3]', () => {
    const asking = playing({ mode: 'interactive' });
    turn(asking, 'INIT', { known: { status: 'needs_input', message: 'Which colour?' } });
    expect(asking.settle().waitingFor).toContain('Which colour?');
    const failing = playing({ mode: 'interactive' });
    for (let count = 0; count < 3; count += 1)
      turn(failing, 'INIT', { known: { status: 'failed', message: 'no access' } });
    expect(failing.settle().waitingFor).toContain('no access');
  });

  it('A completion without proof says so [A8]', () => {
    const played = playing({ criteria: [commandCriterion('green')] });
    expect(loop(played).taken).toEqual([]);
    turn(played, 'INIT');
    turn(played, 'DEVELOP', { tree: 'work' });
    played.endCheck(played.beginOne(), {});
    played.settle();
    expect(loop(played).taken.at(-1)).toMatchObject({
      action: 'COMPLETE',
      status: 'needs_input',
      message: expect.stringContaining('nothing shows that the goal was reached') as string,
    });
  });

  it('An agent that cannot resume learns why its next action was not followed and which state was refused [A2] [A8]', () => {
    const played = playing();
    const step = played.beginOne();
    const report = {
      action: 'INIT',
      status: 'success',
      message: '',
      filesUpdated: [],
      menuOptions: '',
    } as const;
    played.endSession(step, {
      signal: { kind: 'action', report: { ...report, next: 'VALIDATE', stateUpdates: { mode: 'auto' } } },
    });
    const { prompt } = turnOf(played.beginOne());
    expect(prompt).toContain('You asked for VALIDATE next; that is not possible now.');
    expect(prompt).toContain('Not applied from your last report');
  });
});
