// The public test kit: `untildone/testing`. The contract suites are for vitest.
export { agentContract } from '#testing/contracts/agent.ts';
export type { AgentClaim, AgentDeviations, AgentScene } from '#testing/contracts/agent.ts';
export { simulatedClock } from './simulated-clock.ts';
export type { SimulatedClock } from './simulated-clock.ts';
export { createChance } from '#testing/faults/chance.ts';
export type { Chance } from '#testing/faults/chance.ts';
export type { FaultAgent, FaultGround, FaultTask, Ways } from '#testing/faults/fault.ts';
export { faultAgents, faultScript } from '#testing/faults/fault-agents.ts';
export { sampleTask } from '#testing/faults/sample-task.ts';
export type { SampleOptions, SampleTask } from '#testing/faults/sample-task.ts';
