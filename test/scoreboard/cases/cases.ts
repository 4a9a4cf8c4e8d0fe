// All case agents.
import type { CaseAgent } from './case.ts';
import { disarming } from './disarming.ts';
import { diverting } from './diverting.ts';
import { editing } from './editing.ts';
import { exits } from './exits.ts';
import { honestCases } from './honest-cases.ts';
import { honestChecks } from './honest-checks.ts';
import { luck } from './luck.ts';

export const caseAgents: readonly CaseAgent[] = [
  ...honestCases,
  ...honestChecks,
  ...exits,
  ...disarming,
  ...diverting,
  ...editing,
  ...luck,
];
