// What agents and checks of a run may access. Each rule has its reason beside it.
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { askRegistries, registrySigns } from '#adapters/machine/registries.ts';
import { remembered } from '#adapters/machine/remembered.ts';
import { toolFolders } from '#adapters/machine/tool-folders.ts';
import { closedToOthers } from '#adapters/sandbox/closed-to-others.ts';
import { isWithin } from '#base/is-within.ts';
import { type ClientNeeds, noNeeds } from '#agents/shared/client-facts.ts';
import { addressesIn, needsOf } from '#config/agents/client-needs.ts';
import type { AgentConfig, SandboxConfig } from '#kernel/model/config.ts';
import type { SandboxRules } from '#ports/sandbox.ts';
import { packageRoot } from '#app/own-files.ts';
import { loginFolders } from './login-folders.ts';
import { real } from './real-path.ts';

type Environment = { readonly [name: string]: string };

export interface RulesInput {
  readonly root: string;
  readonly commonDir: string;
  /** The folder that holds the state of all runs. */
  readonly stateDir: string;
  readonly workspaces: readonly string[];
  readonly env: Environment;
  readonly sandbox: SandboxConfig;
}

/** At the root of the machine only system folders are shown: work and homes may have any name. */
const systemNames = /^(bin|sbin|lib\d*|libx?32|usr|etc|opt|nix|gnu|snap|var|sys|proc|dev|run|tmp|boot)$/;
/** Within the system, folders that belong to people or reveal something about them. */
const privateFolders = ['www', 'spool', 'mail', 'backups', 'log'].map((name) => `/var/${name}`);
/** Hidden even if their permissions let everyone read them. */
const secretFiles = ['shadow', 'shadow-', 'gshadow', 'gshadow-', 'sudoers', 'ssh', 'ssl/private'];
/** System folders, where tools live: never a user's collection of repositories. */
const systemFolders = [
  '/',
  '/usr',
  '/usr/local',
  '/opt',
  '/var',
  '/etc',
  '/nix',
  '/snap',
  '/tmp',
  '/var/tmp',
];

/** The sandbox makes these itself; the machine's own in their place would leave no writable device. */
const ownOfSandbox = /^\/(?:$|(?:dev(?!\/shm\/)|proc|sys)(?:\/|$))/;

/** For checks: package registries, and what the user allows. */
export async function checkRules(input: RulesInput): Promise<SandboxRules> {
  const { env, stateDir } = input;
  // Package managers take seconds, and runs start often. Only hosts are cached: a URL may hold a password.
  const ask = async () => {
    const { texts, isWhole } = await askRegistries(env);
    return { answer: texts.flatMap(addressesIn), isWhole };
  };
  const registries = await remembered(
    join(stateDir, 'cache', 'registries.json'),
    await registrySigns(env),
    ask,
  );
  return rulesWith(input, registries);
}

export function rulesWith(input: RulesInput, registries: readonly string[]): SandboxRules {
  const { env, sandbox, commonDir, stateDir } = input;
  const home = homeOf(env);
  const expand = (paths: readonly string[]): string[] => paths.map((path) => expandHome(path, home));
  const allowWrite = expand(sandbox.allowWrite);
  const allowRead = expand(sandbox.allowRead);
  const hidden = [
    ...topEntries()
      .filter((name) => !systemNames.test(name))
      .map((name) => `/${name}`),
    ...closedToOthers(),
    ...privateFolders,
    ...secretFiles.map((name) => `/etc/${name}`),
    // The user may have set another HOME.
    userInfo().homedir,
    // Other repositories, and the person's own checkout with its untracked files.
    systemFolders.includes(dirname(input.root)) ? input.root : dirname(input.root),
    commonDir,
    stateDir,
    ...(isWithin(tmpdir(), '/tmp') ? [] : [tmpdir()]),
  ];
  const isDenied = (path: string): boolean => expand(sandbox.denyRead).some((one) => isWithin(path, one));
  const configured = [
    ...hidden.map(real).filter((path) => path !== home && path !== '/'),
    ...expand(sandbox.denyRead),
  ];
  return {
    workspaces: input.workspaces.map(real),
    commonDir: real(commonDir),
    home: home === '/' ? null : home,
    hidden: configured.filter((path) => !allowRead.includes(path) && !allowWrite.includes(path)),
    readable: [...ownProgram(), ...toolFolders(env, home), ...allowRead].filter((path) => !isDenied(path)),
    writable: allowWrite.filter((path) => !isDenied(path)),
    copied: [],
    own: [],
    hosts: [...new Set([...registries, ...sandbox.allowHosts])],
  };
}

