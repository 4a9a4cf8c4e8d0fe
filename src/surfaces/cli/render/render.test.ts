import { describe, expect, it, vi } from 'vitest';
import type { Evidence } from '#kernel/model/criterion.ts';
import { type PlayedRun, playRun, simulatedConfig, simulatedTask } from '#test/simulated/simulated-run.ts';
import { createChatter } from './chatter.ts';
import { createLineDisplay, isShownBefore } from './lines.ts';
import { createLiveDisplay, frameLines } from './live.ts';
import { columnsOf } from './width.ts';
import { clean, fit } from './words.ts';
import { createRun } from '#kernel/fold/create-run.ts';

const config = simulatedConfig({});

describe('agent text on the terminal', () => {
  it('Text of an agent cannot steer the terminal', () => {
    expect(clean('a\u001B[2Jb\u001B]0;title\u0007c\u0000d\re')).toBe('abcde');
    expect(fit('one\ntwo', 80)).toBe('one two');
  });

  it('Text of an agent is cut by width, not by length', () => {
    expect(fit('abcdef', 5)).toBe('abcd…');
    expect(fit('✅✅✅✅', 5)).toBe('✅✅…');
  });

  it('Text of an agent is shown in whole lines, bounded however much arrives [B9]', () => {
    const shown: string[] = [];
    const chatter = createChatter(
      (line) => shown.push(line),
      3,
      () => 5000,
    );
    chatter.add('s', { type: 'text', text: 'hel' });
    chatter.add('s', { type: 'text', text: 'lo\n\nrest' });
    chatter.add('s', { type: 'tool-call', id: '1', name: 'Write', summary: 'a.txt' });
    expect(shown).toEqual(['hello', 'rest', '⚙ Write a.txt']);
    for (let n = 0; n < 10_000; n += 1) chatter.add('s', { type: 'text', text: 'flood\n' });
    chatter.add('s', { type: 'text', text: 'x'.repeat(20_000_000) });
    chatter.flush();
    expect(shown.slice(3)).toEqual(['… 10001 more lines in the log']);
  });
});

describe('the line display', () => {
  it('The line display shows the progress once when a failed attempt is the last one [Q9]', () => {
    const written: string[] = [];
    const spy = vi
      .spyOn(process.stdout, 'write')
      .mockImplementation((text) => written.push(String(text)) > 0);
    try {
      const display = createLineDisplay();
      const run = createRun('r1', config, 0);
      const failed = { at: 0, type: 'attempt-failed', taskId: 'main', attempt: 1, reason: 'red' } as const;
      const gone = { at: 0, type: 'task-failed', taskId: 'main', outcome: 'exhausted', reason: 'r' } as const;
      display.onEvents?.(run, [failed, gone]);
      display.onEvents?.(run, [gone]);
      run.tip = { commit: 'c1', tree: 't1' };
      display.onEvents?.(run, [failed]);
    } finally {
      spy.mockRestore();
    }
    expect(written.join('').match(/Progress: /g)).toHaveLength(2);
    expect(written.join('').match(/task main failed \(exhausted\)/g)).toHaveLength(2);
  });
});

it("A reviewer's pass without a remark is said once", () => {
  const pass = {
    taskId: 'main',
    criterionId: 'verifier',
    stepId: '0006-verifier-main',
    purpose: 'attempt',
    place: 'clean',
    tree: 't1',
    verdict: 'pass',
    reason: 'the verifier passed it',
    command: null,
    ending: null,
    tail: '',
    log: null,
    durationMs: 0,
  } as const;
  const said = (evidence: Evidence): boolean => isShownBefore({ at: 0, type: 'evidence-recorded', evidence });
  expect(said(pass)).toBe(true);
  expect(said({ ...pass, reason: 'the verifier passed it, with remarks: slow' })).toBe(false);
  expect(said({ ...pass, command: 'npm test', reason: 'exit 0' })).toBe(false);
});

describe('the live display', () => {
  it('The live display erases exactly its own frame, wraps long lines itself, and cuts no event', () => {
    vi.useFakeTimers();
    try {
      const written: string[] = [];
      const terminal = {
        write: (text: string) => void written.push(text),
        columns: 30,
        rows: 6,
        now: () => 0,
      };
      const display = createLiveDisplay(terminal);
      const run = createRun('r1', config, 0);
      display.onEvents?.(run, [{ at: 0, type: 'driver-left', reason: 'x'.repeat(100) }]);
      const [first = ''] = written;
      const lines = first.split('\n').slice(0, -1);
      const above = lines.slice(0, -5);
      expect(above.join('').replaceAll(' ', '')).toBe(`00:00:00driverleft:${'x'.repeat(100)}`);
      expect(lines.every((line) => line.length <= 30)).toBe(true);
      display.print('two\nlines');
      // Not the whole screen at once, of which some terminals would keep a copy.
      const erased = '\u001B[A\u001B[2K'.repeat(5);
      expect(written[1]?.startsWith(`${erased}two\nlines\n`)).toBe(true);
      display.close();
      display.onNote?.('late');
      expect(written.at(-1)).toBe(erased);
    } finally {
      vi.useRealTimers();
    }
  });

  it('The clock of the live display runs between events, but not while the run is paused [Q9]', () => {
    const run = createRun('r1', config, 0);
    run.isDriven = true;
    const at = { columns: 80, now: () => 120_000 };
    expect(frameLines(run, [], at).join('\n')).toContain('Time: 2m elapsed');
    run.paused = { by: 'me', why: 'lunch' };
    expect(frameLines(run, [], at).join('\n')).toContain('Time: 0s elapsed');
  });

  it('A narrow frame shortens the text of a criterion, never why it failed', () => {
    const { run } = failedRun();
    const shown = frameLines(run, [], { columns: 40, now: () => 2000 });
    expect(shown.every((line) => columnsOf(line) < 40)).toBe(true);
    expect(shown.find((line) => line.includes('works:'))).toMatch(
      /^ {2}❌ works: a very long .*… \(exit 1\)$/u,
    );
    expect(shown.at(-2)).toMatch(/^Cost: /);
    expect(shown.at(-1)).toMatch(/^Left: .*h \d\dm$/);
  });

  it('A check that ended on the base stands only in the list of all of them', () => {
    vi.useFakeTimers();
    try {
      const written: string[] = [];
      const write = (text: string): void => void written.push(text);
      const display = createLiveDisplay({ write, columns: 80, rows: 20, now: () => 0 });
      const { run, events } = playedBase();
      display.onEvents?.(run, events);
      display.close();
      expect(written.join('')).not.toContain('on the base');
    } finally {
      vi.useRealTimers();
    }
  });
});

function playedBase(): PlayedRun {
  const task = simulatedTask('main');
  const criteria = task.criteria.map((one) => ({
    ...one,
    text: 'a very long description of what must be true',
  }));
  const played = playRun({ tasks: [{ ...task, criteria }] });
  played.prepare();
  played.endCheck(played.beginOne(), { works: 'fail' });
  return played;
}

function failedRun(): PlayedRun {
  const played = playedBase();
  played.endSession(played.beginOne(), { endTree: 'tree-1' });
  played.endCheck(played.beginOne(), { works: 'fail' });
  return played;
}
