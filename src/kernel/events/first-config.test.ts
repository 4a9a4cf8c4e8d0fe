import { expect, test } from 'vitest';
import { simulatedConfig } from '#test/simulated/simulated-run.ts';
import { withMissingSettings } from './first-config.ts';

test('A complete configuration is read as it was written, in the order of its keys [B13]', () => {
  const config = simulatedConfig();
  expect(JSON.stringify(withMissingSettings(config))).toBe(JSON.stringify(config));
});

test('A configuration of the first format gets the missing fields, and keeps the others [X5]', () => {
  const first = { agents: { one: { driver: 'scripted' } }, policy: { parallel: 2 }, repo: { branch: 'b' } };
  expect(withMissingSettings(first)).toEqual({
    agents: { one: { driver: 'scripted', env: [] } },
    knowledge: { prices: {}, usageLimitWordings: [] },
    policy: { parallel: 2, setbacksMax: 5, limitWaitMsMax: 43_200_000 },
    repo: { branch: 'b', protectedBranches: [] },
  });
});
