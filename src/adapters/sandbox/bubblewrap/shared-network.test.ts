import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { livingPids, readProcEntry, readProcText } from '#adapters/processes/proc-table.ts';
import { findProgram } from '#adapters/processes/program.ts';
import { makeTrialGround, type TrialGround } from '#adapters/sandbox/trial-ground.ts';
import type { Sandbox } from '#ports/sandbox.ts';
import { createBubblewrapSandbox, namespaces } from './bubblewrap-sandbox.ts';
import { findBubblewrap } from './find-bubblewrap.ts';
import { startNetworkHolder } from './network-holder.ts';

const bubblewrap = findBubblewrap();
const missing =
  'problem' in bubblewrap
    ? bubblewrap.problem
    : 'problem' in findProgram('nsenter', process.env['PATH'], '/')
      ? 'nsenter is missing'
      : null;
const note = missing === null ? '' : ` — NOT RUN: ${missing}`;
const source = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const ownProgram = [process.execPath, source, join(source, '../package.json')];
const bridge = [process.execPath, join(source, 'surfaces/host/main.ts'), 'bridge'] as const;
const network = 'readlink /proc/self/ns/net';

let bed: TrialGround;
let sandbox: Sandbox;
const run = async (script: string): Promise<string> => (await bed.attempt(sandbox, script)).output;

describe.runIf(missing === null)(`a network that programs share${note}`, () => {
  beforeEach(async () => {
    bed = await makeTrialGround(ownProgram);
    const path = 'path' in bubblewrap ? bubblewrap.path : '';
    const options = { bubblewrap: path, rules: bed.rules, bridge, env: {}, isNetworkShared: true };
    sandbox = createBubblewrapSandbox(options);
  });
  afterEach(async () => {
    sandbox.close();
    await bed.dispose();
  });

  it('Programs that run one after the other join one network, and a program beside another one has its own [C10] [X18]', async () => {
    const first = await run(network);
    expect(await run(network)).toBe(first);
    const [one, other] = await Promise.all([run(`${network}; sleep 0.3`), run(network)]);
    expect(one).toBe(first);
    expect(other).not.toBe(first);
    expect(other).toMatch(/^net:/);
    expect(holdersOf(process.pid)).toHaveLength(1);
  });

  it('A network is not used again if a program left a connection in it [C10]', async () => {
    const first = await run(network);
    const leftOver = `node -e '
      const { createServer, connect } = require("node:net");
      const server = createServer((client) => client.end()).listen(4711, "127.0.0.1", () =>
        connect(4711, "127.0.0.1").on("close", () => server.close()).resume());'`;
    expect(await run(`${network}; ${leftOver}`)).toBe(first);
    const second = await run(`${network}; grep -c : /proc/net/tcp`);
    expect(second.split('\n')[0]).not.toBe(first.trim());
    // A server that is left running dies with its program.
    await run(`node -e 'require("node:net").createServer().listen(4712, "127.0.0.1")' & sleep 0.3`);
    expect(await run('grep -c :1268 /proc/net/tcp')).toBe('0\n');
  });

  it('A network through which a program sent something is not used again [C10]', async () => {
    const datagram = `node -e '
      const socket = require("node:dgram").createSocket("udp4");
      socket.send("x", 4711, "127.0.0.1", () => socket.close());'`;
    const first = await run(`${network}; ${datagram}`);
    expect(await run(network)).not.toBe(first);
  });

  it('A process that keeps a network ends when it is closed at any moment of its start [X11]', async () => {
    const path = 'path' in bubblewrap ? bubblewrap.path : '';
    const pids: number[] = [];
    for (let waitMs = 0; waitMs < 10; waitMs += 1) {
      const before = new Set(livingPids());
      const command = [...bridge, join(bed.folder, 'socket'), String(47_000 + waitMs)];
      const holder = startNetworkHolder({
        bubblewrap: path,
        namespaces,
        bridge: command,
        folder: bed.folder,
      });
      await sleep(waitMs / 2);
      pids.push(...livingPids().filter((pid) => !before.has(pid)));
      holder.close();
    }
    const left = (): number[] =>
      livingPids().filter((pid) =>
        (readProcText(`/proc/${pid}/cmdline`) ?? '').includes(`${bed.folder}/socket`),
      );
    expect(pids.length).toBeGreaterThan(0);
    await until(() => left().length === 0);
  });

  it('A program that ended well is not disturbed if no new network can be made after it [C10] [X1]', async () => {
    const first = await run(network);
    const own = new RegExp(`^untildone-sockets-\\d+-${process.pid}-`);
    const ended = bed.attempt(
      sandbox,
      `${network}; node -e 'fetch("http://127.0.0.1:1").catch(() => {})'; sleep 0.3`,
    );
    for (const name of readdirSync(tmpdir()).filter((one) => own.test(one)))
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
    expect(await ended).toEqual({ ending: { kind: 'exited', code: 0 }, output: first });
  });

  it('A program that joins the network reaches the allowed server through the proxy, and no other [C10]', async () => {
    await run(network);
    const fetchFrom = (port: number): string =>
      `node -e 'fetch("http://127.0.0.1:${port}").then((r) => r.text()).then(console.log, () => console.log("refused"))'`;
    expect((await run(fetchFrom(bed.allowedPort))).trim()).toBe('planted');
    expect((await run(fetchFrom(bed.otherPort))).trim()).toBe('refused');
    expect(await run('echo $http_proxy')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\n$/);
  });

  it('A program cannot see or end the process that keeps its network, nor change the network [C10]', async () => {
    const first = await run(network);
    const said = await run(
      `grep -ls bridg[e] /proc/[0-9]*/cmdline; kill -9 -1; ip link add tried type dummy; ip addr add 10.9.9.9 dev lo; ls /proc/*/ns >/dev/null; echo end`,
    );
    expect(said).not.toContain('/proc/');
    expect(await run(network)).toBe(first);
    expect(await run('ip addr; ip link')).not.toMatch(/tried|10\.9\.9\.9/);
  });

  it('A program has a network again after the process that kept it was killed [C10] [X1]', async () => {
    const first = await run(network);
    for (const pid of holdersOf(process.pid)) process.kill(pid, 'SIGKILL');
    await until(() => holdersOf(process.pid).length === 0);
    const second = await run(network);
    expect(second).toMatch(/^net:/);
    expect(second).not.toBe(first);
    expect(await run(network)).toBe(second);
  });

  it('The process that keeps a network ends with the sandbox [X11]', async () => {
    await run(network);
    expect(holdersOf(process.pid)).toHaveLength(1);
    sandbox.close();
    await until(() => holdersOf(process.pid).length === 0);
  });

  it('A program and the process that keeps its network end when their driver is killed, and a program gets no file that the starter of the driver left open [C10] [X11]', async () => {
    const leaked = openSync(bed.home, 'r');
    const driver = startDriver(leaked);
    closeSync(leaked);
    const lines = await linesOf(driver, 2);
    // Its own three, and the folder that it lists.
    expect(lines).toEqual([expect.stringMatching(/^net:/), 'files: 0 1 2 3']);
    const pid = driver.pid ?? 0;
    expect(holdersOf(pid)).toHaveLength(1);
    await until(() => sleepers().length === 2);
    const [holder = 0] = holdersOf(pid);
    driver.kill('SIGKILL');
    await until(() => sleepers().length === 0 && readProcEntry(holder) === null);
  });
});

