// kill -9 of Claude Code and of Untildone, and what continues afterwards.
import { describe, expect, it } from 'vitest';
import { eventsOf, sessionsOf } from '../journal.ts';
import type { Place } from '../place.ts';
import { isAlive, send } from '../processes.ts';
import { until } from '../wait.ts';
import {
  builderDone,
  claude,
  claudePlace,
  honest,
  isVerifier,
  seesFile,
  verifierDone,
} from './claude-place.ts';
import type { Via } from './claude-place.ts';
import type { Asked, ModelReply } from './model.ts';
import { call, say, startModel } from './model.ts';

const run = ['run', 'write done.txt', '--agent', 'claude', ...seesFile];
/** A long tool call that can be found among the processes. */
const longCommand = "perl -e 'sleep 290'";

describe.skipIf(claude.isMissing)(`The real Claude Code under kill -9${claude.note}`, () => {
  it.each<Via>(['cli', 'sdk'])(
    'A Claude Code client that is killed (by %s) is a crash, its tool ends with it, and the next attempt continues [Q6] [X11]',
    async (via) => {
      let isFirst = true;
      const { place } = await working({ via }, (asked) =>
        isFirst ? call('Bash', { command: longCommand, timeout: 600_000 }) : honest(asked),
      );
      const driver = place.start(run);
      const tool = await until('the tool', () => toolOf(place));
      isFirst = false;
      send(clientOf(place), 'SIGKILL');
      expect(await driver.ended).toMatchObject({ code: 0 });
      expect(isAlive(tool)).toBe(false);
      expect(sessionsOf(eventsOf(place)).map(({ result }) => result?.ending.kind)).toEqual([
        'crashed',
        'finished',
        'finished',
      ]);
      expect(place.living()).toEqual([]);
    },
  );

  it.each<Via>(['cli', 'sdk'])(
    'After kill -9 of the driver (by %s) no process is left, and the same command pays for no session twice [B13] [D4] [X11]',
    async (via) => {
      let isFirst = true;
      const { place, model } = await working({ via }, (asked) => {
        if (!isVerifier(asked)) return honest(asked);
        return isFirst ? call('Bash', { command: longCommand, timeout: 600_000 }) : say(verifierDone);
      });
      const driver = place.start(run);
      await until('the tool of the verifier', () => toolOf(place));
      const paid = model.requests.filter(({ body }) => !body.includes('===VERIFIER_COMPLETE===')).length;
      isFirst = false;
      send(driver.pid, 'SIGKILL');
      await until('the end of all of it', () => place.living().length === 0);
      const { code, stdout } = await place.untildone(run);
      expect(stdout).toContain('🔄 Resuming from durable session');
      expect(code).toBe(0);
      expect(model.requests.filter(({ body }) => !body.includes('===VERIFIER_COMPLETE===')).length).toBe(
        paid,
      );
      const sessions = sessionsOf(eventsOf(place));
      expect(sessions.filter(({ deed }) => deed.role === 'builder')).toHaveLength(1);
      expect(place.living()).toEqual([]);
    },
  );

  it('A process that Claude Code detached does not survive the run [X11]', async () => {
    const { place } = await working({}, (asked) => {
      if (isVerifier(asked)) return say(verifierDone);
      const command = `setsid ${longCommand} > /dev/null 2>&1 & echo right > done.txt`;
      return asked.results === 0 ? call('Bash', { command }) : say(builderDone);
    });
    const driver = place.start(run);
    await until('what it set apart', () => toolOf(place));
    expect(await driver.ended).toMatchObject({ code: 0 });
    expect(place.living()).toEqual([]);
  });

  it.each<Via>(['cli', 'sdk'])(
    'A pause interrupts the session (by %s), which resumes under its own id and is paid for once [Q5] [X1]',
    async (via) => {
      const { place } = await working({ via }, (asked) => {
        if (isVerifier(asked)) return say(verifierDone);
        if (asked.results === 0) return call('Bash', { command: longCommand, timeout: 600_000 });
        return asked.results === 1
          ? call('Write', { file_path: 'done.txt', content: 'right\n' })
          : say(builderDone);
      });
      const driver = place.start(run);
      await until('the tool', () => toolOf(place));
      expect((await place.untildone(['pause'])).code).toBe(0);
      const interrupted = await until('the interruption', () => sessionsOf(eventsOf(place))[0]?.result);
      expect(interrupted.ending).toMatchObject({
        kind: 'interrupted',
        resumeId: expect.any(String) as string,
      });
      expect(interrupted.usage.tokens).toBe(1_050);
      expect(toolOf(place)).toBe(undefined);
      await place.untildone(['resume']);
      expect(await driver.ended).toMatchObject({ code: 0 });
      const [, resumed] = sessionsOf(eventsOf(place));
      expect(resumed?.deed.resume).toBe(
        interrupted.ending.kind === 'interrupted' ? interrupted.ending.resumeId : '',
      );
      // Its client tells 3,150: with what was paid for before.
      expect(resumed?.result?.usage.tokens).toBe(2_100);
      expect(resumed?.result?.usage.usd).toBeCloseTo(2 * (interrupted.usage.usd ?? 0), 6);
    },
  );
});

async function working({ via = 'cli' }: { readonly via?: Via }, reply: (asked: Asked) => ModelReply) {
  const model = await startModel({ reply });
  return { model, place: claudePlace({ model, via }) };
}

function toolOf(place: Place): number | undefined {
  return place.living().find(({ command }) => command.startsWith('perl'))?.pid;
}

function clientOf(place: Place): number {
  const found = place.living().find(({ command }) => command.startsWith(claude.program));
  if (found === undefined) throw new Error('there is no client');
  return found.pid;
}
