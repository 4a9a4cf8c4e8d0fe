import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OperatorError } from '#base/operator-error.ts';
import {
  commandCriterion,
  playRun,
  simulatedBudget,
  simulatedConfig,
  simulatedTask,
} from '#test/simulated/simulated-run.ts';
import { pauseMessage } from '#surfaces/cli/drive/interrupts.ts';
import { createLogReader, readableLine } from './log-files.ts';
import { choose } from '#surfaces/cli/pick/pick-run.ts';
import { refuseFinished } from '#surfaces/cli/pick/pick-unfinished.ts';
import type { Site } from '#app/site.ts';
import { raise } from '#config/flags.ts';
import { judgeStart, notResumed } from '#app/run/same-run.ts';
import type { KnownRun } from './open-here.ts';
import { createRun } from '#kernel/fold/create-run.ts';

const config = simulatedConfig({ goal: 'g', key: 'k', inputs: 'i' });
const holder = { pid: 7, host: 'here', since: 0 };
const wish = { isNew: false, isResume: false };

function known(id: string, change: { isOver?: boolean; isLive?: boolean; key?: string } = {}): KnownRun {
  const run = createRun(id, { ...config, key: change.key ?? 'k' }, 0);
  if (change.isOver === true) run.outcome = { outcome: 'completed', reason: '' };
  return { run, holder: change.isLive === true ? holder : null };
}

describe('a repeated run command [B13] [D4]', () => {
  it('A repeated command resumes the unfinished run of that goal, and no other', () => {
    expect(judgeStart([known('a'), known('b', { key: 'other' })], config, wish)).toMatchObject({
      kind: 'resume',
      known: { run: { id: 'a' } },
    });
    expect(judgeStart([known('a', { isOver: true }), known('b', { key: 'other' })], config, wish)).toEqual({
      kind: 'new',
    });
  });

  it('A repeated command is refused while that run is live, and names the holder', () => {
    expect(() => judgeStart([known('a', { isLive: true })], config, wish)).toThrow(
      'Run a already works on this goal (pid 7 on here',
    );
    expect(judgeStart([known('a', { isLive: true })], config, { ...wish, isNew: true })).toEqual({
      kind: 'new',
    });
  });

  it('A repeated command with changed inputs leaves the choice to a person, unless a flag decides', () => {
    const changed = { ...config, inputs: 'other' };
    expect(judgeStart([known('a')], changed, wish).kind).toBe('changed');
    expect(judgeStart([known('a')], changed, { ...wish, isResume: true }).kind).toBe('resume');
    expect(judgeStart([known('a')], changed, { ...wish, isNew: true }).kind).toBe('new');
    expect(() => judgeStart([], config, { ...wish, isResume: true })).toThrow(
      'no unfinished run with this goal',
    );
  });
});

describe('durableSteps and a repeated command [D2]', () => {
  const off = { durable: { enabled: false, autoResume: true } };
  const asks = { durable: { enabled: true, autoResume: false } };
  const frozen = (durable: object): KnownRun => ({
    run: createRun('a', { ...config, ...durable }, 0),
    holder: null,
  });

  it.each([
    ['off at the start of the run', frozen(off), config, true],
    ['off now', known('a'), { ...config, ...off }, true],
    ['asking at the start of the run', frozen(asks), config, false],
    ['asking now', known('a'), { ...config, ...asks }, false],
    ['off, and other inputs', frozen(off), { ...config, inputs: 'other' }, true],
  ])('An unfinished run is not resumed automatically when durableSteps is %s', (_, run, now, isRefused) => {
    expect(judgeStart([run], now, wish)).toEqual({ kind: 'not-resumed', known: run, isRefused });
    expect(judgeStart([run], now, { ...wish, isResume: true }).kind).toBe('resume');
    expect(judgeStart([run], now, { ...wish, isNew: true }).kind).toBe('new');
  });

  it('Changed inputs of a run that asks lead to one question, about the inputs', () => {
    expect(judgeStart([frozen(asks)], { ...config, inputs: 'other' }, wish).kind).toBe('changed');
  });

  it('The refusal names the run, --resume and --new', () => {
    expect(notResumed(known('a'))).toMatchObject({
      code: 'not-resumed',
      hint: 'To continue it: --resume, or untildone resume a. To start another run: --new',
    });
  });
});

