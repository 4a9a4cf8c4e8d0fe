// An agent without a sandbox reaches the state folder; what the user reads afterwards is what happened.
import { expect, it } from 'vitest';
import { saysDone, seesFile, shellAgents } from './agents.ts';
import { makePlace, runFolders } from './place.ts';

it('After an agent cut the journal down to its first line, status, list and show name the sessions and warn [Q7] [D5]', async () => {
  const place = makePlace();
  const cut = [
    `for journal in '${place.stateHome}'/untildone/*/*/journal.jsonl; do`,
    '  first=$(head -n 1 "$journal"); printf "%s\\n" "$first" > "$journal"',
    'done',
  ].join('\n');
  const builder = `if [ "$n" = 3 ]; then\n${cut}\necho right > done.txt\nfi\n${saysDone}`;
  const run = await place.untildone([
    'run',
    'do it',
    '--check',
    seesFile,
    ...shellAgents(place, { builder }),
  ]);
  expect(run.stderr).toContain('changed by someone else');
  expect(runFolders(place)).toHaveLength(1);
  for (const [command, sessions] of [
    ['status', /^Spent: 2 sessions/m],
    ['list', /interrupted/],
    ['show', /builder_003/],
  ] as const) {
    const { code, stdout, stderr } = await place.untildone([command]);
    expect(stderr).toContain('comes from the copy in');
    expect(stdout).not.toMatch(/\b0 sessions|preparing the workspace$/m);
    expect(stdout).toMatch(sessions);
    expect(code).toBe(0);
  }
  const again = await place.untildone(['resume']);
  expect(`${again.stdout}${again.stderr}`).toMatch(/was damaged: entry .* comes from the copy/);
  expect(again.code).toBe(0);
});
