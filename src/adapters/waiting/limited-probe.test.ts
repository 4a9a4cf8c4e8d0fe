import { expect, it } from 'vitest';
import { limitedProbe } from './file-probe.ts';

it('One file is checked each time, a thousand files every four seconds [U3]', async () => {
  let time = 0;
  let looks = 0;
  const look = limitedProbe(
    async () => {
      looks += 1;
      return false;
    },
    () => time,
  );
  for (; time < 10_000; time += 1000) await look({ kind: 'file', path: '/one' });
  expect(looks).toBe(10);
  looks = 0;
  for (; time < 50_000; time += 1000)
    for (let n = 0; n < 1000; n += 1) await look({ kind: 'file', path: `/${n}` });
  expect(looks / 40).toBeGreaterThan(150);
  expect(looks / 40).toBeLessThan(300);
});

it('A file that appears is found', async () => {
  const look = limitedProbe(async ({ path }) => path === '/there');
  expect(await look({ kind: 'file', path: '/there' })).toBe(true);
  expect(await look({ kind: 'file', path: '/absent' })).toBe(false);
});
