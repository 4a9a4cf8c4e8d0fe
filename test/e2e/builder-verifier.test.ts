// The preset builder-verifier through the command line, with agents that tell the truth, lie, crash and meddle.
import { describe, expect, it } from 'vitest';
import { passes, saysDone, scriptedAgent, seesFile, shellAgents, writesFile } from './agents.ts';
import { eventsOf } from './journal.ts';
import { filesOf, newestRun, prompts, roles } from './looking.ts';
import type { Place } from './place.ts';
import { makePlace } from './place.ts';

describe('Markers and checks of the builder', () => {
  it('A run goes from builder to checks to verifier, and completes on its own evidence [B1] [B5] [X3]', async () => {
    const place = makePlace();
    const { code, stdout } = await run(place, { builder: writesFile });
    expect(stdout).toMatch(/✅ Completed/);
    expect(code).toBe(0);
    expect(roles(place)).toEqual(['builder', 'verifier']);
  });

  it.each([
    ['in prose', 'echo "I will end with ===WIGGUM_COMPLETE=== when I am done."'],
    ['in a code block', 'printf "%s\\n" "like this:" "\\`\\`\\`" "===WIGGUM_COMPLETE===" "\\`\\`\\`"'],
    ['in the echoed prompt', 'printf "%s\\n" "$prompt"'],
    ['of the other role', passes],
  ])('A marker %s does not count as done: without checks no verifier starts [B3] [B4]', async (_, words) => {
    const place = makePlace();
    const agents = shellAgents(place, { builder: `echo right > done.txt; ${words}` });
    const { code } = await place.untildone(['run', 'do it', '--max-loops', '2', ...agents]);
    expect(roles(place)).toEqual(['builder', 'builder']);
    expect(code).toBe(3);
  });

  it.each(['**===WIGGUM_COMPLETE===**', '`===WIGGUM_COMPLETE===`'])(
    'The marker %s counts as done [B3]',
    async (words) => {
      const place = makePlace();
      const agents = shellAgents(place, { builder: `echo x > done.txt; echo; echo '${words}'` });
      const { code, stdout } = await place.untildone(['run', 'do it', '--max-loops', '1', ...agents]);
      expect(roles(place)).toEqual(['builder', 'verifier']);
      // The verifier's verdict is the one required criterion, and the summary says what that is worth.
      expect(stdout.slice(stdout.indexOf('🔎 Reviewed, not proven'))).toMatch(/only an agent has reviewed/i);
      expect(code).toBe(7);
    },
  );

  it('A marker before the last tool call, or in a tool result, does not count [B3]', async () => {
    const place = makePlace();
    const agents = scriptedAgent(place, [
      {
        role: 'builder',
        actions: [
          { say: 'Early.\n\n===WIGGUM_COMPLETE===\n' },
          { write: { path: 'a.txt', text: 'a\n' } },
          { run: 'echo; echo ===WIGGUM_COMPLETE===' },
          { say: 'I stop here.\n' },
        ],
      },
    ]);
    const { code } = await place.untildone(['run', 'do it', '--max-loops', '1', ...agents]);
    expect(roles(place)).toEqual(['builder']);
    expect(code).toBe(3);
  });

  it('No verifier starts while checks are red, whatever the builder says [B4]', async () => {
    const place = makePlace();
    const { code } = await run(place, { builder: `echo wrong > done.txt; ${saysDone}` }, '--max-loops', '2');
    expect(roles(place)).toEqual(['builder', 'builder']);
    expect(code).toBe(3);
  });

  it('The verifier starts when checks are green, whatever the builder says [B4]', async () => {
    const place = makePlace();
    const { code } = await run(place, { builder: 'echo right > done.txt; echo "not sure"' });
    expect(roles(place)).toEqual(['builder', 'verifier']);
    expect(code).toBe(0);
  });

  it('The next builder receives the failed check and its output [B4]', async () => {
    const place = makePlace();
    const check = 'cat done.txt; grep -q right done.txt || { echo "the word is missing"; exit 3; }';
    const builder = `if [ $n = 1 ]; then echo wrong > done.txt; else echo right > done.txt; fi; ${saysDone}`;
    await place.untildone(['run', 'do it', '--check', check, ...shellAgents(place, { builder })]);
    const [, second] = prompts(place, 'builder');
    expect(second).toContain('the word is missing');
    expect(second).toContain('exit 3');
  });

  it('A run never completes on an unchanged tree [X7]', async () => {
    const place = makePlace();
    const agents = shellAgents(place, { builder: saysDone });
    const { code } = await place.untildone([
      'run',
      'do it',
      '--check',
      'true',
      '--max-loops',
      '2',
      ...agents,
    ]);
    expect(code).toBe(3);
    expect(place.git('log', '--oneline', '--all', '--grep=Untildone-Step')).toBe('');
  });
});

