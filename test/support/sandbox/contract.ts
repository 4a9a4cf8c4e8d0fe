// The contract of every sandbox, tested by a program that tries to escape.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findProgram } from '#adapters/processes/program.ts';
import { makeTrialGround, type TrialGround } from '#adapters/sandbox/trial-ground.ts';
import type { Sandbox, SandboxRules } from '#ports/sandbox.ts';

export interface SandboxCase {
  readonly name: string;
  /** Why this machine cannot have it; its title then says loudly that nothing was run. */
  readonly missing?: string | null;
  /** Files of the program that a sandbox of this kind needs inside. */
  readonly ownProgram: readonly string[];
  readonly create: (rules: SandboxRules) => Sandbox;
  /** What this kind does not give, each with the reason. */
  readonly deviations?: { readonly [promise in Deviation]?: string };
}

type Deviation =
  | 'commits'
  | 'remotes'
  | 'calls'
  | 'kernel'
  | 'copies'
  | 'own home'
  | 'loopback by its number';

const hasPerl = 'path' in findProgram('perl', process.env['PATH'], '/');
const keyctl = process.arch === 'arm64' ? 219 : 250;

export function sandboxContract(given: SandboxCase): void {
  const { name, ownProgram, create, deviations = {}, missing = null } = given;
  const note = missing === null ? '' : ` — NOT RUN: ${missing}`;
  describe.runIf(missing === null)(`The sandbox ${name}${note}`, () => {
    let bed: TrialGround;
    let sandbox: Sandbox;
    const run = async (script: string): Promise<string> => (await bed.attempt(sandbox, script)).output;

    const holds = (promise: Deviation): boolean => deviations[promise] === undefined;

    beforeAll(async () => {
      bed = await makeTrialGround(ownProgram);
      // Its temporary files are in a folder of their own.
      process.env['TMPDIR'] = join(bed.folder, 'tmp');
      mkdirSync(join(bed.folder, 'tmp'));
      sandbox = create(bed.rules);
    });
    afterAll(async () => {
      delete process.env['TMPDIR'];
      sandbox.close();
      await bed.dispose();
    });

    it('A sandboxed program writes in its workspace and nowhere else, by no link and no mount [C10]', async () => {
      const { repo, folder } = bed;
      const said = await run(`
        echo in > inside.txt
        echo out > ${folder}/outside.txt; echo out > ${repo}/a.txt; echo out > ${folder}/state/inbox/stop; echo out > /etc/untildone-outside
        ln -s ${folder} link; echo out > link/outside.txt; ln -s ${repo}/a.txt file; echo out > file
        mount -o remount,rw /; umount ${folder}; touch /usr/untildone-outside
        echo end`);
      expect(said).toContain('end');
      expect(bed.read('state/worktrees/checkout/inside.txt')).toBe('in\n');
      expect(bed.read('outside.txt')).toBeNull();
      expect(bed.read('repos/app/a.txt')).toBe('one\n');
      expect(bed.read('state/inbox/stop')).toBeNull();
      expect(readdirSync('/etc')).not.toContain('untildone-outside');
      expect(readdirSync('/usr')).not.toContain('untildone-outside');
    });

    it('A sandboxed program reads no secret, no other repository and no state, by no indirect way [C10]', async () => {
      const { home, folder, pid } = bed;
      const said = await run(`
        cat ~/.ssh/id ~/.aws/credentials ${home}/.ssh/id ${folder}/repos/other/.env ${folder}/state/journal.jsonl ${folder}/state/inbox/README
        ln -s ${home}/.ssh/id secret; cat secret; cp -r ${folder}/repos/other copy; cat copy/.env
        cat /proc/${pid}/environ /proc/1/root${home}/.ssh/id /proc/*/root${home}/.ssh/id /proc/*/environ | tr '\\0' '\\n' | grep SECRET
        unshare -Urm sh -c 'umount -l ${folder} /tmp /home; cat ${home}/.ssh/id'
        nsenter -t ${pid} -m cat ${home}/.ssh/id; nsenter -t 1 -m cat ${home}/.ssh/id
        echo end`);
      expect(said).toContain('end');
      expect(said).not.toContain('planted');
    });

    it('A sandboxed program reads no password from the git folder, and still finds its remotes [C10]', async () => {
      const said = await run(`
        grep -ras planted ${bed.repo}/.git && echo found; git config --list --show-origin; git remote -v; cat .git
        git status --short >/dev/null && echo end`);
      expect(said).toContain('end');
      expect(said).not.toContain('planted');
      expect(said.includes('https://git.example.invalid/app.git (fetch)')).toBe(holds('remotes'));
    });

    it('A sandboxed program reaches only allowed servers: no other port, no name, no socket of the desktop [C10]', async () => {
      const isLinux = process.platform === 'linux';
      const desktop = isLinux
        ? createServer((socket) => socket.end('planted')).listen(`\0untildone-${process.pid}`)
        : null;
      const said = await run(`
        node -e '
          const ask = (path) => new Promise((end) => { const s = require("net").connect(path); s.on("connect", () => s.write("GET / HTTP/1.0\\r\\n\\r\\n")); s.on("data", (d) => end(String(d))); s.on("error", (e) => end(e.code)); setTimeout(() => end("silent"), 3000); });
          (async () => {
            console.log("direct", await ask({ port: ${bed.otherPort}, host: "127.0.0.1" }));
            console.log("abstract", await ask({ path: "\\0untildone-${process.pid}" }));
            console.log("name", await new Promise((end) => require("dns").lookup("example.com", (e) => end(e?.code ?? "planted"))));
            const proxy = new URL(process.env.HTTP_PROXY ?? process.env.http_proxy);
            const through = require("net").connect(proxy.port, proxy.hostname);
            const auth = proxy.username ? "Proxy-Authorization: Basic " + Buffer.from(decodeURIComponent(proxy.username) + ":" + decodeURIComponent(proxy.password)).toString("base64") + "\\r\\n" : "";
            through.write("CONNECT 127.0.0.1:${bed.otherPort} HTTP/1.1\\r\\nHost: x\\r\\n" + auth + "\\r\\n");
            through.on("data", (d) => { console.log("proxy", String(d).split("\\r\\n")[0]); process.exit(0); });
            through.on("error", (e) => { console.log("proxy", e.code); process.exit(0); });
          })();
          setTimeout(() => process.exit(0), 300000);'
        echo end`);
      desktop?.close();
      expect(said).toContain('end');
      expect(said).toMatch(/proxy HTTP\/1.1 403/);
      expect(said).not.toContain('planted');
    });

    it.runIf(holds('loopback by its number'))(
      'A sandboxed program reaches an allowed server of this machine under its own port [C10]',
      async () => {
        const said = await run(
          `node -e 'fetch("http://127.0.0.1:${bed.allowedPort}").then((r) => r.text()).then(console.log, console.log)'`,
        );
        expect(said).toContain('planted');
      },
    );

    it('A sandboxed program reaches an allowed server through the proxy [C10]', async () => {
      const said = await run(`
        node -e '
          const proxy = new URL(process.env.HTTP_PROXY ?? process.env.http_proxy);
          const auth = proxy.username ? "Proxy-Authorization: Basic " + Buffer.from(decodeURIComponent(proxy.username) + ":" + decodeURIComponent(proxy.password)).toString("base64") + "\\r\\n" : "";
          const s = require("net").connect(proxy.port, proxy.hostname);
          s.write("GET http://localhost:${bed.allowedPort}/ HTTP/1.1\\r\\nHost: localhost:${bed.allowedPort}\\r\\nConnection: close\\r\\n" + auth + "\\r\\n");
          s.on("data", (d) => process.stdout.write(d)); s.on("error", console.log); setTimeout(() => process.exit(0), 300000).unref();'`);
      expect(said).toContain('planted');
    });

    it.runIf(holds('kernel'))('A sandboxed program changes no setting of the machine [C10]', async () => {
      // What is written back is what stands there, so that nothing changes where it works.
      const said = await run(`
        for f in /proc/sys/kernel/core_pattern /proc/sys/kernel/hostname /proc/sys/vm/overcommit_memory; do [ -e $f ] && v=$(cat $f) && { echo "$v" > $f; } 2>/dev/null && echo "planted in $f"; done
        unshare -Urmpf sh -c 'mount -t proc proc /mnt && v=$(cat /mnt/sys/kernel/core_pattern) && echo "$v" > /mnt/sys/kernel/core_pattern && echo planted in another proc'
        echo end`);
      expect(said).toContain('end');
      expect(said).not.toContain('planted');
    });

    it('A sandboxed program finds no open shared memory, no foreign sockets in its folders and no terminal [C10]', async () => {
      const socket = createServer((one) => one.end('planted')).listen(join(bed.home, '.client/control.sock'));
      const shared = `/dev/shm/untildone-${process.pid}`;
      if (process.platform === 'linux') writeFileSync(shared, 'planted');
      const said = await run(`
        cat ${shared}; grep NoNewPrivs /proc/self/status
        node -e 'const s = require("net").connect(process.env.HOME + "/.client/control.sock"); s.on("data", (d) => console.log("socket", String(d))); s.on("error", (e) => console.log(e.code)); setTimeout(() => process.exit(0), 5000).unref()'
        (echo > /dev/tty) 2>/dev/null && echo planted in a terminal
        echo end`);
      socket.close();
      rmSync(shared, { force: true });
      expect(said).toContain('end');
      expect(said).not.toContain('planted');
      expect(said).toMatch(/NoNewPrivs:\s*1/);
    });

    it.runIf(holds('calls') && hasPerl)(
      'A sandboxed program reaches no key of the user and no surrounding machine, and types into no terminal [C10]',
      async () => {
        const said = await run(
          `perl -e 'my $x = "x"; print socket(my $s, 40, 1, 0) ? "planted vsock\n" : "vsock: $!\n"; print syscall(${keyctl}, 0, -3, 0) > 0 ? "planted keys\n" : "keys: $!\n"; print ioctl(STDIN, 0x5412, $x) ? "planted\n" : "typing: $!\n"; print socket(my $u, 1, 1, 0) && socket(my $i, 2, 1, 0) ? "sockets work\n" : "$!\n";'`,
        );
        expect(said).toBe(
          'vsock: Address family not supported by protocol\nkeys: Function not implemented\ntyping: Operation not permitted\nsockets work\n',
        );
      },
    );

    it('A sandboxed program finds no way to the desktop, its keys and its messages [C10]', async () => {
      const ways =
        'DISPLAY WAYLAND_DISPLAY XAUTHORITY DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR SSH_AUTH_SOCK';
      const agent = createServer((one) => one.end('planted')).listen(join(bed.folder, 'agent.sock'));
      const env = Object.fromEntries(ways.split(' ').map((way) => [way, join(bed.folder, 'agent.sock')]));
      const script = `env | cut -d= -f1; node -e 'const s = require("net").connect("${env['SSH_AUTH_SOCK']}"); s.on("data", (d) => console.log(String(d))); s.on("error", (e) => console.log(e.code)); setTimeout(() => process.exit(0), 5000).unref()'; echo end`;
      const { output } = await bed.attempt(sandbox, script, { ...env, KEPT: 'x' });
      agent.close();
      const names = output.split('\n');
      expect(names).toContain('KEPT');
      expect(names).toContain('end');
      expect(names.filter((name) => name in env)).toEqual([]);
      expect(output).not.toContain('planted');
    });

    it('A sandboxed program reaches its own servers [C10]', async () => {
      const said = await run(
        `node -e 'const s = require("http").createServer((q, r) => r.end("mine")).listen(0, "127.0.0.1", () => fetch("http://127.0.0.1:" + s.address().port).then((r) => r.text()).then((t) => { console.log(t); process.exit(0); }, console.log))'`,
      );
      expect(said).toContain('mine');
    });

    it('A sandbox turns off the update notice of npm, so that it does not follow the output of a check', async () => {
      expect(await run('echo "<$npm_config_update_notifier>"')).toContain('<false>');
    });

    it('A sandboxed program ends no outside process, and none of its own survives [X11]', async () => {
      const name = `61${process.pid}`;
      const said = await run(
        `kill -9 ${bed.pid} || echo refused; setsid sleep ${name} >/dev/null 2>&1 & sleep 0.1; echo end`,
      );
      expect(said).toContain('refused');
      expect(said).toContain('end');
      expect(bed.isAlive()).toBe(true);
      const alive = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
      expect(alive).not.toContain(`sleep ${name}`);
    });

    it('A sandboxed program moves no ref, hook or setting of the repository, and cannot push [C10]', async () => {
      const before = [
        bed.git('show-ref'),
        bed.read('repos/app/.git/config'),
        bed.read('repos/app/.git/HEAD'),
      ];
      const remote = bed.git('ls-remote', 'origin');
      const { repo } = bed;
      const said = await run(`
        git status --short; git diff --stat
        git update-ref refs/heads/main $(git commit-tree -m x $(git write-tree)); git branch -D main; git tag stolen
        git push origin HEAD:main; git push origin HEAD:stolen
        git config core.hooksPath /tmp/hooks; git config core.fsmonitor /tmp/evil
        printf 'evil' > ${repo}/.git/hooks/pre-commit; printf evil > ${repo}/.git/hooks/post-commit; printf evil > ${repo}/.git/config; rm -rf ${repo}/.git/objects ${repo}/.git/refs
        rm -f .git; printf 'gitdir: /tmp/evil' > .git; printf /tmp/evil > ${repo}/.git/worktrees/checkout/commondir
        echo end`);
      expect(said).toContain('end');
      expect([
        bed.git('show-ref'),
        bed.read('repos/app/.git/config'),
        bed.read('repos/app/.git/HEAD'),
      ]).toEqual(before);
      expect(bed.git('ls-remote', 'origin')).toBe(remote);
      expect(bed.read('repos/app/.git/hooks/post-commit')).toBe('#!/bin/sh\n');
      expect(bed.read('repos/app/.git/hooks/pre-commit')).toBeNull();
      expect(bed.read('repos/app/.git/worktrees/checkout/commondir')).toBe('../..\n');
      bed.git('fsck', '--strict');
    });

    it.runIf(holds('commits'))(
      'The cleanup after a sandbox does not leave its copy: it follows no link, no pipe and no borrowed objects [C10]',
      async () => {
        const { folder, repo } = bed;
        const other = join(folder, 'repos/with-packs');
        const otherGit = (...args: string[]): string =>
          execFileSync('git', ['-C', other, '-c', 'user.name=A', '-c', 'user.email=a@b', ...args], {
            encoding: 'utf8',
          }).trim();
        mkdirSync(other);
        otherGit('init', '-q');
        writeFileSync(join(other, 'secret'), 'another secret\n');
        otherGit('add', '.');
        otherGit('commit', '-qm', 'x');
        const secret = otherGit('rev-parse', 'HEAD:secret');
        const loose = `${secret.slice(0, 2)}/${secret.slice(2)}`;
        const hexName = 'a'.repeat(40);
        const admin = `${repo}/.git/worktrees/checkout`;
        // What it names lies in another repository, which it cannot see and we can.
        await run(
          `echo ${other}/.git/objects > ${repo}/.git/objects/info/alternates; mkdir -p ${repo}/.git/objects/${secret.slice(0, 2)}; : > ${repo}/.git/objects/${loose}; mkfifo ${repo}/.git/objects/pack/pack-${hexName}.pack`,
        );
        otherGit('gc', '-q');
        await run(
          `rm -rf ${repo}/.git/objects/pack; ln -s ${other}/.git/objects/pack ${repo}/.git/objects/pack; rm ${admin}/HEAD; ln -s ${folder}/written ${admin}/HEAD; rm -f ${admin}/index; mkfifo ${admin}/index; printf '[core]\\n\\tfsmonitor = /evil\\n' > ${admin}/config.worktree`,
        );
        await run(
          `rm -rf ${repo}/.git/objects; ln -s ${other}/.git/objects ${repo}/.git/objects; rm -f ${admin}/HEAD; mkdir ${admin}/HEAD`,
        );
        expect(otherGit('fsck', '--strict')).toBe('');
        expect(otherGit('cat-file', '-p', secret)).toBe('another secret');
        expect(() => bed.git('cat-file', '-e', secret)).toThrow(/./);
        expect(bed.read('written')).toBeNull();
        expect(bed.read('repos/app/.git/worktrees/checkout/HEAD')).toBe('ref: refs/heads/work\n');
        expect(bed.read('repos/app/.git/worktrees/checkout/config.worktree')).not.toContain('evil');
        execFileSync('git', ['-C', bed.worktree, 'reset', '-q']);
      },
    );

    it.runIf(holds('commits'))(
      'A sandboxed program commits freely in a copy of the repository, and the objects of its index exist afterwards [C10]',
      async () => {
        const { ending, output } = await bed.attempt(
          sandbox,
          `echo new > new.txt && git add new.txt && git commit -qm 'by the agent' && git log --oneline | wc -l && git switch -qc elsewhere`,
        );
        expect(ending).toEqual({ kind: 'exited', code: 0 });
        expect(output).toMatch(/^2$/m);
        expect(bed.git('rev-list', '--count', '--all')).toBe('1');
        expect(
          execFileSync('git', ['-C', bed.worktree, 'diff', '--cached', '--name-only'], { encoding: 'utf8' }),
        ).toContain('new.txt');
      },
    );

    it('A sandboxed program renews its login, and changes no setting of its client [C10]', async () => {
      const said = await run(`
        cd ~/.client && echo new > login.json.tmp && mv login.json.tmp login.json
        echo evil > settings.json; mv settings.json away; echo evil > x && mv x settings.json; echo end`);
      expect(said).toContain('end');
      expect(bed.read('home/.client/login.json')).toBe('new\n');
      expect(bed.read('home/.client/settings.json')).toBe('old');
    });

    it.runIf(holds('copies'))(
      'A sandboxed program changes copies of files freely, keeps its sessions separate, and cannot redirect a client [C10]',
      async () => {
        const said = await run(`
          echo new >> ~/.client.json && cat ~/.client.json
          cd ~/.client; cat sessions/*; echo mine > sessions/of-mine
          cat steering.md; rm steering.md; mkdir steering.md; echo evil > steering.md/x`);
        expect(said).toContain('new');
        expect(said).not.toContain('planted');
        expect(bed.read('home/.client.json')).toBe('old');
        expect(bed.read('home/.client/sessions/of-mine')).toBeNull();
        expect(await run('cat ~/.client/sessions/of-mine ~/.client/steering.md')).toBe('mine\nold');
        expect(bed.read('home/.client/steering.md')).toBe('old');
      },
    );

    it.runIf(holds('own home'))(
      'A sandboxed program has its own home and temporary folders, which are removed with it [C10]',
      async () => {
        const said = await run(
          'echo kept > ~/.cache-of-mine && echo kept > /tmp/of-mine && cat ~/.cache-of-mine /tmp/of-mine',
        );
        expect(said).toBe('kept\nkept\n');
        expect(await run('cat ~/.cache-of-mine /tmp/of-mine')).not.toContain('kept\n');
        expect(bed.read('home/.cache-of-mine')).toBeNull();
      },
    );

    it('A sandbox reports how a program ended, and never a success for a signal', async () => {
      expect((await bed.attempt(sandbox, 'exit 7')).ending).toEqual({ kind: 'exited', code: 7 });
      const { ending } = await bed.attempt(sandbox, 'kill -TERM $$');
      expect(ending).not.toEqual({ kind: 'exited', code: 0 });
    });

    it('A sandbox leaves nothing behind', async () => {
      await run('mkdir -p /tmp/a/b && chmod 500 /tmp/a && echo x > ~/y');
      expect(readdirSync(tmpdir()).filter((one) => one.startsWith('untildone-sandbox-'))).toEqual([]);
    });
  });
}
