// The Linux sandbox: one bubblewrap per program, with separate files, processes and network.
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import type { Sandbox, SandboxedProgram, SandboxRules, WrappedProgram } from '#ports/sandbox.ts';
import { loopbackPorts } from '#adapters/sandbox/allowed-hosts.ts';
import { withoutDesktop } from '#adapters/sandbox/desktop-variables.ts';
import { mcpSocketVariable } from '#adapters/sandbox/mcp-socket.ts';
import { type Proxy, startProxy } from '#adapters/sandbox/proxy.ts';
import { makeScratch, removeScratch } from '#adapters/sandbox/scratch.ts';
import { isWithin } from '#base/is-within.ts';
import { workspaceOf } from '#adapters/sandbox/workspace-of.ts';
import { type GitView, openGitView } from './git-view.ts';
import { hiddenSockets } from './open-sockets.ts';
import { keepLinks } from './keep-links.ts';
import { machineFiles } from './machine-files.ts';
import { linksTo, type Mount, mountArguments, present } from './mounts.ts';
import { syscallFilter } from './syscall-filter.ts';

export interface BubblewrapOptions {
  readonly bubblewrap: string;
  readonly rules: SandboxRules;
  /** The command that forwards connections to the outside; see `bridge.ts`. */
  readonly bridge: readonly [string, ...string[]];
  /** Our own environment: this machine may need a proxy. */
  readonly env: { readonly [name: string]: string | undefined };
  /** A socket file that programs find inside (the MCP socket); see `mcp-socket.ts`. */
  readonly mcpSocket?: string | null;
}

/** Separate users, processes, IPC and host names; no rights over the machine, even for root. */
export const namespaces: readonly string[] = (
  '--unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --cap-drop ALL ' +
  '--die-with-parent'
).split(' ');

/**
 * Root gets another user id inside: the kernel denies uid 0 without rights its own sandbox, which clients
 * (Codex) and browsers need. That user then owns the files of root.
 */
const insideUser = 1000;
const isRoot = process.getuid?.() === 0;
const user = isRoot ? ['--uid', String(insideUser), '--gid', String(insideUser)] : [];

export function createBubblewrapSandbox(options: BubblewrapOptions): Sandbox {
  const { rules } = options;
  const open = new Set<string>();
  let network: { readonly folder: string; readonly proxy: Proxy } | null = null;
  const proxySocket = (hosts: readonly string[]): string => {
    if (network === null) {
      const folder = makeScratch('sockets');
      network = {
        folder,
        proxy: startProxy({ socketFile: join(folder, 'socket'), hosts, env: options.env }),
      };
    }
    return join(network.folder, 'socket');
  };
  return {
    kind: 'bubblewrap',
    ...(isRoot ? { fileOwner: insideUser } : {}),
    wrap(program) {
      const scratch = makeScratch('sandbox');
      open.add(scratch);
      const isOpenNet = rules.hosts === null || program.isServed;
      const socket = isOpenNet || rules.hosts === null ? null : proxySocket(rules.hosts);
      const { args, git } = arrange(program, { ...options, scratch, socket });
      const putBack = keepLinks(rules);
      return {
        ...startOf(program, args, { ...options, socket, scratch }),
        release: async () => {
          putBack();
          await git?.settle();
          await removeScratch(scratch);
          open.delete(scratch);
        },
      };
    },
    close() {
      network?.proxy.close();
      const folders = [...open, ...(network === null ? [] : [network.folder])];
      network = null;
      for (const folder of folders) void removeScratch(folder);
    },
  };
}

interface Arranging extends BubblewrapOptions {
  readonly scratch: string;
  readonly socket: string | null;
}

function arrange(program: SandboxedProgram, arranging: Arranging): { args: string[]; git: GitView | null } {
  const { rules, scratch, socket, mcpSocket = null } = arranging;
  const cwd = realpathSync(program.cwd);
  const workspace = workspaceOf(cwd, rules.workspaces);
  const git =
    workspace === null || rules.commonDir === null ? null : openGitView(workspace, rules.commonDir, scratch);
  const mounts = present([
    ...rules.hidden.map((path): Mount => ({ kind: 'hide', path })),
    ...ownFolders(rules, program, scratch),
    ...userNames(scratch),
    ...rules.readable.map((path): Mount => ({ kind: 'read', path })),
    // Shown even if its folder is hidden.
    { kind: 'read', path: program.file },
    ...promptOf(program),
    ...rules.copied.flatMap((path, index) => copyOf(path, join(scratch, `copy-${index}`))),
    ...rules.writable.map((path): Mount => ({ kind: 'write', path })),
    ...rules.own.map((own): Mount => ({ kind: 'write', ...own })),
    { kind: workspace !== null || program.isServed ? 'write' : 'read', path: workspace ?? cwd },
    ...(git?.mounts ?? []),
    ...(socket === null ? [] : [{ kind: 'read', path: insideSocket('proxy'), from: socket } as const]),
    ...(mcpSocket === null ? [] : [{ kind: 'read', path: insideSocket('mcp'), from: mcpSocket } as const]),
  ]);
  const hidden = hiddenSockets(mounts, workspace ?? cwd);
  const links = linksTo(namesInside(program, rules), mounts);
  // A file that cannot even be opened would stop programs that can do without it.
  const empty = join(scratch, 'empty');
  writeFileSync(empty, '', { mode: 0o444 });
  const all = mountArguments([...mounts, ...hidden, ...links], empty);
  const args = [...machineFiles(), ...all, '--chdir', cwd];
  return { args, git };
}

