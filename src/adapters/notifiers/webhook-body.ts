// What different receivers want to read. Pure.
import type { Notification, NotificationKind } from '#kernel/model/notification.ts';
import { escaped } from './plain.ts';

export type WebhookFormat = 'json' | 'slack' | 'ntfy';

export interface WebhookRequest {
  readonly url: URL;
  readonly body: unknown;
}

export function webhookRequest(url: URL, format: WebhookFormat, notification: Notification): WebhookRequest {
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
    // Shown where blocks are not, such as on a locked phone. `<!channel>` in the words of an agent must wake nobody.
    text: escaped(`${title}: ${text}`).slice(0, 2900),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: title.slice(0, 150), emoji: true } },
      { type: 'section', text: { type: 'mrkdwn', text: `${escaped(text)}${escaped(typed)}`.slice(0, 2900) } },
      { type: 'context', elements: [{ type: 'plain_text', text: whereOf(notification).slice(0, 150) }] },
    ],
  };
}

/** A trial belongs to no run. */
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

/** From 1 to 5; 3 is what everything else has. */
const priorities: { readonly [kind in NotificationKind]?: number } = {
  'needs-input': 4,
  blocked: 4,
  'security-stop': 5,
};

/** Shown as pictures. */
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
