import { describe, expect, it, vi } from 'vitest';
import { defaultLoops } from '#policies/looping/loop-settings.ts';
import { createRun } from '#kernel/run.ts';
import type { PlanningSettings } from '#kernel/config.ts';
import {
  commandCriterion,
  reviewerCriterion,
  simulatedBudget,
  simulatedConfig,
  simulatedTask,
} from '#testing/simulated-run.ts';
import { createChatter } from './chatter.ts';
import { headerLines } from './header.ts';
import { createLineDisplay } from './lines.ts';
import { createLiveDisplay, frameLines } from './live.ts';
import { clean, fit } from './words.ts';

const role = {
  agent: { name: 'mine', model: null },
  prompt: '',
  words: { done: '', reportTag: null },
  readOnly: false,
  limits: { wallMs: 1, idleMs: 1, graceMs: 1 },
};
const campaignPlanning: PlanningSettings = {
  approval: 'person',
  replansMax: 3,
  refusalsMax: 2,
  milestones: [],
  mapTokens: 1000,
  architectSees: 'map',
  deadEnd: 'ask',
  constraints: '',
  criteria: [],
  everyTask: [],
};
const config = simulatedConfig({
  agents: { mine: { driver: 'command', env: [], options: {} } },
  roles: { builder: role },
  budget: simulatedBudget({ attemptsPerTask: 20 }),
});

describe('the first lines', () => {
  it('name agent, model, who pays, the missing sandbox and the ceiling before money is spent [X1]', () => {
    const text = headerLines({ runId: 'r1', config, tasks: [], notes: ['n'] }).join('\n');
    expect(text).toContain(
      "builder: agent mine (command), model the agent's own choice, paid through the agent's own login (unknown)",
    );
    expect(text).toContain('NOT SANDBOXED');
    expect(text).toContain('at most 40 sessions, $20.00 or 20M tokens, 8h 00m, 20 attempts a task');
    expect(text).toContain('note: n');
  });

  it('name every limit that can end the attempts, and none that cannot [X1]', () => {
    const budgetLine = (policy: Partial<typeof config.policy>, attemptsPerTask = 20): string | undefined => {
      const limited = { ...config.budget, attemptsPerTask };
      const changed = { ...config, policy: { ...config.policy, ...policy }, budget: limited };
      return headerLines({ runId: 'r1', config: changed, tasks: [], notes: [] }).find((line) =>
        line.includes('budget: '),
      );
    };
    const loops = { ...defaultLoops, maxRetries: 5, maxIterations: 20 };
    expect(budgetLine({ stuckMax: 3 })).toMatch(/20 attempts a task, 3 alike in a row$/);
    expect(budgetLine({ stuckMax: 3 }, 3)).toMatch(/3 attempts a task$/);
    expect(budgetLine({ stuckMax: 0 })).toMatch(/20 attempts a task$/);
    expect(budgetLine({ loops }, 1000)).toMatch(/, 5 failures a criterion, 20 passes over them$/);
    expect(budgetLine({ loops, stuckMax: 3 }, 7)).toMatch(
      /, 7 attempts a task, 5 failures a criterion, 20 passes over them$/,
    );
  });

  it('name the agents of single tasks too, and of many tasks only a few [X1] [C8]', () => {
    const agents = { builder: { name: 'mine', model: 'big' } };
    const lines = (count: number): string[] => {
      const tasks = Array.from({ length: count }, (_, index) => simulatedTask(`t${index + 1}`, { agents }));
      return headerLines({ runId: 'r1', config, tasks, notes: [] }).filter((line) => /t\d|more/.test(line));
    };
    expect(lines(1)).toEqual([
      "  t1/builder: agent mine (command), model big, paid through the agent's own login (unknown)",
    ]);
    expect(lines(200)).toHaveLength(7);
    expect(lines(200).at(-1)).toBe('  … and 194 more roles of single tasks');
  });

  it('say loudly what was allowed beforehand and weakens the proof [X8]', () => {
    const weak = (more: Partial<typeof config>): string =>
      headerLines({ runId: 'r1', config: { ...config, ...more }, tasks: [], notes: [] })
        .filter((line) => line.includes('WEAK PROOF'))
        .join('\n');
    expect(weak({})).toBe('');
    expect(weak({ mayChange: ['test/parser/**', '*.md'] })).toBe('');
    for (const glob of ['**', '**/*', '*', './**', '**/*.*', '**/**'])
      expect(weak({ mayChange: [glob] })).toContain(`"${glob}" may change`);
    expect(weak({ knownRed: 'all' })).toContain('whatever check is red before');
    expect(weak({ knownRed: ['npm-test'] })).toContain('npm-test, if red before');
    const tasks = [simulatedTask('t1', { mayChange: ['**'] })];
    expect(headerLines({ runId: 'r1', config, tasks, notes: [] }).join('\n')).toContain('WEAK PROOF');
  });

  it('say of a campaign which reviewers it has, or that it has none [Q10]', () => {
    const lines = (everyTask: PlanningSettings['everyTask']): string[] => {
      const planning = { ...campaignPlanning, everyTask };
      const policy = { ...config.policy, planning };
      return headerLines({ runId: 'r1', config: { ...config, policy }, tasks: [], notes: [] }).filter(
        (line) => line.includes('reviewers:'),
      );
    };
    expect(lines([commandCriterion('npm-test')])).toEqual([
      '  reviewers: none; the checks of each task decide alone. To add one: "reviewers": [{ "name": "second" }] in .untildone/config.jsonc',
    ]);
    const security = commandCriterion('security', { check: { kind: 'reviewer', role: 'security' } });
    expect(lines([reviewerCriterion, security])).toEqual([
      '  reviewers: verifier, security; each must pass every task',
    ]);
    expect(headerLines({ runId: 'r1', config, tasks: [], notes: [] }).join('\n')).not.toContain('reviewers:');
  });

  it('say whose checkout is worked on, without a branch that has no name yet', () => {
    const inPlace = { ...config, repo: { ...config.repo, inPlace: true } };
    expect(headerLines({ runId: 'r1', config: inPlace, tasks: [], notes: [] }).at(-1)).toBe(
      "  works on: your own checkout, on a branch of its own; what you edit meanwhile counts as the agent's",
    );
  });
});