/** Names by which a program finds the paths shown to it. */
function namesInside({ file, cwd, env }: SandboxedProgram, rules: SandboxRules): string[] {
  const path = (env['PATH'] ?? '').split(delimiter);
  const paths = [
    file,
    cwd,
    env['HOME'] ?? '',
    env['TMPDIR'] ?? '',
    ...path,
    ...rules.readable,
    ...rules.writable,
  ];
  return [...new Set(paths)].filter((name) => isAbsolute(name));
}

/** Home and temporary folders are private to the program and removed with it. */
function ownFolders({ home }: SandboxRules, { env }: SandboxedProgram, scratch: string): Mount[] {
  const own = (path: string, name: string): Mount[] => {
    if (!existsSync(path)) return [];
    mkdirSync(join(scratch, name), { recursive: true });
    return [{ kind: 'write', path: realpathSync(path), from: join(scratch, name) }];
  };
  return [
    { kind: 'hide', path: '/run' },
    ...own('/tmp', 'tmp'),
    ...own('/var/tmp', 'var-tmp'),
    ...own(env['TMPDIR'] ?? '/tmp', 'tmp'),
    ...(home === null ? [] : own(home, 'home')),
    ...homeParts
      .flatMap((name) => env[name] ?? [])
      .filter((path) => isAbsolute(path) && path !== '/' && !isWithin(path, home ?? '/nowhere'))
      .flatMap((path, index) => own(path, `home-${index}`)),
  ];
}

/** Parts of a home that may be elsewhere. */
const homeParts = ['XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME'];

/** Programs look up the name of their user. */
function userNames(scratch: string): Mount[] {
  if (!isRoot || !existsSync('/etc/passwd')) return [];
  const known = readFileSync('/etc/passwd', 'utf8');
  if (new RegExp(`^[^:]*:[^:]*:${insideUser}:`, 'm').test(known)) return [];
  const file = join(scratch, 'passwd');
  writeFileSync(file, `${known.trimEnd()}\nuser:x:${insideUser}:${insideUser}::/:/bin/sh\n`);
  return [{ kind: 'read', path: '/etc/passwd', from: file }];
}

/** The file of a prompt too long for an argument. */
function promptOf({ env }: SandboxedProgram): Mount[] {
  const file = env['UNTILDONE_PROMPT_FILE'];
  return file === undefined ? [] : [{ kind: 'read', path: dirname(file) }];
}

function copyOf(path: string, to: string): Mount[] {
  if (!existsSync(path)) return [];
  cpSync(path, to, { recursive: true });
  return [{ kind: 'write', path: realpathSync(path), from: to }];
}

function insideSocket(name: 'proxy' | 'mcp'): string {
  return existsSync('/run') ? `/run/untildone-${name}` : `/tmp/.untildone-${name}`;
}

function startOf(
  { file, args, env, isServed }: SandboxedProgram,
  mounts: readonly string[],
  { bubblewrap, rules, bridge, socket, scratch, mcpSocket = null }: Arranging,
): Omit<WrappedProgram, 'release'> {
  const isOpenNet = rules.hosts === null || isServed;
  const way =
    socket === null ? ['', ''] : [insideSocket('proxy'), loopbackPorts(rules.hosts ?? []).join(',')];
  // The proxy has its own address inside; the machine's address may contain a password.
  const isProxy = (name: string): boolean => socket !== null && /_proxy$/i.test(name);
  const kept = Object.entries(withoutDesktop(env)).filter(([name]) => !isProxy(name));
  const filter = filterFile(scratch);
  return {
    file: bubblewrap,
    openFiles: filter === null ? [] : [filter],
    args: [
      ...(filter === null ? ['--info-fd', '3'] : ['--seccomp', '3', '--info-fd', '4']),
      ...namespaces,
      ...user,
      ...(isOpenNet ? [] : ['--unshare-net']),
      ...mounts,
      '--',
      ...bridge,
      ...way,
      file,
      ...args,
    ],
    env: {
      ...Object.fromEntries(kept),
      ...(mcpSocket === null ? {} : { [mcpSocketVariable]: insideSocket('mcp') }),
    },
    isNamespace: true,
  };
}

function filterFile(scratch: string): string | null {
  const filter = syscallFilter();
  if (filter === null) return null;
  const file = join(scratch, 'filter');
  writeFileSync(file, filter);
  return file;
}
