// The Linux sandbox: one bubblewrap per program, with separate files, processes and network.
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import type { Sandbox, SandboxedProgram, SandboxRules, WrappedProgram } from '#ports/sandbox.ts';
import { loopbackPorts } from '#adapters/sandbox/allowed-hosts.ts';
import { variablesInside } from '#adapters/sandbox/bridge.ts';
import { withoutDesktop } from '#adapters/sandbox/desktop-variables.ts';
import { mcpSocketVariable } from '#adapters/sandbox/mcp-socket.ts';
import { startProxy } from '#adapters/sandbox/proxy.ts';
import { makeScratch, removeScratch } from '#adapters/sandbox/scratch.ts';
import { isWithin } from '#base/is-within.ts';
import { workspaceOf } from '#adapters/sandbox/workspace-of.ts';
import { type GitView, openGitView } from './git-view.ts';
import { hiddenSockets } from './open-sockets.ts';
import { keepLinks } from './keep-links.ts';
import { machineFiles } from './machine-files.ts';
import { linksTo, type Mount, mountArguments, present } from './mounts.ts';
import { type NetworkLease, openSharedNetwork, type SharedNetwork } from './shared-network.ts';
import { syscallFilter } from './syscall-filter.ts';

export interface BubblewrapOptions {
  readonly bubblewrap: string;
  readonly rules: SandboxRules;
  /** The command that forwards connections to the outside; see `bridge.ts`. */
  readonly bridge: readonly [string, ...string[]];
  /** Our own environment: this machine may need a proxy. */
  readonly env: { readonly [name: string]: string | undefined };
  /** Programs that run one after the other share a network; see `shared-network.ts`. Else each has its own. */
  readonly isNetworkShared?: boolean;
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
  let network: OwnNetwork | null = null;
  const wayOut = (hosts: readonly string[]): Way => {
    network ??= openNetwork(options, hosts);
    return { socket: network.socket, lease: network.shared?.lease() ?? null };
  };
  return {
    kind: 'bubblewrap',
    ...(isRoot ? { fileOwner: insideUser } : {}),
    wrap(program) {
      const scratch = makeScratch('sandbox');
      open.add(scratch);
      const isOpenNet = rules.hosts === null || program.isServed;
      const way = isOpenNet || rules.hosts === null ? noWay : wayOut(rules.hosts);
      try {
        const { args, git } = arrange(program, { ...options, ...way, scratch });
        const putBack = keepLinks(rules);
        return {
          ...startOf(program, args, { ...options, ...way, scratch }),
          release: async () => {
            way.lease?.end();
            putBack();
            await git?.settle();
            await removeScratch(scratch);
            open.delete(scratch);
          },
        };
      } catch (error) {
        way.lease?.end();
        throw error;
      }
    },
    close() {
      network?.close();
      network = null;
      for (const folder of open) void removeScratch(folder);
    },
  };
}

/** How a program reaches the allowed hosts: by the network that it joins, else by the socket of the proxy. */
interface Way {
  readonly socket: string | null;
  readonly lease: NetworkLease | null;
}

const noWay: Way = { socket: null, lease: null };

interface OwnNetwork {
  readonly socket: string;
  readonly shared: SharedNetwork | null;
  close(): void;
}

function openNetwork(
  { bubblewrap, rules, bridge, env, isNetworkShared = false }: BubblewrapOptions,
  hosts: readonly string[],
): OwnNetwork {
  const folder = makeScratch('sockets');
  const socket = join(folder, 'socket');
  const proxy = startProxy({ socketFile: socket, hosts, env });
  const way = [socket, loopbackPorts(rules.hosts ?? []).join(',')];
  const shared = isNetworkShared
    ? openSharedNetwork({
        bubblewrap,
        namespaces: [...namespaces, ...user],
        bridge: [...bridge, ...way],
        folder,
      })
    : null;
  return {
    socket,
    shared,
    close() {
      shared?.close();
      proxy.close();
      void removeScratch(folder);
    },
  };
}

interface Arranging extends BubblewrapOptions, Way {
  readonly scratch: string;
}

function arrange(program: SandboxedProgram, arranging: Arranging): { args: string[]; git: GitView | null } {
  const { rules, scratch, lease, mcpSocket = null } = arranging;
  const socket = lease === null ? arranging.socket : null;
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
  { bubblewrap, rules, bridge, socket, lease, scratch, mcpSocket = null }: Arranging,
): Omit<WrappedProgram, 'release'> {
  const isOpenNet = rules.hosts === null || isServed;
  const way =
    socket === null ? ['', ''] : [insideSocket('proxy'), loopbackPorts(rules.hosts ?? []).join(',')];
  // The proxy has its own address inside; the machine's address may contain a password.
  const isProxy = (name: string): boolean => socket !== null && /_proxy$/i.test(name);
  const kept = {
    ...Object.fromEntries(Object.entries(withoutDesktop(env)).filter(([name]) => !isProxy(name))),
    ...(mcpSocket === null ? {} : { [mcpSocketVariable]: insideSocket('mcp') }),
  };
  const filter = filterFile(scratch);
  const [starter, ...enter] = lease === null ? [bubblewrap] : [...lease.enter, bubblewrap];
  return {
    file: starter,
    openFiles: filter === null ? [] : [filter],
    args: [
      ...enter,
      ...(filter === null ? ['--info-fd', '3'] : ['--seccomp', '3', '--info-fd', '4']),
      ...namespaces,
      ...user,
      ...(isOpenNet || lease !== null ? [] : ['--unshare-net']),
      ...mounts,
      '--',
      ...(lease === null ? [...bridge, ...way] : []),
      file,
      ...args,
    ],
    env: lease === null ? kept : variablesInside(kept, lease.proxyPort),
    isNamespace: true,
    ...(lease === null ? {} : { keepsFilesAway: true }),
  };
}

function filterFile(scratch: string): string | null {
  const filter = syscallFilter();
  if (filter === null) return null;
  const file = join(scratch, 'filter');
  writeFileSync(file, filter);
  return file;
}