describe('text of an agent', () => {
  it('cannot steer the terminal', () => {
    expect(clean('a\u001B[2Jb\u001B]0;title\u0007c\u0000d\re')).toBe('abcde');
    expect(fit('one\ntwo', 80)).toBe('one two');
  });

  it('is cut by width, not by length', () => {
    expect(fit('abcdef', 5)).toBe('abcd…');
    expect(fit('✅✅✅✅', 5)).toBe('✅✅…');
  });

  it('is shown in whole lines, bounded however much comes [B9]', () => {
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
    expect(shown.slice(3)).toEqual(['… 10001 lines more, see the log']);
  });
});

describe('the line display', () => {
  it('shows the progress once when a failed attempt is the last one [Q9]', () => {
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
    expect(written.join('').match(/given up/g)).toHaveLength(2);
  });
});

describe('the live display', () => {
  it('erases exactly what it drew, and never draws a line that wraps', () => {
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
      expect(lines).toHaveLength(1 + 5);
      expect(lines.every((line) => line.length <= 30)).toBe(true);
      display.say('two\nlines');
      expect(written[1]?.startsWith('\u001B[5A\u001B[0Jtwo\nlines\n')).toBe(true);
      display.close();
      display.onNote?.('late');
      expect(written.at(-1)).toBe('\u001B[5A\u001B[0J');
    } finally {
      vi.useRealTimers();
    }
  });

  it('lets the clock run between facts, but not while the run is paused [Q9]', () => {
    const run = createRun('r1', config, 0);
    run.isDriven = true;
    const at = { columns: 80, now: () => 120_000 };
    expect(frameLines(run, [], at).join('\n')).toContain('Time: 2m elapsed');
    run.paused = { by: 'me', why: 'lunch' };
    expect(frameLines(run, [], at).join('\n')).toContain('Time: 0s elapsed');
  });
});
