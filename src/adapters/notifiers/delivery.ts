// Delivers notifications to one notifier, in order and with retries. The run never waits for it.
import { setTimeout as sleep } from 'node:timers/promises';
import { errorText } from '#base/error-text.ts';
import type { Notification } from '#kernel/model/notification.ts';
import type { Delivery, Notifier } from '#ports/notifier.ts';

export interface DeliveryLimits {
  /** Delays before each retry; their number is the number of retries. */
  readonly backoffMs: readonly number[];
  /** A receiver that asks for a longer delay is not retried. */
  readonly retryAfterMsMax: number;
  /** Time limit of one try. */
  readonly timeoutMs: number;
  /** Limit of queued notifications; more are dropped. */
  readonly waitingMax: number;
}

export interface Courier {
  /** Contract: never waits, never throws. */
  offer(notification: Notification): void;
  /** Waits this long for deliveries in progress, then ends them. */
  close(graceMs: number): Promise<void>;
}

/** After an abort, a try gets this long to end. */
const endingMs = 2000;

export function createCourier(
  notifier: Notifier,
  limits: DeliveryLimits,
  onProblem: (text: string) => void,
): Courier {
  const waiting: Notification[] = [];
  const closing = new AbortController();
  let working: Promise<void> | null = null;
  const lost = ({ title }: Notification, problem: string): void =>
    onProblem(`"${title}" could not be sent by ${notifier.name}: ${problem}`);
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const delivery = await deliver(notifier, next, limits, closing.signal);
      if (delivery.kind === 'failed') lost(next, delivery.problem);
    }
    working = null;
  };
  return {
    offer(notification) {
      if (waiting.length >= limits.waitingMax) return lost(notification, 'too many are waiting');
      waiting.push(notification);
      working ??= work();
    },
    async close(graceMs) {
      if (working === null) return;
      await within(working, graceMs);
      if (working === null) return;
      closing.abort();
      await within(working, endingMs);
    },
  };
}

export async function deliver(
  notifier: Notifier,
  notification: Notification,
  limits: DeliveryLimits,
  closing: AbortSignal,
): Promise<Delivery> {
  for (let attempt = 0; ; attempt += 1) {
    const signal = AbortSignal.any([closing, AbortSignal.timeout(limits.timeoutMs)]);
    const delivery = await notifier.send(notification, signal).catch(failed);
    const backoffMs = limits.backoffMs[attempt];
    if (delivery.kind !== 'failed' || !delivery.mayRetry || backoffMs === undefined) return delivery;
    const waitMs = Math.max(backoffMs, delivery.retryAfterMs ?? 0);
    if (waitMs > Math.max(backoffMs, limits.retryAfterMsMax)) return delivery;
    if (!(await slept(waitMs, closing)))
      return { ...delivery, problem: `${delivery.problem}; the program had to end before another try` };
  }
}

/** A notifier that breaks its contract must not harm the run. */
function failed(error: unknown): Delivery {
  const problem = errorText(error);
  return { kind: 'failed', problem, mayRetry: false };
}

/** False when it was aborted. */
function slept(ms: number, signal: AbortSignal): Promise<boolean> {
  return sleep(ms, true, { signal }).catch(() => false);
}

async function within(work: Promise<void>, ms: number): Promise<void> {
  const timer = new AbortController();
  await Promise.race([work, slept(ms, timer.signal)]);
  timer.abort();
}
