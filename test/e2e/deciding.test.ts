// All decisions of a person from another terminal, in one run: every command, its output, and its record with name
// and time.
import { describe, expect, it } from 'vitest';
import { saysDone, shellAgents } from './agents.ts';
import { eventsOf } from './journal.ts';
import { prompts } from './looking.ts';
import type { Place } from './place.ts';
import { makePlace } from './place.ts';

const tasks = `# Tasks

## TASK-1: Write the price
- [ ] AC-1: price.txt names a price (check: grep -q 5 price.txt)

## TASK-2: Write the greeting
- [ ] AC-1: hello.txt greets (check: grep -q hello hello.txt)

## TASK-3: Write the page
- [ ] AC-1: page.html has a heading (check: grep -q h1 page.html)
- [ ] AC-2: it looks kind (human)
`;

/** Asks about the price, cannot greet before `able` lies there, and makes a dull page until somebody says so. */
function builder({ folder }: Place): string {
  return `case "$prompt" in
*"Write the price"*) case "$prompt" in *"euro, always"*) printf '5 euro\\n' > price.txt;; *) printf '===NEEDS_INPUT===\\nWhich currency?\\n'; exit 0;; esac;;
*"Write the greeting"*) if [ -e '${folder}/able' ]; then echo hello > hello.txt; else echo none > other.txt; fi;;
*"Write the page"*) case "$prompt" in *"too dull"*) echo '<h1>Welcome!</h1>' > page.html;; *) echo '<h1>page</h1>' > page.html;; esac;;
esac
${saysDone}`;
}

/** One sentence, a hint that names a next step, and exit 2. */
const wrong: readonly (readonly [string, RegExp, RegExp])[] = [
  ['answer', /^Missing required argument 'text'\./, /--help/],
  ['answer x --question nope', /^No such question waits/, /untildone answer "…" --run \S+ --question q-/],
  ['retry TASK-1', /^Task TASK-1 waits for an answer\./, /untildone status/],
  ['retry TASK-9', /has no task "TASK-9"/, /TASK-1/],
  ['approve --criterion AC-9', /^Nothing like that waits/, /untildone approve \S+ --task TASK-3/],
  ['approve --tree 00000000', /The work has changed: it is tree/, /untildone status/],
  ['reject', /needs a reason/, /--why/],
  ['criteria accept nope', /^No proposal "nope" is open/, /untildone criteria/],
  ['criteria remove AC-1', /has several tasks/, /--task/],
  ['criteria remove AC-1 --task TASK-1', /asks for less .* needs a reason/, /--why/],
  [
    'criteria explain AC-1',
    /^Several tasks have a criterion AC-1/,
    /--task with one of TASK-1, TASK-2, TASK-3/,
  ],
  ['criteria explain AC-7 --task TASK-1', /^Task TASK-1 has no criterion "AC-7"/, /AC-1/],
  ['criteria add  --task TASK-1', /^It says nothing/, /untildone criteria add/],
  ['criteria edit AC-1 --task TASK-1', /No change is given/, /--text/],
  ['criteria edit AC-1 --task TASK-1 --optional --required', /cannot be used with/, /--help/],
  ['criteria edit AC-1 --task TASK-2 --human --why x', /task TASK-2 is failed already/, /untildone criteria/],
];

describe('Decisions from another terminal', () => {
  it('A person answers, retries, changes criteria, approves and rejects; each decision is confirmed and recorded with name and time [Q5] [Q10] [K5] [K8] [U4] [X6]', async () => {
    const place = makePlace({ files: { 'tasks.md': tasks } });
    const agents = shellAgents(place, { builder: builder(place) });
    const run = await place.untildone(['queue', 'tasks.md', '--max-loops', '1', ...agents]);
    expect(`${run.code} ${run.stdout}`).toMatch(/^6 [^]*Which currency\?[^]*it looks kind/);
    for (const [words, said, hint] of wrong) {
      const { code, stdout, stderr } = await place.untildone(words.split(' '));
      const [message = '', after = ''] = stderr.split('\nHint: ');
      expect({ words, code, stdout, message, after }).toEqual({
        words,
        code: 2,
        stdout: '',
        message: expect.stringMatching(said) as string,
        after: expect.stringMatching(hint) as string,
      });
    }
    const say = async (...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await place.untildone(args);
      expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' });
      return stdout;
    };
    const of = ['--task', 'TASK-1'];
    const one = 'test $(wc -l < price.txt) = 1';
    // Each command sees the effect of the one before, although the run has no driver.
    expect(await say('criteria', 'add', 'it is in euro', '--check', 'grep -q euro price.txt', ...of)).toMatch(
      /^Done: add AC-2: it is in euro .*Continue with: untildone resume/,
    );
    expect(await say('criteria', 'add', 'one line', '--check', one, ...of)).toMatch(/^Done: add AC-3/);
    await say('criteria', 'add', 'it is cheap', '--human', ...of);
    await say('criteria', 'remove', 'AC-4', '--why', 'who knows', ...of);
    await say('criteria', 'edit', 'AC-3', '--optional', '--why', 'a wish', ...of);
    const list = await say('criteria');
    expect(list).toMatch(/TASK-1 +AC-2 +exit +it is in euro +grep -q euro price\.txt/);
    expect(list).toMatch(
      /⚠️ {2}task TASK-1: remove AC-4, by .* at 20\d\d-\d\d-\d\d \d\d:\d\d UTC: who knows/,
    );
    expect(await say('criteria', 'explain', 'AC-3', ...of)).toMatch(
      /not required[^]*Changed: change AC-3.* by .* at 20\d\d.*: a wish/,
    );

    place.write('able', '');
    expect(await say('answer', 'euro, always')).toMatch(/^Answered the question of task TASK-1\./);
    expect(await say('retry', 'TASK-2', '--no-drive')).toMatch(/^Task TASK-2 is open again\./);
    // No driver has applied it yet: the last decision counts.
    expect(await say('approve')).toMatch(/^Approved: AC-2 of task TASK-3/);
    expect((await place.untildone(['approve'])).stderr).toMatch(/approved already.*\nHint: .*withdraw it: /);
    expect(await say('reject', '--why', 'too dull')).toMatch(
      /^Rejected: AC-2 of task TASK-3.* Your earlier decision is withdrawn/,
    );
    const again = await place.untildone(['answer', 'dollar']);
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('No such question') as string });

    // The rejection used up the only attempt of TASK-3: a person may say "once more".
    const second = await place.untildone(['resume', '--budget', 'attempts=2']);
    expect(`${second.code} ${second.stdout}`).toMatch(/^6 [^]*it looks kind/);
    expect(prompts(place, 'builder').at(-1)).toContain('too dull');
    expect(await say('approve')).toMatch(/^Approved: AC-2 of task TASK-3/);
    const end = await place.untildone(['resume']);
    expect(`${end.code} ${end.stdout}`).toMatch(/^0 [^]*✅ Completed/);
    expect(end.stdout).toMatch(/AC-4 was removed by .* \(who knows\)/);
    const shown = await say('show');
    for (const kind of ['answer', 'retry', 'reject', 'approve', 'change-criteria'])
      expect(shown).toMatch(new RegExp(`\\d\\d:\\d\\d:\\d\\d.*${kind} requested by \\S+ \\(pid \\d+\\)`));
    expect(await say('status')).toMatch(/✅ AC-2: it looks kind/);
    const refused = eventsOf(place).filter(({ type }) => type === 'control-refused');
    expect(refused).toEqual([]);
    expect((await place.untildone(['approve'])).stderr).toMatch(/\nHint: /);
  });
});
