// Attacks on the checks, through whole runs: nothing of it completes, all of it is in the ledger, and honest work is let through.
import { describe, expect, it } from 'vitest';
import { saysDone, shellAgents } from './agents.ts';
import { eventsOf } from './journal.ts';
import { prompts, roles } from './looking.ts';
import type { Place } from './place.ts';
import { makePlace } from './place.ts';
import { until } from './wait.ts';

const suite = {
  'sum.test.sh': '# it adds\ntest -f sum.txt && grep -q 3 sum.txt\n',
  'README.md': 'x\n',
};

interface LedgerEntry {
  readonly path: string;
  readonly change: string;
  readonly state: string;
  readonly session: string | null;
  readonly by: string | null;
  readonly reason: string | null;
  readonly weakening: readonly string[];
}

async function ledgerOf(place: Place): Promise<readonly LedgerEntry[]> {
  const { stdout } = await place.untildone(['status', '--json']);
  return (JSON.parse(stdout) as { readonly tampering: readonly LedgerEntry[] }).tampering;
}

function args(place: Place, builder: string, ...more: string[]): string[] {
  return ['run', 'add', '--check', 'sh sum.test.sh', ...more, ...shellAgents(place, { builder })];
}

describe('a changed test', () => {
  it('is red, named with what it takes away, tried as it was on the base, and in the ledger to the end [X8]', async () => {
    const place = makePlace({ files: suite });
    const builder = `printf 'exit 0\\n' > sum.test.sh; echo 4 > sum.txt; ${saysDone}`;
    const { code, stdout } = await place.untildone(args(place, builder, '--max-loops', '2'));
    expect(code).toBe(3);
    expect(stdout).toContain('Tamper ledger:');
    expect(stdout).toMatch(
      /❌ sum\.test\.sh changed by builder_001 \(.*ends early or hides a failure.*\): not accepted/,
    );
    const [first, ...others] = await ledgerOf(place);
    expect(first).toMatchObject({
      path: 'sum.test.sh',
      change: 'changed',
      state: 'open',
      session: 'builder_001',
    });
    expect(others).toEqual([]);
    expect(prompts(place, 'builder')[1]).toContain('sum.test.sh');
    const pinned = eventsOf(place).flatMap((event) =>
      event.type === 'evidence-recorded' && event.evidence.purpose === 'pinned'
        ? [event.evidence.verdict]
        : [],
    );
    expect(pinned).toEqual(['fail', 'fail']);
    expect(prompts(place, 'builder')[1]).toContain('with the pinned files as they were at the start');
  });

  it('that is put right later lets the work through, and stays in the ledger [X8]', async () => {
    const place = makePlace({ files: suite });
    const builder = `if [ $n = 1 ]; then echo "exit 0" > sum.test.sh; else git checkout -q HEAD sum.test.sh; echo 3 > sum.txt; fi; ${saysDone}`;
    expect((await place.untildone(args(place, builder))).code).toBe(0);
    expect(await ledgerOf(place)).toMatchObject([
      { path: 'sum.test.sh', state: 'put right', by: 'builder_002' },
    ]);
  });

  it('is accepted by a person for this content alone; then the work stands as it is [X8]', async () => {
    const place = makePlace({ files: suite });
    const wait = `until [ -f '${place.folder}/go' ]; do sleep 0.1; done`;
    const builder = `if [ $n = 1 ]; then echo "grep -q 4 sum.txt" > sum.test.sh; echo 4 > sum.txt; else ${wait}; fi; ${saysDone}`;
    const driver = place.start(args(place, builder));
    await until(
      'the entry',
      () => eventsOf(place).some(({ type }) => type === 'tampering-seen') && roles(place).length === 2,
    );
    expect((await place.untildone(['accept', 'sum.test.sh'])).code).toBe(2);
    const unknown = await place.untildone(['accept', 'other.sh', '--why', 'x']);
    expect(unknown.stderr).toContain('Open are sum.test.sh');
    const { code, stdout } = await place.untildone(['accept', 'sum.test.sh', '--why', 'the sum is four']);
    expect(stdout).toContain('Accepted: sum.test.sh');
    expect(code).toBe(0);
    place.write('go', '');
    expect(await driver.ended).toMatchObject({ code: 0 });
    const [entry] = await ledgerOf(place);
    expect(entry).toMatchObject({ state: 'accepted', reason: 'the sum is four' });
    expect((await place.untildone(['show'])).stdout).toMatch(
      /sum\.test\.sh accepted as it is by .*: the sum is four/,
    );
  });

  it('that was allowed beforehand completes, and is still listed [X8]', async () => {
    const place = makePlace({ files: suite });
    const builder = `echo "grep -q 4 sum.txt" > sum.test.sh; echo 4 > sum.txt; ${saysDone}`;
    const { code, stdout } = await place.untildone(args(place, builder, '--may-change', '*.test.sh'));
    expect(code).toBe(0);
    expect(stdout).toMatch(/sum\.test\.sh changed by builder_001.*allowed beforehand by mayChange/);
  });

  it('is taken by a reviewer where the configuration says so [X8]', async () => {
    const place = makePlace({ files: suite });
    place.write('repo/.untildone/config.jsonc', '{ "tamper": { "acceptedBy": "reviewer" } }');
    const builder = `echo "grep -q 4 sum.txt" > sum.test.sh; echo 4 > sum.txt; ${saysDone}`;
    const { code } = await place.untildone(args(place, builder));
    expect(code).toBe(0);
    expect(await ledgerOf(place)).toMatchObject([
      { state: 'accepted', by: expect.stringContaining('verifier') as unknown },
    ]);
    expect(prompts(place, 'verifier')[0]).toMatch(/sum\.test\.sh.*changed/);
  });
});
