// The public test kit: `untildone/testing`. The contract suites are for vitest.
export { agentContract } from '#testing/contracts/agent.ts';
export type { AgentClaim, AgentDeviations, AgentScene } from '#testing/contracts/agent.ts';
export { simulatedClock } from './simulated-clock.ts';
export type { SimulatedClock } from './simulated-clock.ts';