describe('commands without a run id [D5]', () => {
  const stop = { command: 'stop' };
  const status = { command: 'status', orNewest: true };

  it('A command without a run id selects the one unfinished run', () => {
    expect(
      choose([known('a', { isOver: true }), known('b'), known('c', { isOver: true })], stop).run.id,
    ).toBe('b');
  });

  it('A command without a run id lists several unfinished runs and refuses to guess', () => {
    const pick = (): unknown => choose([known('a'), known('b')], { command: 'resume' });
    expect(pick).toThrow(OperatorError);
    expect(pick).toThrow(/Several runs are unfinished.*\n.*\na .*\nb /);
    expect(pick).toThrow(
      expect.objectContaining({ hint: 'For example: untildone resume a' }) as OperatorError,
    );
    expect(() => choose([known('a'), known('b')], status)).toThrow('Several runs are unfinished');
  });

  it('A command without a run id falls back to the newest run only if it just reads', () => {
    const over = [known('a', { isOver: true }), known('b', { isOver: true })];
    expect(choose(over, status).run.id).toBe('b');
    expect(() => choose(over, stop)).toThrow(
      expect.objectContaining({
        message: 'There is no unfinished run in this repository.',
        hint: 'The newest, b, has ended (completed). Start a new one with `untildone run`; `untildone show` shows what this one did.',
      }) as OperatorError,
    );
    expect(() => choose([], status)).toThrow('There is no run');
  });

  it('The hint names the exact command that reopens the newest finished run, and none for a cleaned one', async () => {
    const life = playRun({
      tasks: [simulatedTask('main', { criteria: [commandCriterion('works')] })],
      config: { budget: simulatedBudget({ attemptsPerTask: 1 }) },
    });
    life.prepare();
    life.endCheck(life.beginOne(), { works: 'fail' });
    life.endSession(life.beginOne(), { endTree: 'work' });
    life.endCheck(life.beginOne(), { works: 'fail' });
    life.settle();
    const over = { run: life.run, holder: null };
    const hint = (): string => {
      try {
        return choose([over], { command: 'resume' }).run.id;
      } catch (error) {
        return error instanceof OperatorError ? error.hint : String(error);
      }
    };
    await expect(refuseFinished({} as Site, life.run)).rejects.toThrow(/is over \(exhausted\)/);
    expect(hint()).toContain(`has ended (exhausted). Retry it: untildone retry main --run ${life.run.id}`);
    life.run.cleaned = { at: 1, by: 'me' } as NonNullable<typeof life.run.cleaned>;
    expect(hint()).toContain('was cleaned. Start another: untildone run');
    expect(hint()).not.toContain('retry');
  });
});

describe('messages of the command line', () => {
  it('A raised budget is parsed into the fields of the kernel [X1]', () => {
    expect(raise([])).toBeNull();
    expect(raise(['usd=50,hours=2', 'attempts=9'])).toEqual({
      usd: 50,
      activeMs: 7_200_000,
      attemptsPerTask: 9,
    });
  });

  it('The message of a pause says how to resume, and how long a session may take that cannot be interrupted [Q5]', () => {
    const { run } = known('a');
    expect(pauseMessage('a', run)).toBe('Pausing. Continue later with: untildone resume a');
    const operation = {
      kind: 'session',
      role: 'builder',
      attempt: 1,
      ordinal: 1,
      agent: { name: 'x', model: null },
      prompt: '',
      readOnly: false,
      words: { done: '', reportTag: null },
      limits: { wallMs: 7_200_000, idleMs: 1, graceMs: 1 },
      resume: null,
    } as const;
    run.running.set('s', {
      stepId: 's',
      taskId: 'main',
      baseTree: 't',
      reserve: { sessions: 1, usd: 0, tokens: 0 },
      deed: operation,
    });
    expect(pauseMessage('a', run, { isAtTerminal: true })).toContain(
      'up to 2h 00m; end it at once: untildone pause --now a; Ctrl-C again stops the run.',
    );
    expect(pauseMessage('a', run)).toMatch(/up to 2h 00m; end it at once: untildone pause --now a$/);
    expect(pauseMessage('a', run, { isNow: true })).toContain('The running session is ended');
  });
});

describe('session logs [B9]', () => {
  it('Session logs are read in the order of the sessions, in whole lines, as they grow', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'untildone-logs-'));
    try {
      const builder = join(folder, 'builder_001_2026-11-15_20-00-00.jsonl');
      await writeFile(join(folder, 'verifier_001_2026-11-15_20-05-00.jsonl'), '{"type":"text","text":"b"}\n');
      await writeFile(builder, '{"type":"text","text":"a"}\n{"type":"te');
      const seen: string[] = [];
      const reader = createLogReader(folder, '');
      await reader.readNew(({ text }) => seen.push(text));
      expect(seen).toEqual(['{"type":"text","text":"a"}', '{"type":"text","text":"b"}']);
      await appendFile(builder, 'xt","text":"ü"}\n');
      await reader.readNew(({ text }) => seen.push(text));
      expect(seen.slice(2)).toEqual(['{"type":"text","text":"ü"}']);
      expect(await createLogReader(join(folder, 'absent'), '').readNew(() => {})).toBe(0);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('Session logs show calls and text, and pass on lines that are no JSON', () => {
    expect(readableLine('{"at":1,"type":"tool-call","name":"Write","summary":"a.txt"}')).toBe(
      '⚙ Write a.txt',
    );
    expect(readableLine('{"type":"usage","usage":{}}')).toBeNull();
    expect(readableLine('{"type":"tool-call"}')).toBe('⚙');
    expect(readableLine('plain')).toBe('plain');
  });
});
