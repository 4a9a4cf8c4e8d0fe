// A decision counts only if it comes from a living process that no run has started: tried with real processes.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { linkSync, mkdirSync, readdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newAddress } from '#adapters/store/inbox/address.ts';
import { openOffer } from '#adapters/store/inbox/offer.ts';
import { announce, createInbox } from '#adapters/store/inbox/inbox.ts';
import type { Bed, Child } from '#test/store/store-bed.ts';
import { createBed, startChild, succeeds } from '#test/store/store-bed.ts';
import { noReserve } from '#kernel/model/budget.ts';
import type { Control, ControlRequest } from '#kernel/events/control.ts';
import { eventVersion } from '#kernel/events/events.ts';
import type { Arrival, Inbox } from '#ports/inbox.ts';
import { commandCriterion, simulatedConfig, simulatedTask } from '#test/simulated/simulated-run.ts';
import { campaign } from '#policies/presets/campaign.ts';
import { deliverControl } from './deliver-control.ts';
import { whyInside, whyNoPerson } from './inside.ts';
import { loadRun } from '#app/site.ts';
import type { Site } from '#app/site.ts';

const decisions: readonly Control[] = [
  { kind: 'resume', budget: { usd: 999 } },
  { kind: 'resume' },
  { kind: 'skip', taskId: 't', why: '' },
  { kind: 'retry', taskId: 't' },
  { kind: 'answer', questionId: 'q', text: 'yes' },
  { kind: 'approve', taskId: 't', criterionId: 'c', tree: 'x' },
  { kind: 'reject', taskId: 't', criterionId: 'c', tree: 'x', why: '' },
  { kind: 'accept', path: 'p', content: 'c', why: '' },
  { kind: 'add-task', task: { id: 't' } as never },
  { kind: 'change-criteria', taskId: 't', change: {} as never, why: '' },
  { kind: 'accept-criterion', proposalId: 'p', why: '' },
  { kind: 'reject-criterion', proposalId: 'p', why: '' },
];
const approval: ControlRequest = {
  id: 'k1',
  by: 'ann',
  control: { kind: 'approve', taskId: 't', criterionId: 'c', tree: 'x' },
};

let bed: Bed;
let children: { kill(signal: NodeJS.Signals): unknown }[] = [];
beforeEach(async () => {
  bed = createBed();
  children = [];
  await bed.run(0);
});
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  bed.dispose();
});

const files = () => bed.paths.run('r');

/** The inbox of a driver with this pid: its own, or that of a process which is above none of those that ask. */
function inboxOf(driver: number): Inbox {
  const judge = (pid: number) => whyNoPerson(pid, { driver, isLinked: () => false });
  return createInbox({ run: files(), control: bed.paths.control, since: 0, judge });
}

/** A process that asks for the approval and prints the answer. */
async function asker(wrap: readonly string[] = []): Promise<Child> {
  const child = startChild(
    bed.folder,
    `const { openOffer } = await import('#adapters/store/inbox/offer.ts');
     const { announce } = await import('#adapters/store/inbox/inbox.ts');
     const request = ${JSON.stringify(approval)};
     const offer = await openOffer(JSON.stringify(request));
     await announce(bed.paths.run('r'), request, offer.address);
     say('asked');
     const answer = await offer.answer(50_000);
     say(JSON.stringify(answer));
     offer.close();`,
    wrap,
  );
  children.push(child);
  expect(await child.line()).toBe('asked');
  return child;
}

/** A driver that is no ancestor of the process that asks. */
function stranger(): number {
  const child: ChildProcess = spawn('sleep', ['600'], { stdio: 'ignore' });
  children.push(child);
  return child.pid ?? 0;
}

function doubtsOf(arrivals: readonly Arrival[]): string[] {
  return arrivals.map(({ doubt }) => doubt?.reason ?? 'none');
}

