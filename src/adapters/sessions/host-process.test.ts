import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { builtEntry } from '#test/program.ts';
import { createProcesses } from '#adapters/processes/create-processes.ts';
import {
  hostVariable,
  isMarkedBy,
  readMark,
  readProcEntry,
  readProcTable,
} from '#adapters/processes/proc-table.ts';
import type { AgentEvent, AgentSpec } from '#ports/agent.ts';
import type { SessionStep } from '#ports/sessions.ts';
import { createHostSessions } from './host-process.ts';
import { readHostRecord } from './host-record.ts';
import type { SessionLimits } from '#kernel/model/budget.ts';

const base = mkdtempSync(join(tmpdir(), 'untildone-host-'));
const hostEntry = builtEntry('host');
const processes = createProcesses({ confine: 'marker' });
const prefix = `host-${process.pid}-${Date.now()}`;

afterAll(async () => {
  for (let count = 1; count <= runs; count += 1) await processes.sweep(`${prefix}-${count}`);
  rmSync(base, { recursive: true, force: true });
});

function stepOf(limits: Partial<SessionLimits> = {}): SessionStep {
  return {
    stepId: '0001-s',
    taskId: 't',
    baseTree: 'x',
    reserve: { sessions: 1, usd: 1, tokens: 1_000 },
    deed: {
      kind: 'session',
      role: 'builder',
      attempt: 1,
      ordinal: 1,
      agent: { name: 'a', model: null },
      prompt: 'do it',
      readOnly: false,
      words: { done: '==DONE==', reportTag: null },
      resume: null,
      limits: { wallMs: 600_000, idleMs: 600_000, graceMs: 300, ...limits },
    },
  };
}

let runs = 0;
function newRun(agent: AgentSpec) {
  runs += 1;
  const runId = `${prefix}-${runs}`;
  const folder = join(base, runId);
  const cwd = join(folder, 'cwd');
  mkdirSync(cwd, { recursive: true });
  const plain = {
    hostEntry,
    nodePath: process.execPath,
    runId,
    receiptsDir: join(folder, 'receipts'),
    logsDir: join(folder, 'logs'),
    hostsDir: join(folder, 'hosts'),
    worktree: null,
    agents: { a: agent },
    knowledge: { prices: {}, usageLimitWordings: [] },
    confine: 'marker' as const,
  };
  const options = {
    ...plain,
    envFor: () => ({
      PATH: process.env['PATH'] ?? '',
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
    }),
    processes,
  };
  return { runId, folder, cwd, plain, options, mark: `${runId}/0001-s` };
}

type TestRun = ReturnType<typeof newRun>;

const shell = (command: string): AgentSpec => ({ driver: 'command', options: { command: `${command}; :` } });

function start(run: TestRun, limits: Partial<SessionLimits> = {}, more: { hostEndMs?: number } = {}) {
  const sessions = createHostSessions({ ...run.options, ...more });
  const chatter: AgentEvent[] = [];
  const running = sessions.start(stepOf(limits), {
    epoch: 1,
    cwd: run.cwd,
    onChatter: (event) => {
      chatter.push(event);
    },
  });
  return { sessions, running, chatter };
}

function linesOf(run: TestRun): { readonly [key: string]: unknown }[] {
  const folder = run.plain.logsDir;
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((file) =>
    readFileSync(join(folder, file), 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as { [key: string]: unknown }),
  );
}

function aliveOf(run: TestRun): number[] {
  return readProcTable()
    .filter((entry) => isMarkedBy(readMark(entry.pid), run.mark))
    .map((entry) => entry.pid);
}

function hostPid(run: TestRun): number {
  return readHostRecord(run.plain.hostsDir, '0001-s')?.pid ?? 0;
}

const receiptOf = (run: TestRun): string => join(run.plain.receiptsDir, '0001-s.json');

async function until(isTrue: () => boolean, what: string): Promise<void> {
  for (let count = 0; !isTrue(); count += 1) {
    if (count > 60_000) throw new Error(`waited in vain until ${what}`);
    await sleep(5);
  }
}

