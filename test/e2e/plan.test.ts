// One plan from start to end: requested, rejected, edited by hand, revised, approved, executed, and executed again from a copy.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { plainAgent } from './agents.ts';
import { prompts } from './looking.ts';
import type { Place } from './place.ts';
import { newestRun } from './looking.ts';
import { makePlace, runFolders } from './place.ts';
import { until } from './wait.ts';

interface PlanFile {
  readonly goal: string;
  readonly version: number;
  readonly tasks: readonly { readonly [field: string]: unknown }[];
}

const task = (id: string, known: object = {}): object => ({
  id,
  title: `Write ${id}`,
  creates: [`${id}.txt`],
  exitCriteria: [{ text: `${id} is there`, check: `grep -q right ${id}.txt` }],
  ...known,
});

/** What the architect answers, one after the other. */
const answers = [
  { summary: 'all at once', tasks: [task('A')] },
  { summary: 'two steps', tasks: [task('A'), task('B', { dependsOn: ['A'] })] },
  { summary: 'with D', tasks: [task('B'), task('D')], dropped: [{ id: 'C', why: 'not now' }] },
];

/** Knows its file from its prompt; the builder of A waits for a file. */
function agentAt(place: Place): string[] {
  for (const [index, plan] of answers.entries())
    place.write(`answer-${index + 1}`, `<plan>\n${JSON.stringify(plan)}\n</plan>\n`);
  const text = [
    `if [ "$UNTILDONE_ROLE" = architect ]; then cat '${place.folder}'/answer-$UNTILDONE_ORDINAL; exit; fi`,
    `id=$(sed -n 's/^## Task: Write \\(.\\).*/\\1/p')`,
    `echo "$id" >> '${place.folder}/begun'`,
    `while [ "$id" = A ] && [ ! -e '${place.folder}/go' ]; do sleep 0.05; done`,
    `echo right > "$id.txt"; echo; echo '===TASK_COMPLETE==='`,
  ];
  return plainAgent(place, `${text.join('\n')}\n`);
}

async function planOf(place: Place): Promise<PlanFile> {
  return JSON.parse((await place.untildone(['plan', '--json'])).stdout) as PlanFile;
}

const withoutStatus = ({ tasks }: PlanFile) => tasks.map(({ status: _status, ...spec }) => spec);

describe('A plan that a person edits', () => {
  it('A plan is exported, rejected, drawn, edited, replaced, reconsidered and approved, and no step is lost [C1] [C6] [Q5]', async () => {
    const place = makePlace();
    place.write('config/untildone/config.jsonc', JSON.stringify({ campaign: { milestones: [] } }));
    const agent = agentAt(place);
    const out = join(place.folder, 'plan.json');
    const say = async (...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await place.untildone(args);
      expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' });
      return stdout;
    };
    expect(
      await place.untildone(['plan', 'A, B and C', '--out', '/no/such/plan.json', ...agent]),
    ).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('cannot be written') as string,
    });
    expect(runFolders(place)).toEqual([]);
    const planned = await place.untildone(['plan', 'A, B and C', '--out', out, ...agent]);
    expect(planned).toMatchObject({ code: 6 });
    expect(JSON.parse(readFileSync(out, 'utf8'))).toMatchObject({ goal: 'A, B and C', isProposal: true });

    // Without a driver the answer is written down and shown, and the question is not asked again.
    expect(await say('reject', '--why', 'two steps, please')).toMatch(
      /Rejected: plan 1\. Run \S+ has no driver/,
    );
    for (const shown of ['status', 'plan'])
      expect(await say(shown)).toMatch(
        /Decided by .*: reject plan 1 \(two steps, please\)\. It takes effect with:/,
      );
    expect(await place.untildone(['reject', '--why', 'no'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Plan 1 is rejected already') as string,
    });
    // Until a driver has acted on it, it can be taken back.
    await say('approve');
    await say('reject', '--why', 'two steps, please');
    expect(await place.untildone(['resume'])).toMatchObject({ code: 6 });
    expect(prompts(place, 'architect')[1]).toContain('rejected it: two steps, please');
    expect(await say('plan', '--mermaid')).toContain('  t1["A Write A"]\n  t2["B Write B"]');

    // A person edits what was printed.
    const printed = await planOf(place);
    const [first = {}, second = {}] = printed.tasks;
    const mine = {
      ...printed,
      summary: 'mine',
      tasks: [
        first,
        { ...second, title: 'Write B well', securityCritical: true, mayChange: ['test/**'] },
        task('C', { dependsOn: ['B'], agents: { builder: agent[1] } }),
      ],
    };
    place.write('mine.json', JSON.stringify(mine));
    const other = place.write('other.json', JSON.stringify({ ...mine, goal: 'something else' }));
    expect((await place.untildone(['plan', '--replace', other])).stderr).toContain(
      'The goal of a run cannot change',
    );
    await say('plan', '--replace', join(place.folder, 'mine.json'));

    // While A is built: think again.
    const driver = place.start(['resume']);
    await until('the builder of A', () => existsSync(join(place.folder, 'begun')));
    const kept = await planOf(place);
    expect(kept).toMatchObject({ version: 3, tasks: [{ status: 'active' }, {}, {}] });
    expect(await say('plan', '--again', 'C can wait')).toBe('A new plan is requested.\n');
    place.write('go', '');
    expect(await driver.ended).toMatchObject({ code: 6 });
    expect(prompts(place, 'architect')[2]).toContain('C can wait');
    const shown = await say('plan');
    expect(shown).toMatch(/Added:\n {2}D[^]*Changed:\n {2}B: other [^]*Dropped:\n {2}C: not now/);
    await say('approve');
    expect(await say('plan')).toContain('approve plan 4. It takes effect with: untildone resume');
    expect(await place.untildone(['resume'])).toMatchObject({ code: 0 });
    const done = await planOf(place);
    expect(done.tasks.map(({ id, status }) => `${String(id)} ${String(status)}`)).toEqual([
      'A landed',
      'B landed',
      'D landed',
    ]);
    // What only a person can say of a task has outlived the architect's plan.
    expect(done.tasks[1]).toMatchObject({ securityCritical: true, mayChange: ['test/**'] });

    // Another run by the same file: without an architect, and the same plan.
    const again = ['run', '--plan', join(place.folder, 'mine.json'), '--yes', ...agent];
    expect(await place.untildone(again)).toMatchObject({ code: 0 });
    expect(withoutStatus(await planOf(place))).toEqual(withoutStatus(kept));
  });
});

