// A run that cannot start is refused before anything is made for it.
import { afterAll, expect, it } from 'vitest';
import { openStore } from '#app/site.ts';
import { builds, keepBeds, liveThrough, passes } from '#test/app/proof-bed.ts';
import { startRun } from './start-run.ts';

const beds = keepBeds();
afterAll(() => beds.remove());

it('If both an agent and the repository refuse a start, the agent is named, and no run is made', async () => {
  const write = { write: { path: 'done.txt', text: 'done' } };
  const life = beds.keep(await liveThrough({ turns: [builds(write), passes], flags: { check: ['true'] } }));
  const here = await life.site();
  const noIdentity = {
    GIT_AUTHOR_NAME: '',
    GIT_AUTHOR_EMAIL: '',
    GIT_COMMITTER_NAME: '',
    GIT_COMMITTER_EMAIL: '',
  };
  const site = { ...here, env: { ...here.env, ...noIdentity } };
  const { config, tasks } = life.run;
  const wish = { config, tasks: [...tasks.values()].map(({ spec }) => spec) };
  const missing = { driver: 'command', options: { command: ['no-such-program-here'] } };
  const agents = Object.fromEntries(
    Object.entries(config.agents).map(([name, agent]) => [name, { ...agent, ...missing }]),
  );
  const before = (await openStore(here).list()).length;
  await expect(startRun(site, wish)).rejects.toMatchObject({ code: 'identity-missing' });
  await expect(startRun(site, { ...wish, config: { ...config, agents } })).rejects.toThrow(
    'no-such-program-here',
  );
  expect(await openStore(here).list()).toHaveLength(before);
});
