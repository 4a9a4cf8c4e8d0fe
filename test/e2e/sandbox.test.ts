// Whole runs in the sandbox, with the settings of most users and an unknown agent.
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { passes, saysDone, seesFile, shellAgents } from './agents.ts';
import { eventsOf } from './journal.ts';
import { branchOf, roles, viewsOf } from './looking.ts';
import { bin, pathWithNode } from './package.ts';
import { freePort } from './free-port.ts';
import type { Place } from './place.ts';
import { makePlace, runFolders } from './place.ts';
import { hostsOf, send } from './processes.ts';
import { canSandbox, sandboxNote } from './sandboxed.ts';
import { until } from './wait.ts';

describe.runIf(canSandbox)(`A run in the sandbox${sandboxNote}`, () => {
  it('A run in the sandbox cannot escape through files, secrets, ports, branches, remotes, hooks or processes [C10] [X11]', async () => {
    const place = sandboxedPlace();
    const { folder, repo } = place;
    const unlisted = await serve('planted');
    place.write('home/.ssh/id', 'planted');
    place.git('init', '-q', '--bare', `${folder}/remote.git`);
    place.git('remote', 'add', 'origin', `${folder}/remote.git`);
    place.git('push', '-q', 'origin', 'main');
    place.git('remote', 'add', 'forge', 'https://ada:planted@forge.example.invalid/app.git');
    place.git('config', 'http.extraheader', 'Authorization: planted');
    place.write('repo/.git/hooks/pre-push', '#!/bin/sh\n');
    const seen = (): string[] => [
      place.git('rev-parse', 'main'),
      place.git('ls-remote', 'origin'),
      place.read('repo/.git/config'),
      place.read('repo/.git/hooks/pre-push'),
    ];
    const before = seen();
    const builder = `
      echo out > ${folder}/outside.txt; echo out > ${repo}/README.md; echo out > ~/.bashrc
      cat ~/.ssh/id ${folder}/home/.ssh/id; grep -ras planted ${repo}/.git; git config --list
      node -e 'require("net").connect(${unlisted.port}, "127.0.0.1").on("data", (d) => console.log(String(d))).on("error", (e) => console.log(e.code))'
      echo more > more.txt; git add -A; git commit -qm mine; git branch -f main HEAD; git update-ref refs/heads/main HEAD; git push -f origin HEAD:main
      echo evil > ${repo}/.git/hooks/pre-push; echo evil > ${repo}/.git/hooks/post-commit; git config core.hooksPath /tmp/evil
      v=$(cat /proc/sys/kernel/core_pattern); { echo "$v" > /proc/sys/kernel/core_pattern; } 2>/dev/null && echo planted
      rm -rf ${repo}/.git/objects; ln -s ${folder}/remote.git/objects ${repo}/.git/objects
      (setsid sleep 611 >/dev/null 2>&1 &)
      echo tried-all; echo right > done.txt; ${saysDone}`;
    const args = ['run', 'write done.txt', '--check', seesFile, ...shellAgents(place, { builder })];
    const { code, stdout } = await place.untildone(args);
    unlisted.close();
    expect(`${code}\n${stdout}`).toMatch(/^0\n[^]*by bubblewrap: agents and checks/);
    const log = sessionLog(place, 'builder');
    expect(log).toContain('tried-all');
    expect(log).not.toContain('planted');
    expect(seen()).toEqual(before);
    expect(readdirSync(folder)).not.toContain('outside.txt');
    expect(readdirSync(join(folder, 'home'))).not.toContain('.bashrc');
    expect(readdirSync(join(repo, '.git/hooks'))).not.toContain('post-commit');
    expect(place.read('repo/README.md')).toBe('A sample.\n');
    // Each fails where objects are broken or gone.
    place.git('fsck', '--strict');
    place.git('-C', `${folder}/remote.git`, 'fsck', '--strict');
    expect(place.living()).toEqual([]);
  });

  it('A run in the sandbox asks, proposes, commits and uses its own server; it decides nothing, and no older server answers [X12] [X14] [C10]', async () => {
    const leftPort = await freePort();
    const builder = `
      ask() { printf '%s\\n' "{\\"jsonrpc\\":\\"2.0\\",\\"id\\":1,\\"method\\":\\"tools/call\\",\\"params\\":{\\"name\\":\\"$1\\",\\"arguments\\":{}}}" | env -u UNTILDONE_DOOR untildone mcp; }
      ask read_task
      ask run_checks
      ask approve
      untildone criteria propose 'the text is short' --check true --why 'asked for'
      untildone status
      untildone approve || echo "approve: $?"
      untildone stop || echo "stop: $?"
      (setsid node -e 'require("http").createServer((q, r) => r.end("planted")).listen(${leftPort})' >/dev/null 2>&1 &)
      git add -A && git commit -qm mine --allow-empty
      echo right > done.txt; echo 'served' > page.txt; ${saysDone}`;
    const serve = `node -e 'require("http").createServer((q, r) => r.end(require("fs").readFileSync("page.txt"))).listen(process.env.PORT)'`;
    const checks = [
      { id: 'served', url: 'http://127.0.0.1:{port}/', contains: 'served', serve },
      { id: 'left', url: `http://127.0.0.1:${leftPort}/`, contains: 'planted', required: false },
    ];
    const place = sandboxedPlace({ checks });
    const secret = place.write('secret', 'planted');
    const agents = shellAgents(place, { builder, verifier: `cat ${secret} || echo hidden; ${passes}` });
    const { code, stdout, stderr } = await place.untildone([
      'run',
      'write done.txt',
      '--check',
      seesFile,
      ...agents,
    ]);
    expect(`${stdout}${stderr}`).toMatch(/by bubblewrap: agents and checks/);
    expect(`${code}\n${stdout}${stderr}`).toMatch(/^0\n/);
    const log = sessionLog(place, 'builder');
    expect(log).toMatch(/write done\.txt/);
    expect(log).toMatch(/It proves nothing/);
    expect(log).toMatch(/Agents cannot give verdicts, approvals, skips or budgets/);
    expect(log).toMatch(/Ask about your own run with `untildone mcp`/);
    expect(log).toMatch(/approve: [1-9][^]*stop: [1-9]/);
    expect(sessionLog(place, 'verifier')).toMatch(/"hidden/);
    expect(eventsOf(place).map(({ type }) => type)).toContain('criterion-proposed');
    expect(verdictsOf(place, 'served').at(-1)).toBe('pass');
    expect(new Set(verdictsOf(place, 'left'))).toEqual(new Set(['fail']));
    expect(place.git('show', `${branchOf(place)}:done.txt`)).toBe('right');
    expect(place.living()).toEqual([]);
  });

  it('A run in the sandbox leaves no process when driver and host are killed, resumes, and cleans up [D1] [X11] [C10]', async () => {
    const place = sandboxedPlace();
    const begun = place.write('allowed/begun', '');
    const builder = `[ -s ${begun} ] || { echo x > ${begun}; (setsid sleep 600 &); sleep 600; }; echo right > done.txt; ${saysDone}`;
    const agents = shellAgents(place, { builder });
    const args = ['run', 'write done.txt', '--in-place', '--check', seesFile, ...agents];
    const running = place.start(args);
    await until('the agent at work', () => place.read('allowed/begun') !== '');
    for (const pid of [...hostsOf(running.pid), running.pid]) send(pid, 'SIGKILL');
    await running.ended;
    await until('silence', () => place.living().length === 0);
    const { code, stdout } = await place.untildone(args);
    expect(stdout).toContain('Resuming from durable session');
    expect(code).toBe(0);
    expect(roles(place)).toEqual(['builder', 'builder', 'verifier']);
    expect(place.git('show', `${branchOf(place)}:done.txt`)).toBe('right');
    expect(readdirSync(join(place.folder, 'tmp')).filter((name) => name.startsWith('untildone-s'))).toEqual(
      [],
    );
    expect(place.living()).toEqual([]);
  });
});

describe('A machine without a sandbox', () => {
  it('Without a sandbox no run starts except as the hint says, and the demonstration still works [C10] [X3]', async () => {
    const place = makePlace();
    // As on a machine whose kernel refuses user namespaces.
    place.write(
      'broken/bwrap',
      '#!/bin/sh\necho "bwrap: No permissions to create new namespace" >&2\nexit 1\n',
    );
    place.makeExecutable('broken/bwrap');
    const env = { UNTILDONE_SANDBOX: '', PATH: `${join(place.folder, 'broken')}:${pathWithNode()}` };
    const builder = `echo right > done.txt; ${saysDone}`;
    const args = ['run', 'write done.txt', '--check', seesFile, ...shellAgents(place, { builder })];
    const refused = await place.untildone(args, { env });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/cannot be sandboxed here: bubblewrap does not work.*No permissions/);
    const flag = /Hint: .*(--allow-unsandboxed)/.exec(refused.stderr)?.[1] ?? '';
    expect(runFolders(place)).toEqual([]);
    const allowed = await place.untildone([...args, flag], { env });
    expect(allowed.stdout).toMatch(/NOT SANDBOXED[^]*Completed[^]*Unprotected/);
    expect(allowed.code).toBe(0);
    const demo = await place.untildone(['demo'], { env });
    expect(demo.stdout).toMatch(/NOT SANDBOXED[^]*Completed/);
    expect(demo.code).toBe(0);
  });
});

