// The first line of `doctor`: whether a run could start here, and with which agents.
import type { Probe } from '#app/doctor/probe-machine.ts';
import type { AgentReport } from '#app/doctor/agent-report.ts';
import type { Payer } from '#kernel/model/config.ts';
import { exitCodes } from '#kernel/model/outcome.ts';
import type { OperatorError } from '#base/operator-error.ts';

export interface DoctorFindings extends Pick<Probe, 'git' | 'state'> {
  /** A small run kept its promises. */
  readonly isWorkSound: boolean;
  /** No sandbox works here and the user did not turn it off, so a run needs a flag to start. */
  readonly isSandboxMissing: boolean;
  /** The configuration of this repository cannot be read; `refusal` says where. */
  readonly isBroken: boolean;
  /** Why `run` refuses every goal in this folder; null if it starts. */
  readonly refusal: Refusal | null;
  readonly agents: readonly AgentReport[];
}

type Refusal = Pick<OperatorError, 'message' | 'hint'>;

export interface DoctorVerdict {
  readonly text: string;
  readonly code: number;
}

export function doctorVerdict(found: DoctorFindings): DoctorVerdict {
  const problem = machineProblem(found) ?? agentProblem(found.agents);
  if (problem !== null)
    return { text: `Not ready: ${problem}`, code: found.isBroken ? exitCodes.usage : exitCodes.failed };
  const usable = found.agents.filter(({ refusal }) => refusal === null);
  const ready = usable.filter(({ state }) => state === 'ready');
  const [unsure] = usable.filter(({ state }) => state === 'unsure');
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

function machineProblem({ git, state, isWorkSound, isBroken, refusal }: DoctorFindings): string | null {
  if ('problem' in git) return `${git.problem}. Install git 2.38 or newer.`;
  if (refusal !== null)
    return `${isBroken ? 'the configuration cannot be read. ' : ''}${refusal.message} ${refusal.hint}`;
  if (state.problem !== null) return stateProblem(state);
  return isWorkSound ? null : 'a small test run failed (see below).';
}

/** What to do about a state folder that does not work. */
export function stateProblem({ folder, problem, hint }: DoctorFindings['state']): string {
  return `the state folder ${folder} cannot be used: ${problem ?? ''}. ${hint ?? ''}`.trimEnd();
}

function agentProblem(agents: readonly AgentReport[]): string | null {
  const here = agents.filter(({ state }) => state !== 'missing');
  if (here.some(({ refusal }) => refusal === null)) return null;
  const [refused] = here;
  if (refused?.refusal) return `${refused.refusal.message} ${refused.refusal.hint}`;
  const install = agents.find((agent) => agent.install !== null)?.install;
  return `no agent was found. Install one${install === undefined || install === null ? '' : ` (${install})`}, or name your own: --agent "command:my-cli --flag".`;
}

function readyWords({ isSandboxMissing }: DoctorFindings): string {
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