/** A driver in a process of its own, that can be killed or stopped. */
function startDriver(run: TestRun, limits: Partial<SessionLimits> = {}) {
  const file = join(run.folder, 'driver.mjs');
  const here = (path: string): string => JSON.stringify(fileURLToPath(new URL(path, import.meta.url)));
  writeFileSync(
    file,
    `import { createHostSessions } from ${here('./host-process.ts')};
     import { createProcesses } from ${here('../processes/create-processes.ts')};
     const sessions = createHostSessions({ ...${JSON.stringify(run.plain)},
       knowledge: { prices: {}, usageLimitWordings: [] },
       envFor: () => ({ PATH: process.env.PATH }), processes: createProcesses({ confine: 'marker' }) });
     const order = { epoch: 1, cwd: ${JSON.stringify(run.cwd)}, onChatter: () => {} };
     await sessions.start(${JSON.stringify(stepOf(limits))}, order).ended;
     await sessions.close();`,
  );
  return spawn(process.execPath, [file], { stdio: 'ignore' });
}

const adopt = (run: TestRun) => createHostSessions(run.options).adopt(stepOf());

describe('a session in its host', () => {
  it('A session runs to its end, reports its events, leaves log and receipt, and is gone [B9] [X11]', async () => {
    const run = newRun(shell('echo "working on $1"; sleep 0.1; echo ==DONE=='));
    const { sessions, running, chatter } = start(run);
    const end = await running.ended;
    expect(end).toMatchObject({ kind: 'session', ending: { kind: 'finished' }, signal: { kind: 'done' } });
    expect(JSON.parse(readFileSync(receiptOf(run), 'utf8'))).toEqual({
      stepId: '0001-s',
      epoch: 1,
      result: end,
    });
    const types = linesOf(run).map((line) => line['type']);
    expect([types[0], types.at(-1)]).toEqual(['session-started', 'session-ended']);
    expect(readdirSync(run.plain.logsDir)[0]).toMatch(/^builder_001_\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d\.jsonl$/);
    expect(chatter.some((event) => event.type === 'text')).toBe(true);
    await sessions.close();
    expect(readProcEntry(hostPid(run))).toBeNull();
    expect(await adopt(run)).toEqual(end);
  });

  it('A session continues the conversation of an earlier one by the id in its result, in its own host [A1]', async () => {
    const turns = [
      { role: 'builder', actions: [{ say: 'one' }] },
      { role: 'builder', actions: [{ say: 'anew' }], resumed: [{ say: 'two\n==DONE==' }] },
    ];
    const run = newRun({ driver: 'scripted', options: { script: { turns } } });
    const sessions = createHostSessions(run.options);
    const play = (resume: string | null, stepId: string) => {
      const step = stepOf();
      const order = { epoch: 1, cwd: run.cwd, onChatter: () => {} };
      return sessions.start({ ...step, stepId, deed: { ...step.deed, resume } }, order).ended;
    };
    const first = await play(null, '0001-s');
    expect(first).toMatchObject({ ending: { kind: 'finished' }, signal: { kind: 'continue' } });
    expect(await adopt(run)).toEqual(first);
    const resumeId = 'resumeId' in first ? (first.resumeId ?? '') : '';
    expect(await play(resumeId, '0002-s')).toMatchObject({
      signal: { kind: 'done' },
      resumeId: expect.stringMatching(/./) as string,
    });
    expect(await play('of another agent', '0003-s')).toMatchObject({
      ending: { kind: 'failed', errorClass: 'conversation-gone' },
      usage: { usd: 0, tokens: 0 },
    });
    await sessions.close();
  });

  it('A session uses a host that was started ahead of time, and leaves none behind [X11]', async () => {
    const run = newRun(shell('echo hi'));
    const sessions = createHostSessions(run.options);
    sessions.warm();
    sessions.warm();
    await sleep(300);
    const end = await sessions.start(stepOf(), { epoch: 1, cwd: run.cwd, onChatter: () => {} }).ended;
    expect(end).toMatchObject({ ending: { kind: 'finished' } });
    sessions.warm();
    await sessions.close();
    expect(
      readProcTable().filter(
        (entry) => commandOf(entry.pid).includes(hostEntry) && entry.ppid === process.pid,
      ),
    ).toEqual([]);
  });

  it('A host that does not end when its driver leaves is killed, and closing the sessions completes [X11]', async () => {
    const run = newRun(shell('true'));
    const stubborn = join(run.folder, 'stubborn.mjs');
    const pidFile = join(run.folder, 'pid');
    writeFileSync(
      stubborn,
      `import { writeFileSync } from 'node:fs';
       for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {});
       process.stdin.resume();
       setInterval(() => {}, 1_000);
       writeFileSync(${JSON.stringify(pidFile)}, String(process.pid));`,
    );
    const sessions = createHostSessions({ ...run.options, hostEntry: stubborn, hostEndMs: 200 });
    sessions.warm();
    await until(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8') !== '', 'the host is up');
    const pid = Number(readFileSync(pidFile, 'utf8'));
    let isClosed = false;
    const closed = sessions.close().then(() => {
      isClosed = true;
    });
    try {
      await until(() => isClosed, 'the sessions are closed');
      expect(readProcEntry(pid)).toBeNull();
    } finally {
      killIfAlive(pid);
      await closed;
    }
  });

  it('A session does not end by a signal that was meant for the driver [Q5]', async () => {
    const run = newRun(shell('echo up; until [ -e ../go ]; do sleep 0.05; done; echo ==DONE=='));
    const { sessions, running, chatter } = start(run);
    await until(() => chatter.length > 0, 'it is up');
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.kill(hostPid(run), signal);
    writeFileSync(join(run.folder, 'go'), '');
    expect(await running.ended).toMatchObject({ ending: { kind: 'finished' } });
    await sessions.close();
  });

  it('A session is killed on request, with processes that ignore TERM or detached themselves [Q5] [X11]', async () => {
    const run = newRun(shell('trap "" TERM; setsid sleep 300 & echo up; while true; do sleep 0.05; done'));
    const { sessions, running, chatter } = start(run);
    await until(() => chatter.length > 0, 'it is up');
    running.steer({ stepId: '0001-s', kind: 'kill', reason: 'stopped' });
    expect(await running.ended).toMatchObject({ ending: { kind: 'cancelled', reason: 'stopped' } });
    expect(aliveOf(run)).toEqual([]);
    await sessions.close();
  });

  it("A session whose host was stopped ends on request: its host is killed, and so are the agent's processes [Q5] [X11]", async () => {
    const run = newRun(shell('echo up; sleep 300'));
    const { sessions, running, chatter } = start(run, {}, { hostEndMs: 200 });
    await until(() => chatter.length > 0, 'it is up');
    const pid = hostPid(run);
    process.kill(pid, 'SIGSTOP');
    let end: unknown = null;
    void running.ended.then((result) => {
      end = result;
    });
    try {
      running.steer({ stepId: '0001-s', kind: 'kill', reason: 'the driver is leaving' });
      await until(() => end !== null, 'the session has ended');
      expect(end).toMatchObject({ kind: 'lost', reason: 'its host ended and it left no receipt' });
      expect([readProcEntry(pid), aliveOf(run)]).toEqual([null, []]);
    } finally {
      killIfAlive(pid);
      await sessions.close();
    }
  });

  it('A session of an agent that is not configured is refused in one sentence [X6]', () => {
    const run = newRun(shell('true'));
    const sessions = createHostSessions({ ...run.options, agents: {} });
    expect(() => sessions.start(stepOf(), { epoch: 1, cwd: run.cwd, onChatter: () => {} })).toThrow(
      /No agent is configured/,
    );
  });

  it('An unknown adapter, and a host that cannot be started, are reported [X6]', async () => {
    const unknown = start(newRun({ driver: 'telepathy', options: {} }));
    expect(await unknown.running.ended).toMatchObject({
      ending: { kind: 'not-started', reason: expect.stringContaining('"telepathy"') as unknown },
    });
    await unknown.sessions.close();
    const run = newRun(shell('true'));
    const sessions = createHostSessions({ ...run.options, nodePath: '/no/such/node' });
    const end = await sessions.start(stepOf(), { epoch: 1, cwd: run.cwd, onChatter: () => {} }).ended;
    expect(end).toMatchObject({
      kind: 'lost',
      reason: expect.stringContaining('could not be started') as unknown,
    });
  });
});

describe('kill -9 of driver and host', () => {
  const stubborn =
    'trap "" TERM; setsid sleep 300 & (setsid sh -c "sleep 300 & exit 0" &) ; echo up; while true; do sleep 0.05; done';

  it('If the driver is killed, the host kills the tree and leaves a receipt [X11] [D1]', async () => {
    const run = newRun(shell(stubborn));
    const driver = startDriver(run);
    await until(() => aliveOf(run).length >= 3, 'the tree stands');
    driver.kill('SIGKILL');
    await until(() => existsSync(receiptOf(run)), 'the receipt is there');
    expect(aliveOf(run)).toEqual([]);
    expect(await adopt(run)).toMatchObject({ ending: { kind: 'cancelled', reason: 'the driver ended' } });
    await until(() => readProcEntry(hostPid(run)) === null, 'the host is gone');
  });

  it('If only the host is killed, the session is swept, and lost with the usage known so far [X11] [X1]', async () => {
    const run = newRun(shell(stubborn));
    const { sessions, running } = start(run);
    await until(() => aliveOf(run).length >= 3, 'the tree stands');
    process.kill(hostPid(run), 'SIGKILL');
    expect(await running.ended).toEqual({
      kind: 'lost',
      reason: 'its host ended and it left no receipt',
      usage: { usd: null, tokens: null },
    });
    expect(aliveOf(run)).toEqual([]);
    await sessions.close();
  });

  it('If driver and host are killed, the next driver sweeps the rest and does not wait for a host in vain [X11]', async () => {
    const run = newRun(shell(stubborn));
    const driver = startDriver(run);
    await until(() => aliveOf(run).length >= 3, 'the tree stands');
    process.kill(hostPid(run), 'SIGSTOP');
    driver.kill('SIGKILL');
    process.kill(hostPid(run), 'SIGKILL');
    expect(await adopt(run)).toMatchObject({ kind: 'lost' });
    expect(aliveOf(run)).toEqual([]);
  });

  it('If the driver is only stopped, limits still apply, and no flood blocks its host [Q6]', async () => {
    const run = newRun(shell('echo up; while true; do echo flood flood flood flood flood flood; done'));
    const driver = startDriver(run, { wallMs: 2_500 });
    // Stopped before it has handed over the order, there is no session to limit.
    await until(() => existsSync(run.plain.logsDir), 'the session has begun');
    driver.kill('SIGSTOP');
    await until(() => existsSync(receiptOf(run)), 'the receipt is there');
    expect(aliveOf(run)).toEqual([]);
    driver.kill('SIGKILL');
    expect(await adopt(run)).toMatchObject({ ending: { kind: 'timed-out', limit: 'wall' } });
  });

  it('If the kill comes after the agent finished, its result is adopted from the log, with the current tree [D4]', async () => {
    const run = newRun(shell('echo ==DONE=='));
    const { sessions, running } = start(run);
    const end = await running.ended;
    await sessions.close();
    rmSync(receiptOf(run));
    const [log = ''] = readdirSync(run.plain.logsDir);
    const file = join(run.plain.logsDir, log);
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    writeFileSync(file, `${lines.slice(0, -1).join('\n')}\n`);
    const tree = 'c'.repeat(40);
    const sessionsAgain = createHostSessions({ ...run.options, takeTree: async () => tree });
    expect(await sessionsAgain.adopt(stepOf())).toEqual({ ...end, endTree: tree });
  });

  it.each(['driver', 'host', 'driver and host'] as const)(
    'A finished session is adopted when the %s is killed while leftover processes of the agent are being ended [D4]',
    async (victim) => {
      const tree = 'd'.repeat(40);
      for (let life = 1; ; life += 1) {
        const run = newRun(
          shell('(trap "" TERM; while :; do sleep 0.05; done) & echo $$ > ../agent; echo ==DONE=='),
        );
        const driver = startDriver(run);
        await until(() => hasExited(run), 'the agent has exited');
        // The host writes the exit down as soon as Node reports it; before that only the host knows.
        if (victim !== 'driver') await until(() => hasLogged(run, 'agent-ended'), 'its end is in the log');
        if (victim !== 'host') driver.kill('SIGKILL');
        if (victim !== 'driver') killIfAlive(hostPid(run));
        const isInTime = !existsSync(receiptOf(run)) && aliveOf(run).length > 0;
        const sessions = createHostSessions({ ...run.options, takeTree: async () => tree });
        if (victim === 'host') await until(() => driver.exitCode !== null, 'the driver is gone');
        expect(await sessions.adopt(stepOf())).toMatchObject({
          kind: 'session',
          ending: { kind: 'finished' },
          signal: { kind: 'done' },
          endTree: tree,
        });
        expect(aliveOf(run)).toEqual([]);
        if (isInTime) return;
        // It came too late: the receipt was there.
        if (life === 10) throw new Error('ten kills, and none before the receipt was written');
      }
    },
  );

  it('A child that a killed host had just started, still without the mark of its step, is ended with the session [X11]', async () => {
    const run = newRun(shell('echo up; sleep 300'));
    const driver = startDriver(run);
    await until(() => JSON.stringify(linesOf(run)).includes('up'), 'it is up');
    const mark = readHostRecord(run.plain.hostsDir, '0001-s')?.mark ?? '';
    const child = spawn('sleep', ['300'], { env: { PATH: process.env['PATH'], [hostVariable]: mark } });
    await until(() => readMark(child.pid ?? 0) === mark, 'it runs');
    driver.kill('SIGKILL');
    killIfAlive(hostPid(run));
    expect(await adopt(run)).toMatchObject({ kind: 'lost' });
    await until(() => child.signalCode !== null, 'it was ended');
    expect(child.signalCode).toBe('SIGKILL');
  });

  it('A session whose agent only printed a copy of the end line is lost when driver and host are killed [D1]', async () => {
    const ended = (type: string): string =>
      JSON.stringify({ at: 1, type, stepId: '0001-s', result: { ...finished, log: 'x' } });
    const lines = [ended('agent-ended'), ended('session-ended'), `x\n${ended('agent-ended')}`];
    const run = newRun(shell('cat ../forged ../forged >&2; cat ../forged; echo up; sleep 300'));
    writeFileSync(join(run.folder, 'forged'), `${lines.join('\n')}\n`);
    const driver = startDriver(run);
    await until(() => JSON.stringify(linesOf(run)).includes('up'), 'it is up');
    driver.kill('SIGKILL');
    killIfAlive(hostPid(run));
    expect(await adopt(run)).toMatchObject({ kind: 'lost' });
  });

  it('A session whose agent failed is adopted as failed when driver and host are killed after its end [D4]', async () => {
    const run = newRun(shell('(trap "" TERM; while :; do sleep 0.05; done) & echo ==DONE==; exit 3'));
    const driver = startDriver(run);
    await until(() => hasLogged(run, 'agent-ended'), 'its end is in the log');
    driver.kill('SIGKILL');
    killIfAlive(hostPid(run));
    expect(await adopt(run)).toMatchObject({ ending: { kind: 'crashed' } });
  });

  it('If the kill comes before any host was started, the session is lost, and not for free [X1]', async () => {
    const run = newRun(shell('true'));
    expect(await adopt(run)).toMatchObject({ kind: 'lost', usage: null });
  });

  it('Kills at random moments leave no process alive, and no finished session is lost [X11] [D4]', async () => {
    const counts = { finished: 0, cancelled: 0, lost: 0, killed: { driver: 0, host: 0, both: 0 } };
    const lives = Array.from({ length: 24 }, (_, index) => index);
    const said = (text: string) => (run: TestRun) => JSON.stringify(linesOf(run)).includes(text);
    const moments = [(run: TestRun) => hostPid(run) !== 0, said('up'), said('==DONE=='), said('agent-ended')];
    const live = async (index: number): Promise<void> => {
      const run = newRun(shell('setsid sleep 300 & (sleep 300 &) ; echo up; sleep 0.3; echo ==DONE=='));
      const victim = (['driver', 'host', 'both'] as const)[index % 3] ?? 'both';
      const driver = startDriver(run);
      await until(
        () => moments[Math.floor(index / 3) % moments.length]?.(run) ?? true,
        'the moment has come',
      );
      await sleep(Math.random() * 200);
      counts.killed[victim] += 1;
      if (victim !== 'host') driver.kill('SIGKILL');
      if (victim !== 'driver') killIfAlive(hostPid(run));
      await until(() => driver.exitCode !== null || driver.signalCode !== null, 'the driver is gone');
      const end = await adopt(run);
      expect(aliveOf(run)).toEqual([]);
      expect(readProcEntry(hostPid(run))).toBeNull();
      const hadFinished = linesOf(run).some(
        (line) => line['type'] === 'agent-ended' && JSON.stringify(line).includes('"finished"'),
      );
      const isFinished = end.kind === 'session' && end.ending.kind === 'finished';
      expect(isFinished || !hadFinished).toBe(true);
      if (end.kind === 'lost') counts.lost += 1;
      else if (isFinished) counts.finished += 1;
      else counts.cancelled += 1;
      expect(await adopt(run)).toEqual(end);
    };
    for (let at = 0; at < lives.length; at += 3) await Promise.all(lives.slice(at, at + 3).map(live));
    expect(counts.finished + counts.cancelled + counts.lost).toBe(24);
    process.stdout.write(`sessions killed at random: ${JSON.stringify(counts)}\n`);
  });
});

const finished = {
  kind: 'session',
  ending: { kind: 'finished' },
  signal: { kind: 'done' },
  usage: { usd: 0, tokens: 0 },
  endTree: null,
  ran: { driver: 'command', model: null },
};

/** The agent has written its pid, and that process is gone. */
function hasExited(run: TestRun): boolean {
  const file = join(run.folder, 'agent');
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return text.endsWith('\n') && readProcEntry(Number(text)) === null;
}

function hasLogged(run: TestRun, type: string): boolean {
  return linesOf(run).some((line) => line['type'] === type);
}

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It had already ended by itself.
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