/** A link's target is shown or hidden by its own name. */
function topEntries(): string[] {
  return readdirSync('/', { withFileTypes: true })
    .filter((entry) => !entry.isSymbolicLink())
    .map(({ name }) => name);
}

export interface AgentInput {
  readonly agent: AgentConfig;
  readonly env: Environment;
  /** Where a run stores the session data of its clients. */
  readonly ownDir: string;
  /** Whether the sandbox can show our folder in place of another. */
  readonly hasStandIns: boolean;
}

/** For sessions of one agent: also its model and its login, as far as they are described. */
export function agentRules(
  checks: SandboxRules,
  { agent, env, ownDir, hasStandIns }: AgentInput,
): SandboxRules {
  const home = homeOf(env);
  const needs = needsOf(agent, env, home) ?? wordsOf(agent);
  const login = loginFolders(needs, { isMade: agent.driver !== 'command', hasStandIns, ownDir });
  return {
    ...checks,
    readable: [
      ...checks.readable,
      ...needs.readable,
      ...namedFiles(agent, home, checks.hidden),
      ...login.readable,
    ],
    writable: [...checks.writable, ...login.writable],
    copied: [...checks.copied, ...needs.copied],
    own: login.own,
    hosts: [...new Set([...(checks.hosts ?? []), ...needs.hosts])],
  };
}

/** For an unknown agent: the addresses in its configuration. */
function wordsOf(agent: AgentConfig): ClientNeeds {
  return { ...noNeeds, hosts: addressesIn([agent.options, agent.env]) };
}

/** Files and programs that the person named for this agent, with their neighbours unless one is hidden. */
function namedFiles(agent: AgentConfig, home: string, hidden: readonly string[]): string[] {
  const words = Object.values(agent.options)
    .flat()
    .flatMap((value) => (typeof value === 'string' ? value.split(/\s+/) : []))
    .filter((word) => isAbsolute(word) && !ownOfSandbox.test(word) && existsSync(word));
  // By both names: a link is found at its own path, and what it needs is beside its target.
  return [...words, ...quotedPaths(agent)]
    .flatMap((word) => [word, realpathSync(word)])
    .map((path) => {
      const folder = packagesAround(path) ?? dirname(path);
      const isTooMuch = [home, ...hidden].some((one) => isWithin(one, folder));
      return isTooMuch || systemFolders.includes(folder) ? path : folder;
    });
}

/** A path with a blank is in quotes, or alone in a list. Devices come from the sandbox. */
function quotedPaths({ options }: AgentConfig): string[] {
  return Object.values(options)
    .flat()
    .flatMap((value) => (typeof value === 'string' ? [value, ...value.split(/["']/)] : []))
    .filter((path) => isAbsolute(path) && !/^\/(?:$|dev\/|proc\/|sys\/)/.test(path) && existsSync(path));
}

/** Our own files: a bridge and a scripted agent are this program. */
function ownProgram(): string[] {
  const root = realpathSync(packageRoot());
  const packages = packagesAround(root);
  const own =
    packages === null
      ? ['src', 'dist', 'bin', 'package.json', 'node_modules'].map((name) => join(root, name))
      : [packages];
  return [realpathSync(process.execPath), ...own];
}

/** The outermost folder of packages: packages need each other. */
function packagesAround(path: string): string | null {
  return /^(.*?[/\\]node_modules)[/\\]/.exec(path)?.[1] ?? null;
}

function homeOf(env: Environment): string {
  return real(env['HOME'] ?? homedir());
}

function expandHome(path: string, home: string): string {
  return path === '~' || path.startsWith('~/') ? join(home, path.slice(2)) : path;
}
