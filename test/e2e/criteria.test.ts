// The preset `criteria` as a person uses it, and what agents try against it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { saysDone, shellAgent } from './agents.ts';
import { eventsOf, sessionsOf } from './journal.ts';
import { branchOf, filesOf, prompts } from './looking.ts';
import { bin } from './package.ts';
import type { Place } from './place.ts';
import { makePlace, runFolders } from './place.ts';
import { send } from './processes.ts';
import { until } from './wait.ts';

const taskFile = `# TASK-015: Greetings

Write the greetings.

## Acceptance Criteria

- [ ] AC-1: hello.txt greets (check: grep -q hello hello.txt)
- [ ] AC-2: bye.txt says bye (check: grep -q bye bye.txt)
- [ ] AC-3: thanks.txt thanks (check: grep -q thanks thanks.txt)
- [ ] AC-4: welcome.txt welcomes (check: grep -q welcome welcome.txt)
`;

const words = { 'AC-1': 'hello', 'AC-2': 'bye', 'AC-3': 'thanks', 'AC-4': 'welcome' };

/** Does what it is asked for; `also` is what else it does. */
function builder(also = ''): string {
  const cases = Object.entries(words).map(
    ([id, word]) => `*"Your part now: ${id}"*) echo ${word} > ${word}.txt;;`,
  );
  return `prompt=$(cat)\ncase "$prompt" in\n${cases.join('\n')}\nesac\n${also}\n${saysDone}\n`;
}

function withTask(text = taskFile, config: object = {}): Place {
  const place = makePlace({ files: { 'task.md': text } });
  mkdirSync(join(place.repo, '.untildone'), { recursive: true });
  writeFileSync(join(place.repo, '.untildone/config.jsonc'), JSON.stringify(config));
  return place;
}

const runIt = ['run', '--preset', 'criteria', '--task-file', 'task.md'];

