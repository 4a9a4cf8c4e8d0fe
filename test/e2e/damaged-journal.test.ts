// An unsandboxed agent damages the state folder; the user still reads what really happened.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
  expect(run.stderr).toContain('changed by another program');
  expect(runFolders(place)).toHaveLength(1);
  for (const [command, sessions] of [
    ['status', /^Spent: 3 sessions \(1 cut off\)/m],
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

it('After journal and copy were cut to their first 3 lines, status warns and resume refuses instead of paying again [Q7] [D4]', async () => {
  const place = makePlace();
  const agents = shellAgents(place, { builder: saysDone });
  await place.untildone(['run', 'do it', '--check', seesFile, '--budget', 'sessions=2', ...agents]);
  const [run = ''] = runFolders(place);
  const copies = join(place.repo, '.git', 'untildone');
  const copy = join(copies, readdirSync(copies).find((name) => name.endsWith('.mirror.jsonl')) ?? '');
  for (const file of [join(run, 'journal.jsonl'), copy])
    writeFileSync(file, readFileSync(file, 'utf8').split('\n').slice(0, 3).join('\n') + '\n');
  const lost = 'lost lines: it does not know 2 session(s) that were paid for.';
  expect((await place.untildone(['status'])).stderr).toContain(lost);
  const again = await place.untildone(['resume']);
  expect(again.stderr).toContain(lost);
  expect(again.stderr).toContain('--new');
  expect(again.code).not.toBe(0);
  expect(readdirSync(join(run, 'receipts'))).toHaveLength(2);
});