describe('Rights and verdicts of the verifier', () => {
  it('The report of the verifier reaches the next builder, which must address it fully [B6]', async () => {
    const place = makePlace();
    const verifier = `if [ $n = 1 ]; then echo "<verifier-report>the colour is wrong</verifier-report>"; else ${passes}; fi`;
    const builder = `echo "right $n" > done.txt; ${saysDone}`;
    const { code } = await run(place, { builder, verifier });
    expect(code).toBe(0);
    expect(roles(place)).toEqual(['builder', 'verifier', 'builder', 'verifier']);
    const [first, second = ''] = prompts(place, 'builder');
    expect(first).not.toContain('the colour is wrong');
    expect(second).toContain('the colour is wrong');
    expect(second).toMatch(/must address fully/i);
    expect(second.indexOf('the colour is wrong')).toBeGreaterThan(second.search(/must address fully/i));
  });

  it('A verifier that prints no verdict is asked once more, and no second builder is paid for it [B6]', async () => {
    const place = makePlace();
    const verifier = `if [ $n = 1 ]; then echo "I am not content with the shape"; else ${passes}; fi`;
    const { code } = await run(place, { builder: `echo "right $n" > done.txt`, verifier });
    expect(code).toBe(0);
    expect(roles(place)).toEqual(['builder', 'verifier', 'verifier']);
    const [, second] = prompts(place, 'verifier');
    expect(second).toContain('the verifier gave no verdict');
    expect(second).not.toContain('not content with the shape');
  });

  it('A verifier that never prints a verdict parks the run for a person, who can approve the work [B6] [K8]', async () => {
    const place = makePlace();
    const { code, stdout } = await run(place, {
      builder: `echo "right $n" > done.txt`,
      verifier: 'echo "Looks fine to me."',
    });
    expect(code).toBe(6);
    expect(roles(place)).toEqual(['builder', 'verifier', 'verifier']);
    expect(stdout).toMatch(
      /the verifier gave no verdict: its output holds no marker and no report; it should print a line with nothing but ===VERIFIER_COMPLETE=== \(pass\), or <verifier-report>…<\/verifier-report> \(fail\)\n/,
    );
    expect(stdout.match(/no report; it should print/g)).toHaveLength(1);
    expect(stdout).toMatch(
      /\nDecide: untildone approve \S+ --task main --criterion verifier --tree [0-9a-f]{10}\n$/,
    );
    expect(stdout).not.toContain('reported failures');
    expect(stdout).toMatch(/finished; it printed no marker/);
    expect(eventsOf(place).some(({ type }) => type === 'attempt-failed')).toBe(false);
    const newest = newestRun(place);
    expect(
      (await place.untildone(['approve', newest, '--task', 'main', '--criterion', 'verifier'])).code,
    ).toBe(0);
    expect((await place.untildone(['resume', newest])).code).toBe(0);
  });

  it('A verifier that reports failures beside its marker does not pass the work [B5]', async () => {
    const place = makePlace();
    const verifier = `echo "<verifier-report>broken</verifier-report>"; ${passes}`;
    const { code } = await run(place, { builder: writesFile, verifier }, '--max-loops', '1');
    expect(code).toBe(3);
  });

  it('A verifier that wrote a file gives no valid verdict, and the builder is not blamed [B7]', async () => {
    const place = makePlace();
    const verifier = `if [ $n = 1 ]; then echo x > mine.txt; fi; ${passes}`;
    const { code } = await run(place, { builder: writesFile, verifier });
    expect(code).toBe(0);
    expect(roles(place)).toEqual(['builder', 'verifier', 'verifier']);
    const events = eventsOf(place);
    expect(events.filter(({ type }) => type === 'attempt-failed')).toEqual([]);
    expect(events.find(({ type }) => type === 'reviewer-failed')).toMatchObject({
      reason: expect.stringContaining('changed files') as string,
    });
    expect(filesOf(place)).toEqual(['README.md', 'done.txt']);
  });

  it('If a verifier crashes, the previous report is kept, and the builder is not blamed [B6]', async () => {
    const place = makePlace();
    const verifier = [
      'if [ $n = 1 ]; then echo "<verifier-report>first report</verifier-report>"',
      'elif [ $n = 2 ]; then kill -9 $$',
      'elif [ $n = 3 ]; then echo "<verifier-report>second report</verifier-report>"',
      `else ${passes}; fi`,
    ].join('\n');
    const { code } = await run(place, { builder: 'echo "right $n" > done.txt', verifier });
    expect(code).toBe(0);
    expect(roles(place).filter((role) => role === 'builder')).toHaveLength(3);
    const [, second, third] = prompts(place, 'builder');
    expect(second).toContain('first report');
    expect(third).toContain('second report');
    expect(eventsOf(place).filter(({ type }) => type === 'reviewer-failed')).toHaveLength(1);
  });

  it('If the verifier crashes each time, a person decides, and the run says why [B6] [X3]', async () => {
    const place = makePlace();
    const { code, stdout } = await run(place, { builder: writesFile, verifier: 'exit 7' });
    expect(stdout).toMatch(/no valid verdict 3 times in a row; the last reason: it .*7/);
    expect(code).toBe(6);
    expect(roles(place)).toEqual(['builder', 'verifier', 'verifier', 'verifier']);
  });
});

interface Agents {
  readonly builder: string;
  readonly verifier?: string;
}

function run(place: Place, agents: Agents, ...more: string[]) {
  return place.untildone(['run', 'do it', '--check', seesFile, ...more, ...shellAgents(place, agents)]);
}
