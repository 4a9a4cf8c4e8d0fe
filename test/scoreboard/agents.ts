// Every agent of the scoreboard.
import { faultAgents } from '#testing/faults/fault-agents.ts';
import { caseAgents } from './cases/cases.ts';
import type { BoardAgent } from './staging.ts';

export const agents: readonly BoardAgent[] = [...faultAgents, ...caseAgents];