describe('A file that claims to be a person-only control', () => {
  it('A control file is not trusted, whatever it decides and however it got there [X12]', async () => {
    const aside = join(bed.folder, 'prepared');
    mkdirSync(aside);
    const ways: readonly ((from: string, to: string) => void)[] = [renameSync, linkSync];
    for (const [n, control] of decisions.entries()) {
      const prepared = join(aside, `${n}.json`);
      writeFileSync(prepared, JSON.stringify({ id: `k${n}`, by: 'ann', control }));
      utimesSync(prepared, 1, 1);
      ways[n % ways.length]?.(prepared, join(files().inbox, `${String(n).padStart(2, '0')}.json`));
    }
    const arrivals = await inboxOf(stranger()).take();
    expect(arrivals.map(({ control }) => control)).toEqual(decisions);
    expect(new Set(doubtsOf(arrivals))).toEqual(
      new Set([expect.stringContaining('a file in the inbox, which an agent could have written;')]),
    );
    // Neither the id nor the name of a person can be used up by it.
    expect(arrivals[0]).toMatchObject({ id: 'unproven-k0', by: 'an unknown process that claims to be ann' });
  });

  it('A control file is not trusted among the controls that an earlier driver had received [X12]', async () => {
    writeFileSync(join(files().taken, '1.json'), JSON.stringify(approval));
    expect(doubtsOf(await inboxOf(stranger()).take())).toEqual([expect.stringContaining('a file in')]);
  });

  it('A control file is not trusted when no process, or a foreign server, answers at its address [X12]', async () => {
    const path = join(bed.folder, 'socket');
    const server = createServer((socket) => socket.end(`${JSON.stringify(approval)}\n`)).listen(path);
    const places = [newAddress(), path, '\0elsewhere', ''];
    for (const [n, from] of places.entries())
      writeFileSync(join(files().inbox, `${n}.json`), JSON.stringify({ ...approval, id: `k${n}`, from }));
    const arrivals = await inboxOf(stranger()).take();
    server.close();
    for (const doubt of doubtsOf(arrivals)) expect(doubt).toContain('ended before the request was handled');
    expect(arrivals).toHaveLength(places.length);
  });
});

describe('A live process that asks for a person-only control', () => {
  it('A process that no run has started is trusted, and gets the answer once the journal has it [X12]', async () => {
    const child = await asker();
    const inbox = inboxOf(stranger());
    expect(await inbox.take()).toEqual([approval]);
    await inbox.settle(approval.id);
    expect(await child.rest()).toEqual(['"recorded"']);
  });

  it('A trusted control that the first driver received before it died is trusted by the next driver [Q5] [X12]', async () => {
    const child = await asker();
    expect(await inboxOf(stranger()).take()).toEqual([approval]);
    const next = inboxOf(stranger());
    expect(await next.take()).toEqual([approval]);
    await next.settle(approval.id);
    expect(await child.rest()).toEqual(['"recorded"']);
  });

  it('A process is not trusted when it or one of its parents carries the mark of a run, and it gets the reason [X12]', async () => {
    const marked = await asker(['UNTILDONE_MARK=run/1']);
    const first = inboxOf(stranger());
    expect(doubtsOf(await first.take()).join()).toContain('a process of run run,');
    await first.settle('unproven-k1');
    expect(await marked.rest()).toEqual([expect.stringContaining('may not control its own run')]);
    await asker(['UNTILDONE_MARK=run/1', 'sh', '-c', 'env -i PATH="$PATH" "$0" "$@"; true']);
    expect(doubtsOf(await inboxOf(stranger()).take()).join()).toContain('a process of run run,');
  });

  it('A process that the driver started is not trusted, whatever traces it removed [X12]', async () => {
    await asker(['-i', 'setsid', '-w']);
    expect(doubtsOf(await inboxOf(process.pid).take())).toEqual([
      expect.stringContaining('a process of this run,'),
    ]);
  });

  const namespaced = ['bwrap', '--bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--unshare-pid'];
  const hasNamespaces = succeeds('bwrap', ...namespaced.slice(1), 'true');
  it.runIf(hasNamespaces)(
    'A process in its own pid namespace is not trusted, even without a parent and a mark [X12]',
    async () => {
      await asker(['-i', ...namespaced, 'setsid', '-w']);
      expect(doubtsOf(await inboxOf(stranger()).take())).toEqual([
        expect.stringContaining('its own pid namespace'),
      ]);
    },
  );

  it.runIf(succeeds('prlimit', '--locks=9', 'true'))(
    'A process with the marker of a run is not trusted, though environment, session and parents show nothing [X12]',
    async () => {
      await asker(['-i', 'prlimit', '--locks=9', 'setsid', '-w']);
      expect(doubtsOf(await inboxOf(stranger()).take()).join()).toContain('hides its origin');
    },
  );

  it('A process that shares its socket with a process of a run is not trusted [X12]', async () => {
    const offer = await openOffer(JSON.stringify(approval));
    await announce(files(), approval, offer.address);
    // The listening socket, left to a marked child as one of its own files.
    const child = startChild(
      bed.folder,
      `const { spawn } = await import('node:child_process');
       const { createServer } = await import('node:net');
       const server = createServer((socket) => socket.write(${JSON.stringify(`${JSON.stringify(approval)}\n`)}));
       const { newAddress } = await import('#adapters/store/inbox/address.ts');
       const { announce } = await import('#adapters/store/inbox/inbox.ts');
       const address = newAddress();
       server.listen({ path: address }, async () => {
         const heir = spawn('sleep', ['600'], { env: { PATH: process.env.PATH, UNTILDONE_MARK: 'run/1' }, stdio: ['ignore', 'ignore', 'ignore', server._handle.fd] });
         await announce(bed.paths.run('r'), { ...${JSON.stringify(approval)}, id: 'k2' }, address);
         say(String(heir.pid));
       });`,
    );
    children.push(child);
    const heir = Number(await child.line());
    children.push({ kill: (signal) => process.kill(heir, signal) });
    const arrivals = await inboxOf(stranger()).take();
    offer.close();
    expect(arrivals.map(({ id }) => id)).toEqual(['k1', 'unproven-k2']);
  });
});