function sleepers(): number[] {
  return livingPids().filter((pid) =>
    /^sleep 47\.1[12] $/.test((readProcText(`/proc/${pid}/cmdline`) ?? '').replaceAll('\0', ' ')),
  );
}

/** A process of its own that runs a program in the sandbox, then waits. */
function startDriver(leaked: number): ChildProcess {
  const at = (path: string): string => JSON.stringify(pathToFileURL(join(source, path)).href);
  const script = join(bed.folder, 'driver.mjs');
  writeFileSync(
    script,
    `import { createProcesses } from ${at('adapters/processes/create-processes.ts')};
    import { createBubblewrapSandbox } from ${at('adapters/sandbox/bubblewrap/bubblewrap-sandbox.ts')};
    const sandbox = createBubblewrapSandbox(${JSON.stringify({
      bubblewrap: 'path' in bubblewrap ? bubblewrap.path : '',
      rules: bed.rules,
      bridge,
      env: {},
      isNetworkShared: true,
    })});
    const processes = createProcesses({ confine: 'auto', sandbox });
    const start = (command) => processes.start({ command: ['/bin/sh', '-c', command], cwd: ${JSON.stringify(bed.worktree)},
      env: { PATH: process.env.PATH, HOME: ${JSON.stringify(bed.home)} }, mark: 'shared-network', wallMs: 60000, idleMs: null,
      graceMs: 500, input: null, onOutput: (chunk) => process.stdout.write(chunk) }).ended;
    await start('${network}');
    await start('echo files: $(for file in /proc/self/fd/*; do [ "$(readlink $file)" = /dev/null ] && [ \${file##*/} -gt 3 ] || echo \${file##*/}; done)');
    await start('sleep 47.11 & sleep 47.12');`,
  );
  // Node keeps the first sixteen from programs by itself.
  const high = Array<'ignore'>(40).fill('ignore');
  return spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit', ...high, leaked] });
}

function linesOf(child: ChildProcess, count: number): Promise<string[]> {
  let text = '';
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error(`the driver ended: ${text}`)));
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const lines = text.split('\n');
      if (lines.length > count) resolve(lines.slice(0, count));
    });
  });
}

/** The bridges of a driver: its children, and what they started. */
function holdersOf(driver: number): number[] {
  return livingPids().filter((pid) => {
    const command = readProcText(`/proc/${pid}/cmdline`) ?? '';
    return readProcEntry(pid)?.ppid === driver && command.split('\0').at(-4) === 'bridge';
  });
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await sleep(10);
}