describe('A run over criteria', () => {
  it('A run over criteria completes, marks its checkpoints as not proven, and prints the documented block [K1] [K9] [K10] [K12]', async () => {
    const place = withTask();
    // The third session breaks what the first one did.
    const also = '[ "$UNTILDONE_ORDINAL" = 3 ] && rm -f hello.txt';
    const { code } = await place.untildone([...runIt, ...shellAgent(place, builder(also))]);
    expect(code).toBe(0);
    const about = sessionsOf(eventsOf(place)).map(({ deed }) => deed.criterionId);
    expect(about).toEqual(['AC-1', 'AC-2', 'AC-3', 'AC-4', 'AC-1']);
    expect(eventsOf(place).filter(({ type }) => type === 'criterion-reopened')).toMatchObject([
      { criterionId: 'AC-1' },
    ]);
    const log = place.git('log', '--format=%s%n%(trailers)', branchOf(place));
    expect(log).toContain('wip(TASK-015): checkpoint, 3 of 4 criteria pass');
    expect(log).toMatch(/Untildone-Checkpoint: AC-2 AC-3 AC-4/);
    expect(log.match(/Untildone-Task:/g)).toHaveLength(1);
    const status = await place.untildone(['status']);
    expect(status.stdout).toContain(
      '📊 Loop Session\nTask: TASK-015 - Greetings\nIteration: 2\nRetries: 0\n',
    );
    expect(status.stdout).toContain('Acceptance Criteria:\n  ✅ AC-1: hello.txt greets\n');
    const stats = await place.untildone(['stats']);
    expect(stats.stdout).toMatch(
      /^📈 Loop Statistics\nTotal loops: 1\nCompleted: 1\nFailed: 0\nAvg iterations: 2\.0/,
    );
  });

  it('A run that is parked between criteria shows the open ones, and continues by resume [K10] [K12]', async () => {
    const place = withTask(taskFile, { loops: { pauseBetweenScenarios: true } });
    const { code, stdout } = await place.untildone([...runIt, ...shellAgent(place, builder())]);
    expect(code).toBe(6);
    expect(stdout).toContain('AC-1 is done, and AC-2 is next');
    const status = await place.untildone(['status']);
    expect(status.stdout).toContain('  ✅ AC-1: hello.txt greets\n  ❌ AC-2: bye.txt says bye');
    expect(status.stdout).toContain('Can exit: No (incomplete)');
    const codes = [];
    for (let n = 0; n < 3; n += 1) codes.push((await place.untildone(['resume'])).code);
    expect(codes).toEqual([6, 6, 0]);
    expect(sessionsOf(eventsOf(place))).toHaveLength(4);
  });

  it('A run whose entry criterion is red does not begin: it is blocked, and nothing is spent [X3]', async () => {
    const text = `${taskFile}\n## Entry criteria\n\n- [ ] the server is up (check: test -f server.up)\n`;
    const place = withTask(text);
    const { code, stdout } = await place.untildone([...runIt, ...shellAgent(place, builder())]);
    expect(code).toBe(4);
    expect(stdout).toContain('an entry criterion does not hold');
    expect(sessionsOf(eventsOf(place))).toEqual([]);
  });

  it('A run parks for a criterion that only a person can decide, and completes when the person approves it [K8]', async () => {
    const place = withTask(
      '# T\n## Acceptance criteria\n- [ ] hello.txt greets (check: grep -q hello hello.txt)\n- [ ] it sounds kind\n',
    );
    const { code, stdout } = await place.untildone([...runIt, ...shellAgent(place, builder())]);
    expect(code).toBe(6);
    expect(stdout).toContain('AC-2 "it sounds kind" is decided by a person');
    expect(stdout).toContain("Parked: a person's approval: Is this so: it sounds kind");
    expect((await place.untildone(['resume'])).code).toBe(6);
    const said = await place.untildone(['approve', '--criterion', 'AC-2']);
    expect(said.code).toBe(0);
    const { code: last } = await place.untildone(['resume']);
    expect(last).toBe(0);
  });

  it('The outcome names the person who reduced the criteria, and the reason [K5]', async () => {
    const place = withTask(taskFile, { loops: { pauseBetweenScenarios: true } });
    await place.untildone([...runIt, ...shellAgent(place, builder())]);
    const bare = await place.untildone(['criteria', 'skip', 'AC-2']);
    expect(bare.code).toBe(2);
    expect(bare.stderr).toContain('needs a reason');
    // Other words: what decided the old ones says nothing about them.
    const reworded = ['criteria', 'edit', 'AC-3', '--text', 'src/tax.ts exports `vatOf`', '--optional'];
    const edited = await place.untildone([...reworded, '--why', 'the vendor is down']);
    expect(edited.stdout).toContain('(by export vatOf in src/tax.ts, not required)');
    expect(edited.stderr).toMatch(/note: AC-3 .* is decided by `export vatOf in src\/tax.ts` \(inferred, /);
    for (const args of [
      ['criteria', 'skip', 'AC-2', '--why', 'next release'],
      ['criteria', 'add', 'thanks twice', '--check', 'true'],
    ])
      expect((await place.untildone(args)).code).toBe(0);
    let end = await place.untildone(['resume']);
    while (end.code === 6) end = await place.untildone(['resume']);
    expect(end.code).toBe(0);
    expect(end.stdout).toMatch(
      /AC-3 was changed by .* \(the vendor is down\); AC-2 was skipped by .* \(next release\)/,
    );
    const list = await place.untildone(['criteria', '--json']);
    const { criteria } = JSON.parse(list.stdout) as { criteria: { id: string; state: string }[] };
    expect(criteria.map(({ id, state }) => `${id} ${state}`)).toEqual([
      'AC-1 pass',
      'AC-2 skipped',
      'AC-3 fail',
      'AC-4 pass',
      'AC-5 pass',
    ]);
  });
});

describe('Agents that avoid the work', () => {
  it('A checkbox ticked in the task file and the word done change nothing [K3]', async () => {
    const place = withTask(taskFile.split('- [ ] AC-3')[0], { loops: { maxRetries: 2 } });
    const liar = `cat > /dev/null; sed -i 's/\\[ \\]/[x]/' task.md; echo All criteria pass.\n${saysDone}\n`;
    const { code, stdout } = await place.untildone([...runIt, ...shellAgent(place, liar)]);
    expect(code).toBe(3);
    expect(stdout).toMatch(/Exhausted: AC-1 failed 2 times.*AC-2 failed 2 times/);
    expect(filesOf(place)).toEqual(['task.md']);
    expect(place.git('show', `${branchOf(place)}:task.md`)).not.toContain('[x]');
    expect(prompts(place, 'builder')[1]).toContain('- [open] AC-1: hello.txt greets');
  });

  it('Skipping, editing and accepting criteria is refused from inside a run, and a proposal decides nothing [K5] [X12]', async () => {
    const place = withTask(taskFile, { loops: { maxRetries: 1 } });
    const out = join(place.folder, 'tried.txt');
    const state = `XDG_STATE_HOME=${place.stateHome} HOME=${join(place.folder, 'home')}`;
    const tries = [
      'skip AC-1 --why tired',
      'remove AC-1 --why tired',
      'edit AC-1 --check true --why tired',
      'edit AC-1 --optional --why tired',
      'add more --check true',
      'propose AC-1 --skip --why tired',
      'propose "a file is there" --check true',
      'accept x',
    ];
    // Without its mark it is still a child of the run.
    const attack = tries
      .map(
        (args) =>
          `env -u UNTILDONE_MARK ${state} ${bin()} criteria ${args} >> ${out} 2>&1; echo "$? ${args.split(' ')[0] ?? ''}" >> ${out}.codes`,
      )
      .join('\n');
    const text = `cat > /dev/null\nif [ "$UNTILDONE_ORDINAL" = 1 ]; then\n${attack}\nfi\n${saysDone}\n`;
    const { code } = await place.untildone([...runIt, ...shellAgent(place, text)]);
    expect(code).toBe(3);
    expect(readFileSync(`${out}.codes`, 'utf8').trim().split('\n')).toEqual([
      '2 skip',
      '2 remove',
      '2 edit',
      '2 edit',
      '2 add',
      '0 propose',
      '0 propose',
      '2 accept',
    ]);
    const kinds = eventsOf(place).map(({ type }) => type);
    expect(kinds.filter((type) => type === 'criterion-proposed')).toHaveLength(2);
    expect(kinds).not.toContain('criteria-changed');
  });

  it('A run that is killed again and again around its checkpoints loses and repeats none of them [K10] [D4]', async () => {
    const place = withTask(taskFile, { loops: { commitEvery: 1 } });
    const args = [...runIt, '--budget', 'sessions=200,usd=100000', ...shellAgent(place, builder())];
    const commits = (): number =>
      eventsOf(place).filter((event) => event.type === 'step-started' && event.step.deed.kind === 'commit')
        .length;
    for (let kills = 1; kills <= 3; kills += 1) {
      const running = place.start(args, { isGroup: true });
      await until(`checkpoint ${kills}`, () => commits() >= kills);
      send(running.pid, 'SIGKILL');
      await running.ended;
    }
    const { code } = await place.untildone(args);
    expect(code).toBe(0);
    expect(runFolders(place)).toHaveLength(1);
    const steps = place.git('log', '--format=%(trailers:key=Untildone-Step,valueonly)', branchOf(place));
    const all = steps.split('\n').filter((line) => line !== '');
    expect(new Set(all).size).toBe(all.length);
    expect(all).toHaveLength(4);
    expect(place.git('log', '--format=%P', branchOf(place))).not.toContain(' ');
    const proven = place.git('log', '--format=%(trailers:key=Untildone-Task,valueonly)', branchOf(place));
    expect(proven.trim().split(/\n+/)).toEqual(['TASK-015']);
  });
});
