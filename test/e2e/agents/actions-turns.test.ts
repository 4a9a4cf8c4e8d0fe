// Ten turns of the action loop with each real client: one conversation, paid for once.
import { describe, expect, it } from 'vitest';
import { eventsOf, sessionsOf } from '../journal.ts';
import { loopClients } from './loop-clients.ts';
import type { LoopClient } from './loop-clients.ts';
import { actionsIn, finishWork, loopRun, report, startLoopModel } from './loop-script.ts';
import type { TurnAsked } from './loop-script.ts';
import type { ModelReply } from './model.ts';

const turnsMax = 10;
/** Of each answer of the scripted model. */
const tokens = 1_050;

describe.each(loopClients)('Ten turns of the real $name', (client) => {
  it.skipIf(client.isMissing)(
    `Ten turns are one conversation, and the run pays for each turn once and not for the history again${client.note} [A1] [A3] [X1]`,
    async () => {
      const model = await startLoopModel((turn) => work(client, turn));
      const { asked } = model;
      const place = client.place(model);
      const { code, stdout } = await place.untildone(loopRun(client));
      expect(stdout).toContain(`[Iteration ${turnsMax}] Action: DEVELOP, Status: success`);
      expect(stdout).toContain('one conversation');
      expect(code).toBe(0);
      expect(actionsIn(place)).toHaveLength(turnsMax + 2);

      const sessions = sessionsOf(eventsOf(place));
      expect(sessions.map(({ result }) => result?.ending.kind)).toEqual(Array(turnsMax).fill('finished'));
      const [first, ...later] = sessions;
      const conversation = first?.result?.resumeId ?? 'none';
      expect(first?.deed.resume).toBe(null);
      expect(new Set(later.map(({ deed }) => deed.resume))).toEqual(new Set([conversation]));

      // Each turn saw all turns before it, with the answers of the agent, and the first message once.
      const beginnings = asked.filter(({ results }) => results === 0);
      expect(beginnings.map(({ turns }) => turns)).toEqual(sessions.map((_, index) => index + 1));
      for (const { turns, body } of beginnings) {
        expect(body.match(/Turn \d+ is over\./g) ?? []).toHaveLength(Math.max(turns - 2, 0));
        expect(body.match(/## How to answer/g)).toHaveLength(1);
      }

      const usages = sessions.map(({ result }) => result?.usage);
      const answers = sessions.map((_, index) => asked.filter(({ turns }) => turns === index + 1).length);
      expect(answers).toEqual([1, 2, 1, 2, 1, 2, 1, 2, 1, 2]);
      expect(usages.map((usage) => usage?.tokens)).toEqual(answers.map((count) => count * tokens));
      const { stdout: status } = await place.untildone(['status', '--json']);
      const { spent } = JSON.parse(status) as { spent: { tokens: number; usd: number | null } };
      expect(spent.tokens).toBe(asked.length * tokens);
      const price = microsOf(usages[0]?.usd);
      // The others know no price of a model that does not exist.
      expect(price === null).toBe(client.name !== 'claude');
      expect(price).not.toBe(0);
      const priceOf = (count: number): number | null => (price === null ? null : count * price);
      expect(usages.map((usage) => microsOf(usage?.usd))).toEqual(answers.map(priceOf));
      expect(microsOf(spent.usd)).toBe(priceOf(asked.length));
      expect(place.living()).toEqual([]);
    },
  );
});

/** Every second turn uses a tool, so that turns differ in what they cost. */
function work(client: LoopClient, { action, turns, results }: TurnAsked): ModelReply {
  if (turns === turnsMax) return finishWork(client, { results });
  if (turns % 2 === 0 && results === 0) return client.shell(`echo ${turns} >> notes.txt`);
  return report({ action, message: `Turn ${turns} is over.`, next: 'DEVELOP' });
}

/** Millionths of a dollar: whole numbers have sums without a rest. */
function microsOf(usd: number | null | undefined): number | null {
  return usd === null || usd === undefined ? null : Math.round(usd * 1_000_000);
}
