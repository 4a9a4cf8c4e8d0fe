// A run and its fork, and how each of them is shown.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { saysDone, seesFile, shellAgents } from './agents.ts';
import type { Place } from './place.ts';
import { makePlace, runFolders } from './place.ts';

interface Shown {
  readonly runId: string;
  readonly forkedFrom?: { readonly runId: string; readonly event: number };
  readonly forks: readonly { readonly runId: string; readonly event: number }[];
}

it('A fork from before the second attempt completes, and the old run is neither changed nor paid for again [D5] [D4]', async () => {
  const place = makePlace();
  const ledger = join(place.folder, 'ledger');
  const builder = `echo "builder $n" >> ${ledger}; [ "$n" = 1 ] && echo wrong > done.txt || echo right > done.txt; ${saysDone}`;
  const verifier = `echo "verifier $n" >> ${ledger}; echo; echo "===VERIFIER_COMPLETE==="`;
  const agents = shellAgents(place, { builder, verifier });
  expect((await place.untildone(['run', 'do it', '--check', seesFile, ...agents])).code).toBe(0);
  const [oldFolder = ''] = runFolders(place);
  const old = await json<{ state: Shown; events: { type: string }[] }>(place, ['show', '--json']);
  const { runId } = old.state;
  const before = picture(place, oldFolder, runId);
  const event = old.events.findIndex(({ type }) => type === 'attempt-failed') + 1;
  const history = (await place.untildone(['show', runId])).stdout.split('\n');
  const line = history.find((one) => one.includes('attempt 1 failed')) ?? '';
  expect(Number(/^ *(\d+) {2}/.exec(line)?.[1])).toBe(event);

  const refused = await place.untildone(['fork', '--run', runId, '--from', String(event + 1)]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain(`Nearest events: ${event} and ${event + 2}.`);
  const made = await json<Shown & { next: string }>(place, ['fork', runId, '--from', `${event}`, '--json']);
  expect(made).toMatchObject({ forkedFrom: { runId, event }, next: `untildone resume ${made.runId}` });
  expect(readFileSync(ledger, 'utf8')).toBe('builder 1\nbuilder 2\nverifier 1\n');
  expect((await place.untildone(['status', made.runId])).stdout).toContain('Spent: 0 sessions');

  const resumed = await place.untildone(['resume', made.runId]);
  expect([resumed.code, resumed.stderr]).toEqual([0, '']);
  expect(readFileSync(ledger, 'utf8')).toBe('builder 1\nbuilder 2\nverifier 1\nbuilder 2\nverifier 1\n');
  expect(picture(place, oldFolder, runId)).toEqual(before);

  const forks = [{ runId: made.runId, event }];
  expect(await json<Shown>(place, ['status', runId, '--json'])).toMatchObject({ forks });
  expect(await json<Shown>(place, ['status', made.runId, '--json'])).toMatchObject({
    forkedFrom: { runId, event },
  });
  expect(await json<Shown[]>(place, ['list', '--json'])).toMatchObject([
    { runId, forks },
    { runId: made.runId, forkedFrom: { runId, event }, forks: [] },
  ]);
  expect((await place.untildone(['show', runId])).stdout).toContain(
    `Fork: run ${made.runId}, from event ${event}`,
  );
  const shown = (await place.untildone(['show', made.runId])).stdout;
  expect(shown).toMatch(new RegExp(`Forked by .* from run ${runId}, event ${event}`));
  expect(shown).toContain(`from run ${runId}, event ${event}`);
});

it('A fork of a finished run says that it begins before the end, and that no run is active yet [D5]', async () => {
  const place = makePlace();
  const builder = `echo right > done.txt; ${saysDone}`;
  const run = ['run', 'do it', '--check', seesFile, ...shellAgents(place, { builder })];
  expect((await place.untildone(run)).code).toBe(0);
  const { state } = await json<{ state: Shown }>(place, ['show', '--json']);
  const { code, stdout } = await place.untildone(['fork']);
  expect(code).toBe(0);
  const [, made = ''] = /^Run (\S+) is a fork of/.exec(stdout) ?? [];
  expect(stdout).toContain(`Run ${state.runId} has ended, so its fork begins before the end.\n`);
  expect(stdout).toContain(`It is not running yet.\nContinue with: untildone resume ${made}\n`);
  expect(existsSync(join(place.repo, '.untildone/runs', made))).toBe(false);
  const wrong = await place.untildone(['fork', state.runId, '--from', 'the end']);
  expect([wrong.code, wrong.stderr]).toEqual([
    2,
    '--from takes the number of an event, not "the end".\nHint: The numbers are those of `untildone show`.\n',
  ]);
});

async function json<T>(place: Place, args: readonly string[]): Promise<T> {
  const { stdout } = await place.untildone(args);
  return JSON.parse(stdout) as T;
}

function picture(place: Place, folder: string, runId: string) {
  const refs = place.git('for-each-ref', '--format=%(refname) %(objectname)').split('\n');
  return {
    journal: readFileSync(join(folder, 'journal.jsonl'), 'utf8'),
    state: readFileSync(join(place.repo, '.untildone/runs', runId, 'state.json'), 'utf8'),
    refs: refs.filter((ref) => ref.includes(runId)),
  };
}
