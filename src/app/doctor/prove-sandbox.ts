// Tests the sandbox of this machine by trying to escape from it, for `doctor`.
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:net';
import { makeTrialGround, type TrialGround } from '#adapters/sandbox/trial-ground.ts';
import type { SandboxConfig } from '#kernel/model/config.ts';
import type { Sandbox } from '#ports/sandbox.ts';
import { createSandbox } from '#app/sandbox/create-sandbox.ts';
import { entryOf } from '#app/own-files.ts';
import { checkRules } from '#app/sandbox/sandbox-rules.ts';
import { chooseSandbox } from '#app/sandbox/sandbox.ts';

export interface SandboxProof {
  readonly promise: string;
  readonly isProven: boolean;
  /** What was tried, or why that was not possible. */
  readonly detail: string;
}

export interface ProvenSandbox {
  readonly kind: 'bubblewrap' | 'srt' | 'none';
  /** Every promise was proven. */
  readonly available: boolean;
  readonly reason: string;
  readonly proofs: readonly SandboxProof[];
}

type Environment = { readonly [name: string]: string };

export async function proveSandbox(env: Environment, wish: SandboxConfig): Promise<ProvenSandbox> {
  const { kind, why } = chooseSandbox(wish);
  if (kind === 'none' || kind === 'auto') {
    const proofs = [...sideBySide, harmful].map(({ promise }) => ({ promise, isProven: false, detail: why }));
    return { kind: 'none', available: false, reason: why, proofs };
  }
  const ground = await makeTrialGround([]);
  try {
    const rules = await rulesFor(ground, env, wish);
    const sandbox = createSandbox({ kind, rules }, { hostEntry: entryOf('host'), env });
    const proofs = await Promise.all(sideBySide.map((trial) => tried(trial, ground, sandbox)));
    proofs.push(await tried(harmful, ground, sandbox));
    sandbox.close();
    const available = proofs.every((one) => one.isProven);
    return { kind, available, reason: `by ${kind}`, proofs };
  } finally {
    await ground.dispose();
  }
}

async function tried({ promise, tried: what, attempt }: Trial, ground: TrialGround, sandbox: Sandbox) {
  const isProven = await attempt(ground, sandbox).catch(() => false);
  return { promise, isProven, detail: isProven ? what : `${what} was possible, or could not be tried` };
}

/** The rules of a real run, for a disposable home and repository. */
async function rulesFor(ground: TrialGround, env: Environment, wish: SandboxConfig) {
  const { rules, repo, folder, home } = ground;
  const real = await checkRules({
    root: repo,
    commonDir: `${repo}/.git`,
    stateDir: `${folder}/state`,
    workspaces: rules.workspaces,
    env: { ...env, HOME: home },
    sandbox: { ...wish, allowHosts: rules.hosts ?? [], allowWrite: [`${home}/.client`] },
  });
  return { ...real, hidden: [...real.hidden, folder] };
}

interface Trial {
  readonly promise: string;
  readonly tried: string;
  readonly attempt: (ground: TrialGround, sandbox: Sandbox) => Promise<boolean>;
}

