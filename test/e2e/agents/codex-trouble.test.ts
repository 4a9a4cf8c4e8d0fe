// The real Codex in trouble: errors of the provider, silence, crashes of the client and of Untildone.
import { describe, expect, it } from 'vitest';
import { eventsOf, sessionsOf } from '../journal.ts';
import { filesOf, roles } from '../looking.ts';
import type { Place } from '../place.ts';
import { send } from '../processes.ts';
import { until } from '../wait.ts';
import { codex, codexPlace, honest, isVerifier, longWork, task, worksLong } from './codex-place.ts';
import type { Via } from './codex-place.ts';
import type { Fault } from './model-front.ts';
import { startModel } from './model.ts';

const status = (code: number, error: object): Fault => ({ kind: 'status', status: code, body: { error } });
const endings = (place: Place) => sessionsOf(eventsOf(place)).map(({ result }) => result?.ending);

describe.skipIf(codex.isMissing)(`Provider errors with the real Codex${codex.note}`, () => {
  it.each<Via>(['app-server', 'exec'])(
    'Codex by %s says how to log in if its key is refused, and is not retried [X6]',
    async (via) => {
      const model = await startModel({
        reply: honest,
        fault: () => status(401, { message: 'Incorrect API key provided.', code: 'invalid_api_key' }),
      });
      const place = codexPlace({ model, via });
      const { code, stdout, stderr } = await place.untildone(task);
      expect(code).toBe(1);
      expect(`${stdout}${stderr}`).toMatch(/codex login/);
      expect(endings(place)).toMatchObject([{ kind: 'failed', errorClass: 'authentication' }]);
      expect(model.requests.length).toBeLessThanOrEqual(3);
      expect(place.living()).toEqual([]);
    },
  );

  it('A Codex that is not logged in is reported before any request is sent [X6]', async () => {
    const model = await startModel({ reply: honest });
    const place = codexPlace({ model, config: { model_provider: 'openai' } });
    const { code, stdout, stderr } = await place.untildone(task);
    expect(code).toBe(1);
    expect(`${stdout}${stderr}`).toMatch(/not logged in.*codex login/is);
    expect(endings(place)).toMatchObject([{ kind: 'failed', errorClass: 'authentication' }]);
    expect(model.requests).toEqual([]);
  });

  // Those that wait for a clock wait side by side.
  it.concurrent.each<Via>(['app-server', 'exec'])(
    'Codex by %s pays with a key from the environment, and its home folder does not receive the key [X1]',
    async (via) => {
      const model = await startModel({ reply: honest });
      const place = codexPlace({
        model,
        via,
        config: { model_provider: 'openai', openai_base_url: `${model.url}/v1` },
        env: { OPENAI_API_KEY: 'sk-that-pays', OPENAI_BASE_URL: `${model.url}/v1` },
      });
      expect(await place.untildone(task)).toMatchObject({ code: 0 });
      const paid = model.requests
        .filter(({ body }) => body !== '')
        .map(({ headers }) => headers.authorization);
      expect(new Set(paid)).toEqual(new Set(['Bearer sk-that-pays']));
      expect(() => place.read('home/.codex/auth.json')).toThrow('ENOENT');
    },
  );

  it.concurrent('Codex waits for the end of a usage limit, and no attempt is counted', async () => {
    const resetsAt = Math.floor(Date.now() / 1000) + 3 * 3_600;
    const model = await startModel({
      reply: honest,
      fault: () =>
        status(429, { type: 'usage_limit_reached', message: 'x', plan_type: 'plus', resets_at: resetsAt }),
    });
    const place = codexPlace({ model });
    const driver = place.start(task);
    const limited = await until('the limit', () =>
      eventsOf(place).find(({ type }) => type === 'usage-limited'),
    );
    expect(endings(place)).toMatchObject([{ kind: 'failed', errorClass: 'usage-limit' }]);
    // The client tells it to the minute.
    const untilMs = limited.type === 'usage-limited' ? limited.until : 0;
    expect(Math.abs(untilMs - resetsAt * 1000)).toBeLessThan(120_000);
    send(driver.pid, 'SIGKILL');
    await driver.ended;
    await until('nobody left', () => place.living().length === 0);
    expect(model.requests).toHaveLength(1);
  });

  it.concurrent('Codex retries after a while if the provider is down, and the run completes', async () => {
    const model = await startModel({
      reply: honest,
      fault: (n) => (n <= 4 ? status(500, { message: 'boom' }) : null),
    });
    const place = codexPlace({ model });
    expect(await place.untildone(task)).toMatchObject({ code: 0 });
    expect(endings(place)).toMatchObject([
      { kind: 'failed', errorClass: 'overloaded' },
      { kind: 'finished' },
      { kind: 'finished' },
    ]);
  });

  it.concurrent.each(['stall', 'cut'] as const)(
    'A Codex stream that ends in a %s is a network error, and the run continues',
    async (kind) => {
      const model = await startModel({ reply: honest, fault: (n) => (n <= 2 ? { kind } : null) });
      const place = codexPlace({
        model,
        config: { 'model_providers.scripted.stream_idle_timeout_ms': 1_500 },
      });
      expect(await place.untildone(task)).toMatchObject({ code: 0 });
      expect(endings(place)).toMatchObject([
        { kind: 'failed', errorClass: 'network' },
        { kind: 'finished' },
        { kind: 'finished' },
      ]);
    },
  );

  it.concurrent.each<Via>(['app-server', 'exec'])(
    'A Codex session by %s ends if the model stays silent [Q6]',
    async (via) => {
      const model = await startModel({ reply: honest, fault: (n) => (n === 1 ? { kind: 'hang' } : null) });
      const place = codexPlace({ model, via, settings: { session: { idleTimeout: '8s' } } });
      expect(await place.untildone(task)).toMatchObject({ code: 0 });
      expect(endings(place)).toMatchObject([
        { kind: 'timed-out', limit: 'idle' },
        { kind: 'finished' },
        { kind: 'finished' },
      ]);
      expect(place.living()).toEqual([]);
    },
  );

  it.each<Via>(['app-server', 'exec'])(
    'A Codex client by %s that is killed is a crash, its commands end with it, and the run retries [Q6] [X11]',
    async (via) => {
      let asked = 0;
      const model = await startModel({
        reply: (one) => {
          asked += 1;
          return asked === 1 ? longWork : honest(one);
        },
      });
      const place = codexPlace({ model, via });
      const driver = place.start(task);
      await worksLong(place);
      const client = place.living().find(({ command }) => /^\S*\/codex (?:app-server|exec) /.test(command));
      expect(send(client?.pid ?? 0, 'SIGKILL')).toBe(true);
      expect(await driver.ended).toMatchObject({ code: 0 });
      expect(endings(place)).toMatchObject([{ kind: 'crashed' }, { kind: 'finished' }, { kind: 'finished' }]);
      expect(place.living()).toEqual([]);
    },
  );

  it.each<Via>(['app-server', 'exec'])(
    'A Codex session by %s is not paid twice after kill -9 of the driver, and no process is left [B13] [X1] [X11]',
    async (via) => {
      let verified = 0;
      const model = await startModel({
        reply: (asked) => {
          if (isVerifier(asked)) verified += 1;
          return verified === 1 && isVerifier(asked) ? longWork : honest(asked);
        },
      });
      const place = codexPlace({ model, via });
      const driver = place.start(task);
      await worksLong(place);
      send(driver.pid, 'SIGKILL');
      await driver.ended;
      await until('nobody left', () => place.living().length === 0);
      expect(await place.untildone(task)).toMatchObject({ code: 0 });
      expect(roles(place)).toEqual(['builder', 'verifier', 'verifier']);
      expect(model.requests.filter(({ body }) => !body.includes('===VERIFIER_COMPLETE==='))).toHaveLength(2);
      expect(filesOf(place)).toContain('done.txt');
      expect(place.living()).toEqual([]);
    },
  );
});
