// Gemini and OpenCode themselves, by `acp` and by `command`, driven by the packed program in a real repository.
import { describe, expect, it } from 'vitest';
import { eventsOf, sessionsOf } from '../journal.ts';
import { branchOf, filesOf, roles } from '../looking.ts';
import { until } from '../wait.ts';
import { findClient } from './clients.ts';
import { startModel } from './model.ts';
import { honest, isTitle, isVerifier, morePlace, shell, task, writeFile } from './more-place.ts';
import type { MoreClient, Way } from './more-place.ts';

const ways: readonly Way[] = ['acp', 'command'];

for (const client of ['gemini', 'opencode'] as const) {
  const { isMissing, title } = findClient(client);
  describe.skipIf(isMissing)(title, () => {
    it.each(ways)(
      'by %s changes real files, and the run completes with proof and a commit [B1] [B5]',
      (way) => completes(client, way),
    );
    it.each(ways)('by %s cannot write as a verifier [B7]', (way) => cannotWrite(client, way));
    it.each(ways)('by %s says that its key is wrong, and nothing is tried again [B10]', (way) =>
      isRefused(client, way),
    );
    it('by acp is interrupted by a pause, and nothing of it is left running [Q5]', () => isPaused(client));
  });
}

async function completes(client: MoreClient, way: Way): Promise<void> {
  const model = await startModel({ reply: honest(client) });
  const place = morePlace({ client, way, model });
  const { code, stdout, stderr } = await place.untildone(task);
  expect(`${stdout}${stderr}`).toMatch(/✅ Completed/);
  expect(code).toBe(0);
  expect(roles(place)).toEqual(['builder', 'verifier']);
  expect(place.git('show', `${branchOf(place)}:done.txt`)).toBe('right');
  const [builder] = sessionsOf(eventsOf(place)).map(({ result }) => result);
  expect(builder?.ending.kind).toBe('finished');
  // Over the protocol OpenCode tells the tokens of its last step only; the cost is whole.
  const isPart = client === 'opencode' && way === 'acp';
  expect(builder?.usage.tokens).toBe(isPart ? 1_050 : 2_100);
  if (client === 'opencode') expect(builder?.usage.usd).toBeCloseTo(0.0022, 6);
  expect(place.living()).toEqual([]);
}

/** It tries the shell and the file tool. */
async function cannotWrite(client: MoreClient, way: Way): Promise<void> {
  let seen = 0;
  const model = await startModel({
    reply: (asked) => {
      if (isTitle(asked) || !isVerifier(asked)) return honest(client)(asked);
      seen = Math.max(seen, asked.results);
      if (asked.results === 0) return shell(client, 'echo mine > by-shell.txt');
      return asked.results === 1
        ? writeFile(client, `${place.repo}/by-tool.txt`, 'mine')
        : honest(client)(asked);
    },
  });
  const place = morePlace({ client, way, model });
  const cast = way === 'acp' ? [] : ['--agent', 'verifier=looker'];
  expect(await place.untildone([...task, ...cast])).toMatchObject({ code: 0 });
  expect(seen).toBe(2);
  expect(filesOf(place).toSorted()).toEqual(['README.md', 'done.txt']);
  expect(() => place.read('repo/by-tool.txt')).toThrow('ENOENT');
}

async function isRefused(client: MoreClient, way: Way): Promise<void> {
  const error = { code: 401, message: 'Invalid API key', status: 'UNAUTHENTICATED' };
  const model = await startModel({
    reply: honest(client),
    fault: () => ({ kind: 'status', status: 401, body: { error } }),
  });
  const place = morePlace({ client, way, model });
  const { code } = await place.untildone(task);
  expect(code).not.toBe(0);
  const [first, ...others] = sessionsOf(eventsOf(place)).map(({ result }) => result?.ending);
  expect(first).toMatchObject({ kind: 'failed', errorClass: 'authentication' });
  expect(others).toEqual([]);
}

async function isPaused(client: MoreClient): Promise<void> {
  const model = await startModel({
    reply: (asked) =>
      asked.results === 0 && !isTitle(asked) && !isVerifier(asked)
        ? shell(client, 'echo right > done.txt; sleep 601')
        : honest(client)(asked),
  });
  const place = morePlace({ client, way: 'acp', model });
  const driver = place.start(task);
  await until('"sleep 601"', () => place.living().some(({ command }) => command === 'sleep 601'));
  expect((await place.untildone(['pause'])).code).toBe(0);
  const paused = await until('the interrupted session', () => sessionsOf(eventsOf(place)).at(-1)?.result);
  expect(paused.ending.kind).toBe('interrupted');
  await until('it to be gone', () => !place.living().some(({ command }) => /sleep 601|acp/.test(command)));
  expect((await place.untildone(['stop'])).code).toBe(0);
  await driver.ended;
  expect(place.living()).toEqual([]);
}
