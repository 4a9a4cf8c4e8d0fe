// A webhook: the notification as JSON, or as Slack and ntfy want it. The address is a secret and stands in no message.
import type { Delivery, Notifier } from '#ports/notifier.ts';
import { oneLine } from './plain.ts';
import { postJson } from './post.ts';
import type { PostAnswer } from './post.ts';
import type { WebhookFormat } from './webhook-body.ts';
import { webhookRequest } from './webhook-body.ts';

export interface WebhookOptions {
  readonly url: URL;
  readonly format: WebhookFormat;
  /** Sent as `Authorization: Bearer …`. */
  readonly token: string | null;
  readonly now: () => number;
}

export function createWebhookNotifier({ url, format, token, now }: WebhookOptions): Notifier {
  const headers: { [name: string]: string } = token === null ? {} : { authorization: `Bearer ${token}` };
  return {
    name: `webhook (${format}) at ${url.host}`,
    async send(notification, signal) {
      const request = webhookRequest(url, format, notification);
      return deliveryOf(await postJson(request.url, request.body, { headers, signal }), now());
    },
  };
}

/** Statuses by which a receiver says "not now". */
const passing: ReadonlySet<number> = new Set([408, 425, 429]);

function deliveryOf(answer: PostAnswer, now: number): Delivery {
  if (answer.kind === 'broken') return { kind: 'failed', problem: answer.problem, mayRetry: true };
  const { status, retryAfter, beginning } = answer;
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  if (status >= 300 && status < 400)
    return {
      kind: 'failed',
      problem: `it answered ${status}, and redirects are not followed`,
      mayRetry: false,
    };
  const words = oneLine(beginning, 200);
  const problem = `it answered ${status}${words === '' ? '' : `: ${words}`}`;
  const mayRetry = status >= 500 || passing.has(status);
  const retryAfterMs = retryAfter === null ? null : waitOf(retryAfter, now);
  return { kind: 'failed', problem, mayRetry, ...(retryAfterMs === null ? {} : { retryAfterMs }) };
}

/** Seconds, or a date. */
function waitOf(retryAfter: string, now: number): number | null {
  const ms = /^\d+$/.test(retryAfter.trim()) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}
