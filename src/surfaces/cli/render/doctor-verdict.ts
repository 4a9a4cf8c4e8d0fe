// The first line of `doctor`: whether a run could start here, and with which agents.
import type { Probe } from '#compose.ts';
import type { AgentReport } from '#compose/agent-report.ts';
import type { Payer } from '#kernel/config.ts';
import { exitCodes } from '#kernel/outcome.ts';

export interface DoctorFindings extends Pick<Probe, 'git' | 'state'> {
  /** A small run kept its promises. */
  readonly isWorkSound: boolean;
  /** No sandbox works here and the user did not turn it off, so a run needs a flag to start. */
  readonly isSandboxMissing: boolean;
  /** The configuration of this repository cannot be read. */
  readonly isBroken: boolean;
  readonly root: string | null;
  /** Why git cannot write to this repository, without a full stop; null where it can, or where there is none. */
  readonly readOnly: string | null;
  readonly agents: readonly AgentReport[];
}

export interface DoctorVerdict {
  readonly text: string;
  readonly code: number;
}

export function doctorVerdict(found: DoctorFindings): DoctorVerdict {
  if (found.isBroken)
    return {
      text: 'Not ready: the configuration cannot be read (see the last line).',
      code: exitCodes.usage,
    };
  const problem = machineProblem(found) ?? agentProblem(found.agents);
  if (problem !== null) return { text: `Not ready: ${problem}`, code: exitCodes.failed };
  const ready = found.agents.filter(({ state }) => state === 'ready');
  const [unsure] = found.agents.filter(({ state }) => state === 'unsure');
  if (ready.length === 0 && unsure !== undefined)
    return {
      text: `Nearly ready: ${unsure.name} is installed, but no login was found. Log in: ${unsure.begin ?? 'as its guide says'}.`,
      code: exitCodes.completed,
    };
  return {
    text: `${readyWords(found)} Agents: ${ready.map(agentWords).join(', ')}.`,
    code: exitCodes.completed,
  };
}

function machineProblem({ git, state, isWorkSound, root, readOnly }: DoctorFindings): string | null {
  if ('problem' in git) return `${git.problem}. Install git 2.38 or newer.`;
  if (state.problem !== null) return `state cannot be kept in ${state.folder}: ${state.problem}.`;
  if (readOnly !== null) return `the repository ${root ?? ''} cannot be written: ${readOnly}.`;
  return isWorkSound ? null : 'a small run did not keep its promises (see below).';
}

function agentProblem(agents: readonly AgentReport[]): string | null {
  if (agents.some(({ state }) => state !== 'missing')) return null;
  const install = agents.find((agent) => agent.install !== null)?.install;
  return `no agent was found. Install one${install === undefined || install === null ? '' : ` (${install})`}, or name your own: --agent "command:my-cli --flag".`;
}

function readyWords({ root, isSandboxMissing }: DoctorFindings): string {
  if (root === null) return 'Ready, but a run starts in a git repository, and this folder is in none.';
  return isSandboxMissing ? 'Ready without a sandbox only (--allow-unsandboxed).' : 'Ready.';
}

function agentWords({ name, payer }: AgentReport): string {
  const who = payer === null ? null : payerTag(payer);
  return who === null ? name : `${name} (${who})`;
}

function payerTag({ kind, name }: Payer): string | null {
  switch (kind) {
    case 'key':
      return 'API key';
    case 'subscription':
      return 'subscription';
    case 'account':
      return name;
    case 'nobody':
      return name.replace(/^an? /, '');
    case 'unknown':
      return null;
  }
}
