import type { Probe } from '#app/doctor/probe-machine.ts';
import type { Surroundings } from '#app/doctor/agent-report.ts';
import type { Site } from '#app/site.ts';
import { configuredAgents } from '#config/agents/agents.ts';
import type { ProvenSandbox, SandboxProof } from '#app/doctor/prove-sandbox.ts';
import { environmentLayer } from '#config/environment.ts';
import { flagLayer } from '#config/flags.ts';
import { setting } from '#config/layers.ts';
import { loadSettings } from '#config/load.ts';
import { sandboxOf } from '#config/resolve/sandbox.ts';
import type { SandboxConfig } from '#kernel/model/config.ts';
import { OperatorError } from '#base/operator-error.ts';
import { isInteractive, print, printJson } from '#surfaces/cli/output.ts';
import { doctorVerdict, stateProblem } from '#surfaces/cli/render/doctor-verdict.ts';
import { busy } from '#surfaces/cli/render/busy.ts';
import { agentLines } from '#surfaces/cli/render/agent-lines.ts';
import { openHereToRead } from '#surfaces/cli/open-here.ts';
import { diskText } from '#views/lines/disk-use.ts';
import { platformLines, platformSupport } from '#views/platform.ts';

export interface DoctorOptions {
  readonly agent?: readonly string[];
  readonly pay?: string;
  readonly allowRoot?: boolean;
  readonly json?: boolean;
}

export async function doctorCommand(options: DoctorOptions): Promise<number> {
  if (options.agent !== undefined) {
    const { tryAgent } = await import('#surfaces/cli/sanity/try-agent.ts');
    const { pay, allowRoot = false, json = false } = options;
    return tryAgent(options.agent, { isJson: json, pay, allowRoot });
  }
  const found = await examine(options);
  if (options.json === true) printAsJson(found);
  else printAll(found);
  return found.verdict.code;
}

type Examination = Awaited<ReturnType<typeof examine>>;

async function examine(options: DoctorOptions) {
  const { probe } = await import('#app/doctor/probe-machine.ts');
  const { reportAgents } = await import('#app/doctor/doctor.ts');
  const { site, root, problem, around, wish } = await repositoryHere(options);
  const { chooseSandbox } = await import('#app/sandbox/sandbox.ts');
  const { readOnlyReason, startRefusal } = await import('#app/run/start-refusal.ts');
  const machine = await busy('looking for programs', () => probe(process.env));
  const { proveSandbox } = await import('#app/doctor/prove-sandbox.ts');
  const { proveWork } = await import('#app/doctor/prove-work.ts');
  const { diskUsage } = await import('#app/clean/disk-usage.ts');
  const { inspectUnit } = await import('#app/waiting/watch-unit.ts');
  const settled = { ...wish, ...chooseSandbox(wish) };
  const [agents, sandbox, work, disk, readOnly, unit, refusal] = await Promise.all([
    busy('asking agents for version and login', () =>
      reportAgents({ ...around, root: root ?? process.cwd(), sandbox: settled, programs: machine.agents }),
    ),
    busy('testing the sandbox', () => proveSandbox({ ...around.ownEnv }, wish)),
    busy('testing a small run', () => proveWork()),
    site === null ? null : busy('measuring disk usage', () => diskUsage(site)),
    site === null ? null : readOnlyReason(site),
    inspectUnit(process.env),
    site === null || problem !== null ? problem : startRefusal(site),
  ]);
  const verdict = doctorVerdict({
    ...machine,
    isWorkSound: work.every((one) => one.isProven),
    isSandboxMissing: sandbox.kind === 'none' && wish.isRequired && wish.kind !== 'none',
    // The folder is fine, so the configuration is broken.
    isBroken: root !== null && problem !== null,
    refusal,
    agents,
  });
  return { verdict, root, machine, agents, sandbox, work, disk, readOnly, unit, refusal, wish };
}

function printAsJson({
  verdict,
  root,
  machine,
  agents,
  sandbox,
  work,
  disk,
  readOnly,
  unit,
  refusal,
}: Examination): void {
  printJson({
    verdict: verdict.text,
    repository: root,
    ...(readOnly === null ? {} : { repositoryReadOnly: readOnly }),
    problem: refusal === null ? '' : `${refusal.message} ${refusal.hint}`,
    ...machine,
    platformSupport: platformSupport(process.platform),
    disk,
    ...(unit === null ? {} : { watchUnit: unit }),
    sandbox,
    work,
    agents,
  });
}

