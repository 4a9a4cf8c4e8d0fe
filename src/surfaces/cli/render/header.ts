// The first lines of a run: who works, who pays, what is not protected, and the most that it can cost.
import type { RunConfig } from '#kernel/config.ts';
import { ceiling, paidWords } from '#views/words.ts';

export interface HeaderInput {
  readonly runId: string;
  readonly config: RunConfig;
  readonly notes: readonly string[];
}

export function headerLines({ runId, config, notes }: HeaderInput): string[] {
  return [
    `untildone run ${runId} · preset ${config.preset}`,
    ...Object.keys(config.roles).map((role) => `  ${role}: ${agentLine(config, role)}`),
    '  sandbox: NOT SANDBOXED: the agents can reach whatever you can',
    `  budget: at most ${ceiling(config.budget)}`,
    `  works on: ${config.repo.inPlace ? "your own checkout, on a branch of its own; what you edit meanwhile counts as the agent's" : 'a branch and a worktree of its own; your checkout is not touched'}`,
    ...notes.map((note) => `  note: ${note}`),
  ];
}

function agentLine(config: RunConfig, role: string): string {
  const choice = config.roles[role]?.agent;
  const driver = config.agents[choice?.name ?? '']?.driver ?? 'unknown';
  const name =
    choice?.name.startsWith(`${driver}:`) === true ? choice.name : `${choice?.name ?? ''} (${driver})`;
  return `agent ${name}, model ${choice?.model ?? "the agent's own choice"}, ${paidWords(config.agents[choice?.name ?? '']?.payer)}`;
}