const sideBySide: readonly Trial[] = [
  {
    promise: 'writes stay in the workspace',
    tried: 'writing beside it, into the state folder, through a symlink',
    attempt: async (ground, sandbox) => {
      const { folder } = ground;
      await ground.attempt(
        sandbox,
        `echo x > in.txt; echo x > ${folder}/out.txt; echo x > ${folder}/state/inbox/stop; ln -s ${folder} l; echo x > l/out.txt`,
      );
      const isOut = ground.read('out.txt') !== null || ground.read('state/inbox/stop') !== null;
      return !isOut && ground.read('state/worktrees/checkout/in.txt') === 'x\n';
    },
  },
  {
    promise: 'secrets and other repositories cannot be read',
    tried:
      'reading ~/.ssh, ~/.aws, /etc/shadow, the .env of another project, the state folder, the environment of a process',
    attempt: async (ground, sandbox) => {
      const { folder, pid } = ground;
      const { output } = await ground.attempt(
        sandbox,
        `cat ~/.ssh/id ~/.aws/credentials ${folder}/repos/other/.env ${folder}/state/journal.jsonl /proc/${pid}/environ; [ -s /etc/shadow ] && cat /etc/shadow > stolen && echo planted; echo end`,
      );
      return output.includes('end') && !output.includes('planted');
    },
  },
  {
    promise: "passwords in the repository's git folder cannot be read",
    tried: 'looking for them in its settings, those of a submodule, its remotes, logs and hooks',
    attempt: async (ground, sandbox) => {
      const { output } = await ground.attempt(
        sandbox,
        `grep -ras planted ${ground.repo}/.git; git config --list; git remote -v; echo end`,
      );
      return output.includes('end') && !output.includes('planted');
    },
  },
  {
    promise: 'addresses that are not listed cannot be reached',
    tried: 'connecting to an unlisted port of this machine, directly and through the proxy',
    attempt: async (ground, sandbox) => {
      const reply = await asked(ground, sandbox, ground.otherPort);
      return reply.includes('end') && !reply.includes('planted');
    },
  },
  {
    promise: 'a listed address can be reached',
    tried: 'connecting to a listed port of this machine',
    attempt: async (ground, sandbox) =>
      (await asked(ground, sandbox, ground.allowedPort)).includes('planted'),
  },
  {
    promise: 'no process stays behind, and none of yours is ended',
    tried: 'leaving a background process, killing one of yours',
    attempt: async (ground, sandbox) => {
      const { output } = await ground.attempt(
        sandbox,
        `kill -9 ${ground.pid}; setsid sleep 61.${process.pid} & echo end`,
      );
      return output.includes('end') && ground.isAlive() && !isRunning(`61.${process.pid}`);
    },
  },
  {
    promise: 'branches, hooks, settings and remotes stay as they are',
    tried: 'moving main, changing a hook and the configuration, pushing',
    attempt: async (ground, sandbox) => {
      const readSecret = (): string =>
        [
          ground.git('show-ref'),
          ground.git('ls-remote', 'origin'),
          ground.read('repos/app/.git/config'),
        ].join() + String(ground.read('repos/app/.git/hooks/post-commit'));
      const before = readSecret();
      const { output } = await ground.attempt(
        sandbox,
        `git update-ref refs/heads/main $(git commit-tree -m x $(git write-tree)); git push origin HEAD:main; git config a.b c; echo x > ${ground.repo}/.git/hooks/post-commit; git status >/dev/null && echo end`,
      );
      return output.includes('end') && readSecret() === before;
    },
  },
  {
    promise: 'kernel settings and sockets of other programs are out of reach',
    tried: "writing the kernel's crash handler, connecting to a socket in the login folder",
    attempt: async (ground, sandbox) => {
      const socket = createServer((one) => one.end('planted')).listen(`${ground.home}/.client/control.sock`);
      const { output } = await ground.attempt(
        sandbox,
        // Writes back the present value, so a success changes nothing.
        `f=/proc/sys/kernel/core_pattern; v=$(cat $f); { echo "$v" > $f; } 2>/dev/null && echo planted; node -e 'require("net").connect(process.env.HOME + "/.client/control.sock").on("data", (d) => console.log(String(d))).on("error", () => {})'; echo end`,
      );
      socket.close();
      return output.includes('end') && !output.includes('planted');
    },
  },
  {
    promise: "an agent's login can be renewed",
    tried: 'replacing the login file in its folder',
    attempt: async (ground, sandbox) => {
      await ground.attempt(sandbox, 'cd ~/.client && echo new > t && mv t login.json');
      return ground.read('home/.client/login.json') === 'new\n';
    },
  },
];

/** Last, because it destroys what the other trials need. */
const harmful: Trial = {
  promise: 'clean-up does not follow symlinks',
  tried: "replacing git's own files with symlinks before the end",
  attempt: async (ground, sandbox) => {
    const { folder, repo } = ground;
    const { output } = await ground.attempt(
      sandbox,
      `rm -rf ${repo}/.git/objects; ln -s ${repo}/.git/objects-outside ${repo}/.git/objects; h=${repo}/.git/worktrees/checkout/HEAD; rm -f $h; ln -s ${folder}/written $h; echo end`,
    );
    ground.git('fsck');
    return output.includes('end') && ground.read('written') === null;
  },
};

async function asked(ground: TrialGround, sandbox: Sandbox, port: number): Promise<string> {
  const script = `
    const ask = (to, path) => new Promise((end) => { let said = ''; const s = require('net').connect(to); s.on('connect', () => s.write('GET ' + path + ' HTTP/1.1\\\\r\\\\nHost: localhost:${port}\\\\r\\\\nConnection: close\\\\r\\\\n\\\\r\\\\n')); s.on('data', (d) => (said += d)); s.on('error', () => end(said)); s.on('close', () => end(said)); setTimeout(() => end(said), 3000); });
    const proxy = new URL(process.env.http_proxy ?? 'http://127.0.0.1:9');
    (async () => { console.log(await ask({ host: '127.0.0.1', port: ${port} }, '/')); console.log(await ask({ host: proxy.hostname, port: Number(proxy.port) }, 'http://localhost:${port}/')); console.log('end'); process.exit(0); })();`;
  const { output } = await ground.attempt(
    sandbox,
    `node -e "${script.replaceAll('"', '\\"').replaceAll('$', '\\$')}"`,
  );
  return output;
}

function isRunning(word: string): boolean {
  return execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).includes(`sleep ${word}`);
}
