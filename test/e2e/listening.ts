// A run whose builder listens while it works.
import { scriptedAgent, seesFile, type Turn } from './agents.ts';
import type { Running } from './package.ts';
import type { Place } from './place.ts';
import { until } from './wait.ts';

/** A scripted builder that can be interrupted and spoken to, in the middle of its session. Resumed, it does its work at once. */
export async function startListening(place: Place, options: { isGroup?: boolean } = {}): Promise<Running> {
  const turns: Turn[] = [
    {
      role: 'builder',
      actions: [
        { say: 'waiting\n' },
        { sleep: 60_000 },
        { write: { path: 'done.txt', text: 'right\n' } },
        { say: '===WIGGUM_COMPLETE===\n' },
      ],
    },
    { role: 'verifier', actions: [{ say: '===VERIFIER_COMPLETE===\n' }] },
  ];
  const driver = place.start(['run', 'do it', '--check', seesFile, ...scriptedAgent(place, turns)], options);
  // Interrupted before it waits, it would wait once it is resumed.
  await until('the session', () => driver.stdout().includes('waiting'));
  return driver;
}
