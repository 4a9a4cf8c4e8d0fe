// The public test kit: `untildone/testing`.
export { simulatedClock } from './simulated-clock.ts';
export type { SimulatedClock } from './simulated-clock.ts';