function sandboxedPlace(settings: { readonly [name: string]: unknown } = {}): Place {
  const place = makePlace();
  const sandbox = { use: 'bubblewrap', allowWrite: [join(place.folder, 'allowed')] };
  place.write('config/untildone/config.jsonc', JSON.stringify({ sandbox, ...settings }));
  const env = { ...place.env, UNTILDONE_SANDBOX: '', PATH: `${dirname(bin())}:${pathWithNode()}` };
  return {
    ...place,
    untildone: (args, options) => place.untildone(args, { ...options, env }),
    start: (args, options) => place.start(args, { ...options, env }),
  };
}

function sessionLog(place: Place, role: string): string {
  const folder = join(viewsOf(place), 'logs');
  const name = readdirSync(folder).find((one) => one.startsWith(`${role}_`)) ?? '';
  return readFileSync(join(folder, name), 'utf8');
}

function verdictsOf(place: Place, criterionId: string): string[] {
  return eventsOf(place).flatMap((event) =>
    event.type === 'evidence-recorded' && event.evidence.criterionId === criterionId
      ? [event.evidence.verdict]
      : [],
  );
}

async function serve(answer: string): Promise<{ readonly port: number; close(): void }> {
  const server = createServer((socket) => socket.on('error', () => undefined).end(answer));
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    close: () => server.close(),
  };
}
