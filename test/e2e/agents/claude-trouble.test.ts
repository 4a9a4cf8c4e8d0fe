// Claude Code with a failing provider: the journal entries of the session, and the reaction of the run.
import { describe, expect, it } from 'vitest';
import { eventsOf, sessionsOf } from '../journal.ts';
import type { Place } from '../place.ts';
import { until } from '../wait.ts';
import { claude, claudePlace, honest, seesFile } from './claude-place.ts';
import type { ClaudePlaceOptions, Via } from './claude-place.ts';
import type { Fault } from './model-front.ts';
import { startModel } from './model.ts';

const run = ['run', 'write done.txt', '--agent', 'claude', ...seesFile];

describe.skipIf(claude.isMissing)(`Provider errors with the real Claude Code${claude.note}`, () => {
  it.each<Via>(['cli', 'sdk'])(
    'A wrong API key (by %s) ends the run with one sentence and the fix, without a second session [X6] [X3]',
    async (via) => {
      const { place, model } = await troubled({ via }, () =>
        failure(401, 'authentication_error', 'invalid x-api-key'),
      );
      const { code, stdout, stderr } = await place.untildone(run);
      expect(endings(place)).toEqual([
        expect.objectContaining({ kind: 'failed', errorClass: 'authentication' }),
      ]);
      expect(`${stdout}${stderr}`).toMatch(/Invalid API key.*Log in by starting `claude`/s);
      expect(`${stdout}${stderr}`).not.toMatch(/\n\s+at .*:\d+:\d+/);
      expect(code).toBe(1);
      expect(model.requests.length).toBeLessThanOrEqual(3);
    },
  );

  it('A missing model ends the run with one sentence [X6]', async () => {
    const { place } = await troubled({}, () => failure(404, 'not_found_error', 'model: nosuch'));
    const { code } = await place.untildone(run);
    expect(endings(place)).toEqual([
      expect.objectContaining({ kind: 'failed', errorClass: 'unknown-model' }),
    ]);
    expect(code).toBe(1);
  });

  it.each<Via>(['cli', 'sdk'])(
    'A usage limit (by %s) is recorded with its end, and the run waits for it [U5]',
    async (via) => {
      const resetAt = inSeconds(3_600);
      const { place } = await troubled({ via, env: login }, () => limitReached(resetAt));
      const driver = place.start(run);
      await until('the wait', () => eventsOf(place).some(({ type }) => type === 'usage-limited'));
      expect(endings(place)).toEqual([
        expect.objectContaining({ kind: 'failed', errorClass: 'usage-limit', resetAt }),
      ]);
      await place.untildone(['stop', '--now']);
      expect(await driver.ended).toMatchObject({ code: 5 });
      expect(place.living()).toEqual([]);
    },
  );

  // Those that wait for a clock wait side by side.
  it.concurrent('A run continues by itself when the usage limit has ended, and counts no attempt [U5]', async () => {
    const resetAt = inSeconds(2);
    const { place } = await troubled({ env: login }, (n) => (n === 1 ? limitReached(resetAt) : null));
    const { code } = await place.untildone([...run, '--max-loops', '1']);
    expect(endings(place).map(({ kind }) => kind)).toEqual(['failed', 'finished', 'finished']);
    expect(code).toBe(0);
  });

  it.concurrent('A short provider error is left to the client', async () => {
    const { place } = await troubled({}, (n) => (n === 1 ? overloaded : null));
    const { code } = await place.untildone(run);
    expect(endings(place).map(({ kind }) => kind)).toEqual(['finished', 'finished']);
    expect(code).toBe(0);
  });

  it.concurrent('An outage ends the session soon, and the next session follows after a pause as the same attempt', async () => {
    const { place } = await troubled({}, (_, sessions) => (sessions < 2 ? overloaded : null));
    const { code } = await place.untildone([...run, '--max-loops', '1']);
    expect(endings(place)).toEqual([
      expect.objectContaining({ kind: 'failed', errorClass: 'overloaded' }),
      { kind: 'finished' },
      { kind: 'finished' },
    ]);
    expect(code).toBe(0);
  });

  it.concurrent('A stream that is cut off is a network error, never an answer', async () => {
    const { place } = await troubled({}, (_, sessions) => (sessions < 2 ? { kind: 'cut' } : null));
    const { code } = await place.untildone([...run, '--max-loops', '1']);
    expect(endings(place)).toEqual([
      expect.objectContaining({ kind: 'failed', errorClass: 'network' }),
      { kind: 'finished' },
      { kind: 'finished' },
    ]);
    expect(code).toBe(0);
  });

  it.concurrent.each<['hang' | 'stall', Via]>([
    ['hang', 'cli'],
    ['hang', 'sdk'],
    ['stall', 'cli'],
    ['stall', 'sdk'],
  ])('A %s of the provider is ended by the silence limit, by %s [Q6] [X11]', async (kind, via) => {
    const { place, model } = await troubled(
      { via, settings: { session: { idleTimeout: '12s', grace: '2s' } } },
      () => ({
        kind,
      }),
    );
    const { code } = await place.untildone([...run, '--max-loops', '1']);
    expect(endings(place)).toEqual([{ kind: 'timed-out', limit: 'idle', afterMs: 12_000 }]);
    expect(model.requests.length).toBeGreaterThanOrEqual(1);
    expect(code).toBe(3);
    expect(place.living()).toEqual([]);
  });
});

/** A place whose provider fails as long as the script says so; the work itself is done honestly. */
async function troubled(
  options: Omit<ClaudePlaceOptions, 'model'>,
  fault: (n: number, sessions: number) => Fault | null,
) {
  let place: Place | null = null;
  const sessions = (): number => (place === null ? 0 : sessionsOf(eventsOf(place)).length);
  const model = await startModel({ reply: honest, fault: (n) => fault(n, sessions()) });
  place = claudePlace({ ...options, model });
  return { place, model };
}

function endings(place: Place) {
  return sessionsOf(eventsOf(place)).map(({ result }) => result?.ending ?? { kind: 'unknown' });
}

function failure(
  status: number,
  type: string,
  message: string,
  headers: { readonly [name: string]: string } = {},
): Fault {
  return { kind: 'status', status, headers, body: { type: 'error', error: { type, message } } };
}

const overloaded = failure(529, 'overloaded_error', 'Overloaded');

/** As a subscription has it; a key is told no reset time. */
const login = { ANTHROPIC_API_KEY: '', CLAUDE_CODE_OAUTH_TOKEN: 'token-of-nobody' };

function limitReached(resetAt: number): Fault {
  const reset = String(resetAt / 1_000);
  return failure(429, 'rate_limit_error', "This request would exceed your account's rate limit.", {
    'retry-after': '3600',
    'anthropic-ratelimit-unified-status': 'rejected',
    'anthropic-ratelimit-unified-reset': reset,
    'anthropic-ratelimit-unified-representative-claim': 'five_hour',
    'anthropic-ratelimit-unified-5h-reset': reset,
    'anthropic-ratelimit-unified-5h-utilization': '1.0',
  });
}

/** Whole seconds, as the provider tells them. */
function inSeconds(seconds: number): number {
  return (Math.floor(Date.now() / 1_000) + seconds) * 1_000;
}
