import type { Probe } from '#compose.ts';
import type { AgentReport, Surroundings } from '#compose/doctor.ts';
import { OperatorError } from '#ports/operator-error.ts';
import { isInteractive, print, printJson } from '#surfaces/cli/output.ts';
import { fit } from '#surfaces/cli/render/words.ts';
import { openHere } from '#surfaces/cli/site.ts';
import { payerWords } from '#views/words.ts';

export interface DoctorOptions {
  readonly agent?: readonly string[];
  readonly pay?: string;
  readonly json?: boolean;
}

export async function doctorCommand(options: DoctorOptions): Promise<number> {
  if (options.agent !== undefined) {
    const { tryAgent } = await import('#surfaces/cli/try-agent.ts');
    return tryAgent(options.agent, { isJson: options.json === true, pay: options.pay });
  }
  const { probe } = await import('#compose.ts');
  const { reportAgents } = await import('#compose/doctor.ts');
  const { root, problem, around } = await repositoryHere();
  const machine = await probe(process.env);
  const agents = await reportAgents({ ...around, programs: machine.agents });
  if (options.json === true) {
    printJson({ repository: root, ...machine, agents });
    return 0;
  }
  printMachine(machine, root, problem);
  for (const line of agentLines(agents, process.stdout.columns ?? 100)) print(line);
  return 0;
}

function printMachine(
  { node, platform, git, state, confinement, browser, sandbox }: Probe,
  root: string | null,
  problem: string,
): void {
  line(true, `Node ${node} on ${platform}`);
  line(
    'version' in git,
    'version' in git ? `git ${git.version}` : `${git.problem}: install git 2.38 or newer`,
  );
  line(root !== null, root === null ? problem : `repository ${root}`);
  line(
    state.problem === null,
    `state is kept in ${state.folder}${state.problem === null ? '; writing and locking work' : `: ${state.problem}`}`,
  );
  line(confinement.kind !== 'process-group', `processes: ${confinement.promise}`);
  line(
    'chromium' in browser,
    'chromium' in browser
      ? `browser checks use ${browser.chromium}`
      : `no browser checks: ${browser.problem}`,
  );
  line(
    sandbox.available,
    `${sandbox.available ? 'agents are sandboxed' : 'agents are NOT SANDBOXED'}: ${sandbox.reason}`,
  );
}

const marks = { ready: '✅', unsure: '⚠️ ', missing: '❌' } as const;

/** Two lines for what is here, one for what is not: all of it fits on a screen. */
export function agentLines(agents: readonly AgentReport[], columns: number): string[] {
  const width = Math.max(...agents.map((agent) => agent.name.length));
  const ready = agents.find((agent) => agent.state === 'ready');
  const lines = agents.flatMap((agent) => {
    const head = `${marks[agent.state]} ${agent.name.padEnd(width)}`;
    if (agent.state === 'missing') return [`${head}  not here: ${agent.next ?? ''}`];
    const indent = ' '.repeat(width + 5);
    return [`${head}  ${whatIsHere(agent)}`, `${indent}${abilities(agent)} · --agent ${agent.nameIt}`];
  });
  return [
    '\nAgents:',
    ...lines.map((text) => cutToScreen(text, columns)),
    '',
    `Any other: --agent "acp:my-agent --acp" (Agent Client Protocol) · --agent "command:my-cli --flag"`,
    `Try one for real, in a temporary repository: untildone doctor --agent ${ready?.nameIt ?? 'claude'}`,
  ];
}

function whatIsHere({ title, version, payer, models, next }: AgentReport): string {
  const parts = [`${title}${version === null ? '' : ` ${version}`}`];
  if (models.length > 0)
    parts.push(`${models.length} models: ${models.slice(0, 4).join(', ')}${models.length > 4 ? ', …' : ''}`);
  if (payer !== null && next === null)
    parts.push(`paid by ${payerWords(payer).replace('; USD shown are list prices', '')}`);
  if (next !== null) parts.push(payer?.kind === 'unknown' ? `no login found: ${next}` : next);
  return parts.join(' · ');
}

function abilities({ can }: AgentReport): string {
  return [
    can.resume === 'yes' ? 'resumes' : 'resumes if it finds its session again',
    can.hears === 'at once' ? 'can be told while it works' : 'hears what it is told after its turn',
    can.cost === 'usd' ? 'tells USD' : 'tells tokens',
    can.sandbox ? 'confined by the system' : 'not confined',
  ].join(', ');
}

/** Cut to the screen of a person; whole for a program that reads it. */
function cutToScreen(text: string, columns: number): string {
  if (!isInteractive()) return text;
  const indent = /^ */.exec(text)?.[0] ?? '';
  return indent + fit(text.slice(indent.length), columns - indent.length);
}

/** Outside a repository there is still a machine to look at. */
async function repositoryHere(): Promise<{
  root: string | null;
  problem: string;
  around: Omit<Surroundings, 'programs'>;
}> {
  try {
    const site = await openHere();
    return { root: site.root, problem: '', around: site };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    const own = Object.fromEntries(
      Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
    return { root: null, problem: `${error.message} ${error.hint}`, around: { env: own, ownEnv: own } };
  }
}

function line(isGood: boolean, text: string): void {
  print(`${isGood ? '✅' : '❌'} ${text}`);
}