function printAll({
  verdict,
  root,
  machine,
  agents,
  sandbox,
  work,
  disk,
  readOnly,
  unit,
  wish,
}: Examination): void {
  print(`${verdict.text}\n`);
  printMachine(machine, { root, readOnly });
  if (disk !== null) line(true, diskText(disk));
  if (unit !== null)
    line(
      unit.problem === null,
      `the watch unit ${unit.file}${unit.problem === null ? ' is running' : `: ${unit.problem}`}`,
      marks.careful,
    );
  printWork(work);
  printSandbox(sandbox, wish.kind === 'none');
  // Wrapped to a person's terminal; one line each for a program.
  for (const text of agentLines(agents, isInteractive() ? (process.stdout.columns ?? 100) : Infinity))
    print(text);
}

function printMachine(
  { node, platform, git, state, confinement, browser }: Probe,
  { root, readOnly }: Pick<Here, 'root'> & { readonly readOnly: string | null },
): void {
  line(true, `Node ${node} on ${platform}`);
  for (const text of platformLines(process.platform)) print(`⚠️  ${text}`);
  line(
    'version' in git,
    'version' in git ? `git ${git.version}` : `${git.problem}: install git 2.38 or newer`,
  );
  if (root !== null)
    line(
      readOnly === null,
      `repository ${root}${readOnly === null ? '' : ` cannot be written: ${readOnly}`}`,
    );
  const isKept = state.problem === null;
  line(isKept, isKept ? `state folder: ${state.folder}; writing and locking work` : stateProblem(state));
  line(confinement.kind !== 'process-group', `processes: ${confinement.promise}`, marks.careful);
  line(
    'chromium' in browser,
    'chromium' in browser
      ? `browser checks use ${browser.chromium}`
      : `no browser checks: ${browser.problem}`,
    marks.optional,
  );
}

/** One line per promise, with the attempt; if nothing could be tried, one line for all. */
function printSandbox({ available, reason, proofs }: ProvenSandbox, isDeclined: boolean): void {
  if (isDeclined) return line(false, `agents and checks are NOT SANDBOXED: ${reason}`, marks.careful);
  line(
    available,
    available
      ? `agents and checks are sandboxed ${reason}; each promise was tested just now:`
      : `agents and checks are NOT SANDBOXED as promised: ${reason}`,
  );
  if (proofs.some(({ isProven, detail }) => isProven || detail !== reason)) printProofs(proofs);
  else print(`   ${marks.bad} not available: ${proofs.map(({ promise }) => promise).join('; ')}`);
}

function printWork(proofs: readonly SandboxProof[]): void {
  const isGood = proofs.every((one) => one.isProven);
  line(isGood, 'a small test run; each promise was tested just now:');
  printProofs(proofs);
}

function printProofs(proofs: readonly SandboxProof[]): void {
  for (const { promise, isProven, detail } of proofs)
    print(`   ${isProven ? '✅ proven' : '❌ not available'}: ${promise} (${detail})`);
}

interface Here {
  readonly site: Site | null;
  readonly root: string | null;
  /** Why no run starts here: the folder, or its configuration. */
  readonly problem: OperatorError | null;
  readonly around: Pick<Surroundings, 'env' | 'ownEnv' | 'configured' | 'agentEnv' | 'allowRoot'>;
  readonly wish: SandboxConfig;
}

/** Without a repository or a readable configuration, `doctor` still reports on the machine. */
async function repositoryHere({ allowRoot = false }: DoctorOptions): Promise<Here> {
  let here: Site | null = null;
  let root: string | null = null;
  const own = ownEnvironment();
  let around = { env: own, ownEnv: own, configured: new Map(), agentEnv: undefined, allowRoot };
  try {
    const site = await openHereToRead();
    here = site;
    root = site.root;
    around = { ...around, env: { ...site.env }, ownEnv: { ...site.ownEnv } };
    const { merged } = await loadSettings({ ...site, flags: flagLayer(allowRoot ? { allowRoot } : {}) });
    const wish = sandboxOf(merged);
    const found = {
      configured: configuredAgents(merged),
      agentEnv: setting(merged, 'agent.env'),
      allowRoot: setting(merged, 'allowRoot') === true,
    };
    return { site, root, problem: null, around: { ...around, ...found }, wish };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    const wish = sandboxOf(environmentLayer(around.ownEnv));
    return { site: here, root, problem: error, around, wish };
  }
}

function ownEnvironment(): { [name: string]: string } {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** A cross means that no run can start; optional or weaker items have their own mark. */
const marks = { good: '✅', bad: '❌', careful: '⚠️ ', optional: '➖' } as const;

function line(isGood: boolean, text: string, otherwise: string = marks.bad): void {
  print(`${isGood ? marks.good : otherwise} ${text}`);
}
