// A run without a verifier: the role of a plain command, the proof of its work, and the texts about it.
import { describe, expect, it } from 'vitest';
import { plainAgent, seesFile } from './agents.ts';
import { branchOf, newestRun, roles } from './looking.ts';
import type { Place } from './place.ts';
import { makePlace } from './place.ts';

/** As a program behaves that knows none of our markers. */
const works = 'cat > /dev/null; echo right > done.txt; echo "All done."\n';
const green = ['--check', 'test -f README.md'];

function go(place: Place, ...more: string[]) {
  return place.untildone(['run', 'do it', ...more, ...plainAgent(place, works)]);
}

function beforeWork(stdout: string): string {
  return stdout.slice(0, stdout.indexOf('builder_001 starts'));
}

describe('A plain command as the agent', () => {
  it('A plain command builds and never reviews, and a check that turned green proves its work', async () => {
    const place = makePlace();
    const { code, stdout } = await go(place, '--check', seesFile);
    expect(beforeWork(stdout)).toMatch(/! verifier: +none \(command:sh \S+agent\.sh is a plain command/);
    expect(beforeWork(stdout)).toContain('a check that turns from red to green, or your approval');
    expect(stdout).toContain('Proof: checks');
    expect(code).toBe(0);
    expect(roles(place)).toEqual(['builder']);
    expect(place.git('show', `${branchOf(place)}:done.txt`)).toBe('right');
    expect((await place.untildone(['verify', newestRun(place)])).code).toBe(0);
  });

  it('Work of a plain command that no check proves waits for no review: it ends with 7 and completes by approval', async () => {
    const place = makePlace();
    const { code, stdout } = await go(place, ...green, '--accept-review');
    expect(beforeWork(stdout)).toContain(
      'No check fails before the work, so no check can prove it, and there is no reviewer',
    );
    expect(beforeWork(stdout)).not.toContain("reviewer's pass");
    expect(code).toBe(7);
    const runId = newestRun(place);
    expect(stdout).toContain(`untildone approve ${runId}`);
    expect(stdout).not.toMatch(/reviewed, not proven/i);
    const approved = await place.untildone(['approve', runId]);
    expect(approved.stdout).toContain('Proof: person (a person approved the work)');
    expect(approved.code).toBe(0);
    expect(roles(place)).toEqual(['builder']);
  });

  it('A reviewer that would be a plain command is refused before anything starts, with a hint', async () => {
    const place = makePlace();
    place.write('repo/.untildone/config.jsonc', '{ "reviewers": [{ "name": "security" }] }');
    const { code, stdout, stderr } = await go(place, '--check', seesFile);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(
      /No agent is named for the reviewer security, and command:sh .* may print no verdict\./,
    );
    expect(stderr).toMatch(/Hint: Name one: --agent security=claude, or --agent "security=command:sh /);
  });
});

describe('The flag --verifier none', () => {
  it('A queue without a verifier completes its tasks by their checks alone', async () => {
    const place = makePlace();
    const task = (n: number): object => ({
      id: `T${n}`,
      title: `Write ${n}`,
      agents: { verifier: 'nobody' },
      criteria: [{ text: 'it is there', check: `test -f f${n}.txt` }],
    });
    place.write('repo/tasks.json', JSON.stringify([task(1), task(2)]));
    place.git('add', '.');
    place.git('commit', '-q', '-m', 'tasks');
    const agent = plainAgent(
      place,
      'cat > /dev/null; if [ -e f1.txt ]; then touch f2.txt; else touch f1.txt; fi\n',
    );
    const { code, stdout } = await place.untildone(['queue', 'tasks.json', '--verifier', 'none', ...agent]);
    expect(beforeWork(stdout)).toMatch(/✓ verifier: +none \(--verifier none\)/);
    expect(stdout).toContain('Proof: checks');
    expect(code).toBe(0);
    expect(roles(place)).toEqual(['builder', 'builder']);
  });

  it('Lines that the work adds to a test wait for a person if no reviewer can pass them', async () => {
    const place = makePlace({ files: { 'test.sh': 'test -f README.md\n' } });
    const text = 'cat > /dev/null; echo right > done.txt; echo "grep -q right done.txt" >> test.sh\n';
    const agent = plainAgent(place, text);
    const args = ['run', 'do it', '--check', seesFile, '--check', 'sh test.sh', '--verifier', 'none'];
    const { code, stdout } = await place.untildone([...args, '--max-loops', '1', ...agent]);
    expect(stdout).toContain('untildone accept');
    expect(code).toBe(6);
    expect(roles(place)).toEqual(['builder']);
  });
});
