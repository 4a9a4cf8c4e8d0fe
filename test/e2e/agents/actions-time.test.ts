// Turns of each real client that take too long: one obeys the request to wrap up, one ignores it and is
// interrupted.
import { describe, expect, it } from 'vitest';
import { eventsOf, sessionsOf } from '../journal.ts';
import type { Running } from '../package.ts';
import { until } from '../wait.ts';
import { loopClients } from './loop-clients.ts';
import type { LoopClient } from './loop-clients.ts';
import { actionsIn, finishWork, loopRun, report, startLoopModel } from './loop-script.ts';
import type { TurnAsked } from './loop-script.ts';
import type { ModelReply } from './model.ts';

const request = 'TIMEOUT NOTIFICATION';

// They wait for a clock, so they wait side by side.
describe.concurrent.each(loopClients)('The real $name', (client) => {
  it.skipIf(client.isMissing)(
    `A turn that takes too long wraps up, or is interrupted and reports in the same conversation; no timeout counts as an iteration${client.note} [A5] [A7]`,
    async () => {
      const work = { released: '', isBegun: false };
      const model = await startLoopModel((turn) => develop(client, work, turn));
      const place = client.place(model, { session: { grace: '24s' } });
      work.released = `${place.folder}/released`;
      const driver = place.start(loopRun(client, '--turn-timeout', '6s'));
      await until('the second turn', () => work.isBegun, { sign: () => driver.stdout().length });
      const before = notices(driver);
      await until('its request to wrap up', () => notices(driver) > before);
      place.write('released', '');
      expect(await driver.ended).toMatchObject({ code: 0 });

      expect(actionsIn(place)).toEqual([
        'INIT 1',
        'DEVELOP 2',
        'DEVELOP 3',
        'DEVELOP 4',
        'VALIDATE 4',
        'COMPLETE 4',
      ]);
      const sessions = sessionsOf(eventsOf(place));
      const [id] = sessions.map(({ result }) => result?.resumeId);
      const turn = (attempt: number) =>
        sessions
          .filter(({ deed }) => deed.attempt === attempt)
          .map(({ deed, result }) => ({ way: deed.turn?.way, ending: result?.ending.kind, on: deed.resume }));
      expect(turn(2)).toEqual([{ way: 'asked', ending: 'finished', on: id }]);
      expect(turn(3)).toEqual([
        { way: 'asked', ending: 'timed-out', on: id },
        { way: 'converge', ending: 'finished', on: id },
      ]);
      // The agent that hears the request is asked for no further turn.
      expect(model.asked.some(({ turns, body }) => turns === 2 && body.includes(request))).toBe(true);
      expect(place.living()).toEqual([]);
    },
  );
});

/** The second turn works until the test releases it, the third one until it is interrupted. */
function develop(
  client: LoopClient,
  work: { readonly released: string; isBegun: boolean },
  turn: TurnAsked,
): ModelReply {
  const { turns, results, body } = turn;
  if (turns === 2 && results === 0) {
    work.isBegun = true;
    return client.shell(`while ! test -e ${work.released}; do sleep 0.2; done`);
  }
  if (turns === 2) return report({ action: 'DEVELOP', message: 'I wrap up.', next: 'DEVELOP' });
  if (turns > 3) return finishWork(client, turn);
  const isAskedAgain = body.lastIndexOf(request) > body.lastIndexOf('## This turn: DEVELOP');
  if (!isAskedAgain) return client.shell("perl -e 'sleep 614'");
  return report({ action: 'DEVELOP', message: 'I was interrupted.', next: 'DEVELOP' });
}

function notices(driver: Running): number {
  return driver.stdout().match(/Agent timeout, requesting convergence\.\.\./g)?.length ?? 0;
}