describe('A person-only control for a run', () => {
  const site = () =>
    ({
      stateHome: join(bed.folder, 'state'),
      commonDir: join(bed.folder, 'git'),
      root: join(bed.folder, 'checkout'),
      repoId: '0123456789abcdef',
      env: {},
      ownEnv: { XDG_STATE_HOME: join(bed.folder, 'state') },
    }) as unknown as Site;
  const types = async () => (await bed.store.read('parked')).events.map(({ type }) => type);
  beforeEach(async () => {
    const config = simulatedConfig({});
    await bed.store.create('parked', [
      { at: 1, type: 'run-created', runId: 'parked', version: eventVersion, config },
    ]);
  });

  it('A control for a run without a driver is in the journal at once, under the lock, and only once [Q5] [X12]', async () => {
    await deliverControl(site(), 'parked', approval);
    await deliverControl(site(), 'parked', approval);
    expect(await types()).toEqual([
      'run-created',
      'driver-started',
      'control-received',
      'control-refused',
      'driver-left',
    ]);
    const { run } = await loadRun(site(), 'parked');
    expect(run.controls.get('k1')).toBe('refused');
    expect(readdirSync(bed.paths.run('parked').inbox)).toEqual([]);
    const journal = await bed.open('parked');
    await journal.append([{ at: 2, type: 'run-ended', outcome: 'stopped', reason: '' }], { sync: true });
    await journal.close();
    const late = deliverControl(site(), 'parked', { ...approval, id: 'k2' });
    await expect(late).rejects.toMatchObject({ code: 'refused' });
  });

  it('Controls for a run without a driver are answered at once, each on top of the one before [Q5]', async () => {
    const journal = await bed.open('parked');
    const task = simulatedTask('t', { criteria: [commandCriterion('works')] });
    await journal.append([{ at: 2, type: 'task-added', task, by: 'config' }], { sync: true });
    await journal.close();
    const add = (id: string): ControlRequest => ({
      id,
      by: 'ann',
      control: {
        kind: 'change-criteria',
        taskId: 't',
        change: { kind: 'add', criterion: commandCriterion('more') },
        why: '',
      },
    });
    await deliverControl(site(), 'parked', add('k1'));
    await deliverControl(site(), 'parked', add('k2'));
    const { run } = await loadRun(site(), 'parked');
    expect([...run.controls]).toEqual([
      ['k1', 'applied'],
      ['k2', 'refused'],
    ]);
    expect(run.tasks.get('t')?.spec.criteria.map(({ id }) => id)).toEqual(['works', 'more']);
    // Not while steps of a dead driver still have to be adopted.
    const dead = await bed.open('parked');
    const operation = { kind: 'prepare' } as const;
    const step = {
      stepId: '0001-prepare',
      taskId: null,
      baseTree: null,
      deed: operation,
      reserve: noReserve,
    };
    await dead.append([{ at: 3, type: 'step-started', step }], { sync: true });
    await dead.close();
    await deliverControl(site(), 'parked', { ...add('k3'), control: { kind: 'retry', taskId: 't' } });
    expect((await loadRun(site(), 'parked')).run.controls.get('k3')).toBe('pending');
  });

  it('A new plan reopens a finished run at once, and the next driver finds it reopened [C6] [X12]', async () => {
    const { policy } = simulatedConfig();
    const planning = { ...(campaign.planning ?? raise()), criteria: [], everyTask: [], constraints: '' };
    const config = simulatedConfig({ preset: 'campaign', policy: { ...policy, planning } });
    await bed.store.create('over', [
      { at: 1, type: 'run-created', runId: 'over', version: eventVersion, config },
      { at: 1, type: 'plan-wanted', cause: 'start', why: 'the run begins' },
      { at: 2, type: 'run-ended', outcome: 'failed', reason: 'no usable plan' },
    ]);
    const again = { id: 'k1', by: 'ann', control: { kind: 'replan', why: 'so' } } as const;
    await deliverControl(site(), 'over', again);
    const { run } = await loadRun(site(), 'over');
    expect(run.outcome).toBeNull();
    expect(run.plan.wanted).toMatchObject({ cause: 'person', why: 'ann: so' });
    expect(run.pending).toEqual([]);
  });

  it('A control is recorded even if the driver dies before it receives it [Q5] [X12]', async () => {
    const driver = startChild(
      bed.folder,
      `await bed.open('parked'); say('drives'); setInterval(() => {}, 1000);`,
    );
    children.push(driver);
    expect(await driver.line()).toBe('drives');
    const { inbox } = bed.paths.run('parked');
    const handed = deliverControl(site(), 'parked', approval);
    await vi.waitUntil(() => readdirSync(inbox).some((name) => !name.startsWith('.')), { timeout: 300_000 });
    expect(await types()).toEqual(['run-created']);
    driver.kill('SIGKILL');
    await handed;
    expect(await types()).toContain('control-received');
    expect(readdirSync(inbox)).toEqual([]);
  });
});

