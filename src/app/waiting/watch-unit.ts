// `watch --install`: a unit that starts the watch at login, and whether an installed one still works.
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import {
  isLingering,
  readUnit,
  removeUnit,
  systemctl,
  unitFile,
  writeUnit,
} from '#adapters/waiting/user-unit.ts';
import { readWakeRecords } from '#adapters/waiting/wake-file.ts';
import { livingWatch } from '#adapters/waiting/watch-lock.ts';
import { definedOnly, type Environment } from '#config/env-file.ts';
import { plistText, programIn, unitName, unitText, type UnitParts } from '#views/waiting/unit-text.ts';
import { stateHome } from '#app/state-home.ts';
import { launcher } from '#app/own-files.ts';

export interface UnitPlan {
  readonly kind: 'systemd' | 'launchd';
  readonly file: string;
  readonly text: string;
}

/** Null on a system that has neither systemd nor launchd. */
export function planUnit(variables: NodeJS.ProcessEnv, platform: NodeJS.Platform): UnitPlan | null {
  const env = definedOnly(variables);
  const parts: UnitParts = { node: process.execPath, cli: launcher(), env: environmentOfUnit(env) };
  const home = env['HOME'] ?? homedir();
  if (platform === 'darwin')
    return {
      kind: 'launchd',
      file: `${home}/Library/LaunchAgents/untildone-watch.plist`,
      text: plistText(parts),
    };
  if (platform !== 'linux') return null;
  return { kind: 'systemd', file: unitFile(env, home, unitName), text: unitText(parts) };
}

/** Without the state folder it would watch another one; without PATH it would find no agent. */
function environmentOfUnit(env: Environment): Environment {
  const names = ['PATH', 'XDG_STATE_HOME', 'XDG_CONFIG_HOME'];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = env[name] ?? '';
      return value === '' || value.includes('\n') ? [] : [[name, value]];
    }),
  );
}

export interface InstalledUnit {
  /** Why it does not run; null when it does. */
  readonly problem: string | null;
  readonly isLingering: boolean | null;
  /** Variables that waiting runs need and the unit lacks. */
  readonly missing: readonly string[];
}

export async function installUnit(
  { file, text }: UnitPlan,
  variables: NodeJS.ProcessEnv,
): Promise<InstalledUnit> {
  const env = definedOnly(variables);
  await writeUnit(file, text);
  const problem = await startUnit(env);
  return { problem, isLingering: await isLingering(env), missing: await missingIn(env) };
}

async function startUnit(env: Environment): Promise<string | null> {
  const reload = await systemctl(env, 'daemon-reload');
  if (reload.code !== 0) return `systemctl --user cannot be used here: ${reload.problem}`;
  const isActive = (await systemctl(env, 'is-active', '--quiet', unitName)).code === 0;
  const other = isActive ? null : await livingWatch(stateHome(env));
  const enabled = await systemctl(env, 'enable', ...(other === null ? ['--now'] : []), unitName);
  if (enabled.code !== 0) return `systemctl --user enable failed: ${enabled.problem}`;
  if (other !== null)
    return `another \`untildone watch\` is running (pid ${other.pid}). End it, then: systemctl --user start ${unitName}`;
  // A running unit still has the old text.
  if (isActive) await systemctl(env, 'restart', unitName);
  return null;
}

async function missingIn(env: Environment): Promise<string[]> {
  const needs = new Set((await readWakeRecords(stateHome(env))).flatMap((record) => record.needs));
  const { stdout } = await systemctl(env, 'show-environment');
  const has = new Set([
    ...Object.keys(environmentOfUnit(env)),
    ...stdout.split('\n').map((line) => line.slice(0, Math.max(0, line.indexOf('=')))),
  ]);
  return [...needs].filter((name) => !has.has(name)).toSorted();
}

/** False if there is none. */
export async function uninstallUnit({ file }: UnitPlan, variables: NodeJS.ProcessEnv): Promise<boolean> {
  if ((await readUnit(file)) === null) return false;
  const env = definedOnly(variables);
  await systemctl(env, 'disable', '--now', unitName);
  await removeUnit(file);
  await systemctl(env, 'daemon-reload');
  return true;
}

export interface UnitState {
  readonly file: string;
  readonly problem: string | null;
}

/** The state of an installed unit, for `doctor`; null if there is none. */
export async function inspectUnit(variables: NodeJS.ProcessEnv): Promise<UnitState | null> {
  const plan = planUnit(variables, process.platform);
  const text = plan?.kind === 'systemd' ? await readUnit(plan.file) : null;
  if (plan === null || text === null) return null;
  return { file: plan.file, problem: await unitProblem(text, definedOnly(variables)) };
}

async function unitProblem(text: string, env: Environment): Promise<string | null> {
  const program = programIn(text);
  const again = 'Write it again: untildone watch --install';
  if (program === null) return `it does not start \`untildone watch\`. ${again}`;
  const gone = [program.node, program.cli].find((path) => !existsSync(path));
  if (gone !== undefined) return `${gone} is gone. ${again}`;
  const { code, stdout, problem } = await systemctl(env, 'is-active', unitName);
  if (code === 0) return null;
  const state = stdout.trim() === '' ? problem : stdout.trim();
  return `it is not running (${state}). See: systemctl --user status ${unitName}`;
}
