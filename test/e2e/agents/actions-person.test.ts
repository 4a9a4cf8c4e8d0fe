// A person steers a loop with each real client: a message that reaches a turn, a pause during a turn, a client
// that dies.
import { describe, expect, it } from 'vitest';
import { eventsOf, sessionsOf } from '../journal.ts';
import { prompts } from '../looking.ts';
import type { Place } from '../place.ts';
import { isAlive, send } from '../processes.ts';
import { until } from '../wait.ts';
import { loopClients } from './loop-clients.ts';
import type { LoopClient } from './loop-clients.ts';
import { actionsIn, finishWork, loopRun, report, startLoopModel } from './loop-script.ts';
import type { LoopModel, TurnAsked } from './loop-script.ts';
import type { ModelReply } from './model.ts';

const words = 'keep the old API';
/** A command that is found among the processes, in a form that Claude Code takes. */
const longCommand = "perl -e 'sleep 613'";
const shortCommand = "perl -e 'select undef, undef, undef, 0.5'";

describe.each(loopClients)('A turn of the real $name', (client) => {
  const { isMissing, note } = client;

  it.skipIf(isMissing)(
    `A turn receives the message of a person while it works, and counts once${note} [A1] [Q5]`,
    async () => {
      let isTold = false;
      let callsLeft = 5;
      const { model, place } = await loop(client, (turn) => {
        if (turn.turns > 2) return finishWork(client, turn);
        // It works in small steps until it hears the words; over ACP it hears them after its answer.
        if (isTold && !client.hearsInTurn) callsLeft -= 1;
        const isHeard = client.hearsInTurn ? turn.body.includes(words) : callsLeft <= 0;
        return isHeard
          ? report({ action: 'DEVELOP', message: 'I go on.', next: 'DEVELOP' })
          : client.shell(shortCommand);
      });
      const driver = place.start(loopRun(client));
      await until('the second turn', () => sessionsOf(eventsOf(place)).length === 2, {
        sign: () => model.requests.length,
      });
      expect((await place.untildone(['tell', words])).code).toBe(0);
      await until('the words to be passed on', () =>
        eventsOf(place).some(({ type }) => type === 'control-applied'),
      );
      isTold = true;
      expect(await driver.ended).toMatchObject({ code: 0 });
      expect(actionsIn(place)).toEqual(['INIT 1', 'DEVELOP 2', 'DEVELOP 3', 'VALIDATE 3', 'COMPLETE 3']);
      const first = model.asked.find(({ body }) => body.includes(words));
      // In the session that was running, not in the message of the next turn.
      expect(first).toMatchObject({ action: 'DEVELOP', turns: 2 });
      expect(place.living()).toEqual([]);
    },
  );

  it.skipIf(isMissing)(
    `A turn that is interrupted by a pause continues in the same conversation and counts once${note} [A6] [A7] [Q5]`,
    async () => {
      const { model, place } = await loop(client, (turn) =>
        turn.body.includes('sleep 613') ? finishWork(client, turn) : client.shell(longCommand),
      );
      const driver = place.start(loopRun(client));
      const tool = await until('the tool', () => toolOf(place));
      expect((await place.untildone(['pause'])).code).toBe(0);
      const paused = await until('the interrupt', () => sessionsOf(eventsOf(place))[1]?.result);
      expect(paused.ending.kind).toBe('interrupted');
      await until('its processes to be gone', () => !isAlive(tool) && clientsOf(client, place).length === 0);
      expect(actionsIn(place)).toEqual(['INIT 1']);
      expect((await place.untildone(['resume'])).code).toBe(0);
      expect(await driver.ended).toMatchObject({ code: 0 });
      expect(actionsIn(place)).toEqual(['INIT 1', 'DEVELOP 2', 'VALIDATE 2', 'COMPLETE 2']);
      const [first, , third, ...others] = sessionsOf(eventsOf(place));
      expect(others).toEqual([]);
      expect(paused.resumeId).toBe(first?.result?.resumeId);
      expect(third?.deed.resume).toBe(paused.resumeId);
      expect(model.asked.at(-1)?.body).toContain('I read it.');
      expect(place.living()).toEqual([]);
    },
  );

  it.skipIf(isMissing)(
    `A turn whose client is killed is replaced by a fresh session that reads the conversation so far, and counts once${note} [A5] [Q6] [X11]`,
    async () => {
      let isKilled = false;
      const { place } = await loop(client, (turn) =>
        isKilled
          ? finishWork(client, turn)
          : { content: 'The last thing I saw is a red lamp.\n', ...client.shell(longCommand) },
      );
      const driver = place.start(loopRun(client));
      const tool = await until('the tool', () => toolOf(place));
      isKilled = true;
      for (const pid of clientsOf(client, place)) send(pid, 'SIGKILL');
      expect(await driver.ended).toMatchObject({ code: 0 });
      expect(isAlive(tool)).toBe(false);
      expect(actionsIn(place)).toEqual(['INIT 1', 'DEVELOP 2', 'VALIDATE 2', 'COMPLETE 2']);
      const sessions = sessionsOf(eventsOf(place));
      expect(sessions.map(({ deed, result }) => [deed.resume === null, result?.ending.kind])).toEqual([
        [true, 'finished'],
        [false, 'crashed'],
        [true, 'finished'],
      ]);
      const told = prompts(place, 'builder')[2] ?? '';
      expect(told).toContain('The session before this one was cut short.');
      expect(told).toContain('The last thing I saw is a red lamp.');
      expect(told).toContain('Turn 1, INIT: success. I read it.');
      expect(place.living()).toEqual([]);
    },
  );
});

async function loop(
  client: LoopClient,
  develop: (turn: TurnAsked) => ModelReply,
): Promise<{ readonly model: LoopModel; readonly place: Place }> {
  const model = await startLoopModel(develop);
  return { model, place: client.place(model) };
}

function toolOf(place: Place): number | undefined {
  return place.living().find(({ command }) => command === 'perl -e sleep 613')?.pid;
}

function clientsOf(client: LoopClient, place: Place): number[] {
  return place
    .living()
    .filter(({ command }) => client.process.test(command))
    .map(({ pid }) => pid);
}