describe('The parents of a process', () => {
  const inside = { driver: 7, isLinked: (id: string) => id === 'linked' };
  const above = (...envs: readonly { readonly [name: string]: string }[]) =>
    envs.map((env, n) => ({ pid: n + 2, env: new Map(Object.entries(env)) }));
  const tool = { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 'linked', AI_AGENT: 'claude_agent' };
  const hook = { ...tool, AI_AGENT: 'claude_harness', CLAUDE_PLUGIN_ROOT: '/plugin' };

  it.each([
    ['a terminal', above({}, {}), 'a person'],
    [
      'an interactive session that no run waits for',
      above({ CLAUDE_CODE_SESSION_ID: 'other' }, {}),
      'a person',
    ],
    ['the hook of the session that the run waits for', above(hook, {}, {}), 'a person'],
    ['a tool of the session that the run waits for', above({}, tool, {}), 'interactive session'],
    ['the driver', above({}, {}, {}, {}, {}, {}), 'a process of this run,'],
    ['a session of any run', above({}, { UNTILDONE_MARK: 'x/1' }), 'a process of run x,'],
  ] as const)('The parents of a process decide whether a person asked: %s [X12]', (_, given, expected) => {
    expect(whyInside(given, inside) ?? 'a person may').toContain(expected);
  });

  it('A process below one that does not show its environment may not decide [X12]', () => {
    const hidden = above({}, {}).map((one, index) =>
      index === 1 ? { ...one, isHidden: true as const } : one,
    );
    expect(whyInside(above({}, {}), inside)).toBeNull();
    expect(whyInside(hidden, inside)).toContain('cannot be read');
  });
});

function raise(): never {
  throw new Error('it is there');
}
