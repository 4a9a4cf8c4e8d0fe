// Sends notifications to a webhook: JSON, Slack or ntfy. The address is a secret and appears in no message.
import type { Delivery, Notifier } from '#ports/notifier.ts';
import { oneLine, escaped } from './plain.ts';
import { postJson, type PostAnswer } from './post.ts';
import type { Notification, NotificationKind } from '#kernel/model/notification.ts';

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

/** Statuses by which a receiver asks for a later retry. */
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

function waitOf(retryAfter: string, now: number): number | null {
  const ms = /^\d+$/.test(retryAfter.trim()) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}

type WebhookFormat = 'json' | 'slack' | 'ntfy';

interface WebhookRequest {
  readonly url: URL;
  readonly body: unknown;
}

function webhookRequest(url: URL, format: WebhookFormat, notification: Notification): WebhookRequest {
  switch (format) {
    case 'json':
      return { url, body: notification };
    case 'slack':
      return { url, body: slackBody(notification) };
    case 'ntfy':
      return ntfyRequest(url, notification);
  }
}

/** A section of Slack holds 3,000 characters, a header 150. */
function slackBody(notification: Notification): unknown {
  const { title, text, commands } = notification;
  const typed = commands.length === 0 ? '' : `\n\`\`\`${commands.join('\n')}\`\`\``;
  return {
    // Shown without blocks, as on a locked phone. Escaped: `<!channel>` in an agent's text must alert no one.
    text: escaped(`${title}: ${text}`).slice(0, 2900),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: title.slice(0, 150), emoji: true } },
      { type: 'section', text: { type: 'mrkdwn', text: `${escaped(text)}${escaped(typed)}`.slice(0, 2900) } },
      { type: 'context', elements: [{ type: 'plain_text', text: whereOf(notification).slice(0, 150) }] },
    ],
  };
}

/** A test notification has no run. */
function whereOf({ repository, run }: Notification): string {
  return run === '' ? repository : `${repository} · ${run}`;
}

/** `https://server/topic`: JSON goes to the server itself and names the topic. */
function ntfyRequest(url: URL, notification: Notification): WebhookRequest {
  const { kind, title, text } = notification;
  const parts = url.pathname.split('/').filter((part) => part !== '');
  const topic = decodeURIComponent(parts.at(-1) ?? '');
  const server = new URL(url);
  server.pathname = `/${parts.slice(0, -1).join('/')}`;
  const body = {
    topic,
    title,
    message: `${text}\n${whereOf(notification)}`,
    priority: priorities[kind] ?? 3,
    tags: [tags[kind] ?? 'bell'],
  };
  return { url: server, body };
}

/** From 1 to 5; the default is 3. */
const priorities: { readonly [kind in NotificationKind]?: number } = {
  'needs-input': 4,
  blocked: 4,
  'security-stop': 5,
};

/** ntfy shows these as emoji. */
const tags: { readonly [kind in NotificationKind]?: string } = {
  completed: 'white_check_mark',
  failed: 'x',
  exhausted: 'money_with_wings',
  'budget-nearly-spent': 'money_with_wings',
  blocked: 'no_entry',
  drifted: 'twisted_rightwards_arrows',
  'needs-input': 'question',
  parked: 'zzz',
  'security-stop': 'rotating_light',
};