describe('A plan with a criterion that no machine can check', () => {
  const soft = task('A', {
    exitCriteria: [
      { text: 'A is there', check: 'grep -q right A.txt' },
      { text: 'the tone of A is friendly' },
    ],
  });

  function agentWith(place: Place, only = soft): string[] {
    place.write('config/untildone/config.jsonc', JSON.stringify({ campaign: { milestones: [] } }));
    place.write('answer', `<plan>\n${JSON.stringify({ summary: 'one step', tasks: [only] })}\n</plan>\n`);
    const text = `if [ "$UNTILDONE_ROLE" = architect ]; then cat '${place.folder}/answer'; exit; fi\necho right > A.txt; echo; echo '===TASK_COMPLETE==='\n`;
    return plainAgent(place, text);
  }

  it('One soft criterion costs no second answer of the architect, and the person who approved the plan decides it [C1] [K8]', async () => {
    const place = makePlace();
    const planned = await place.untildone(['plan', 'write A', ...agentWith(place)]);
    expect(planned).toMatchObject({ code: 6 });
    expect(planned.stdout).toContain(
      'A: no check was found for "the tone of A is friendly", so a person decides it',
    );
    expect((await place.untildone(['approve'])).code).toBe(0);
    const asked = await place.untildone(['resume']);
    expect(asked).toMatchObject({ code: 6 });
    expect(asked.stdout).toContain('Is this so: the tone of A is friendly');
    expect((await place.untildone(['approve'])).code).toBe(0);
    expect((await place.untildone(['resume'])).code).toBe(0);
    expect(prompts(place, 'architect')).toHaveLength(1);
  });

  it('A task whose only criterion is soft costs no second answer either, and waits for the verdict of the person [C1] [K8]', async () => {
    const place = makePlace();
    const only = task('A', { exitCriteria: [{ text: 'the tone of A is friendly' }] });
    expect(await place.untildone(['plan', 'write A', ...agentWith(place, only)])).toMatchObject({ code: 6 });
    expect((await place.untildone(['approve'])).code).toBe(0);
    const asked = await place.untildone(['resume']);
    expect(asked).toMatchObject({ code: 6 });
    expect(asked.stdout).toContain('Is this so: the tone of A is friendly');
    expect((await place.untildone(['approve'])).code).toBe(0);
    expect((await place.untildone(['resume'])).code).toBe(0);
    expect(prompts(place, 'architect')).toHaveLength(1);
    expect(place.git('show', `untildone/${newestRun(place)}:A.txt`)).toContain('right');
  });

  it('With --yes the soft criterion is skipped, the note is printed, and the run completes [C1]', async () => {
    const place = makePlace();
    const run = await place.untildone([
      'run',
      'write A',
      '--preset',
      'campaign',
      '--yes',
      ...agentWith(place),
    ]);
    expect(run.stdout).toContain('A: no check was found for "the tone of A is friendly", so it is left out');
    expect(run.stdout).toMatch(/✓ reviewers: +none; only the checks of each task decide/);
    expect(run.code).toBe(0);
    expect(prompts(place, 'architect')).toHaveLength(1);
  });
});
