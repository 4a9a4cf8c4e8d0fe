import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DeliveryLimits } from './delivery.ts';
import { createCourier, deliver } from './delivery.ts';
import { sampleNotification } from '#test/notifiers/sample-notification.ts';
import type { Receiver } from '#test/notifiers/webhook-bed.ts';
import { openReceiver, status } from '#test/notifiers/webhook-bed.ts';
import type { WebhookOptions } from './webhook.ts';
import { createWebhookNotifier } from './webhook.ts';

const never = new AbortController().signal;
const limits: DeliveryLimits = {
  backoffMs: [1, 1, 1],
  retryAfterMsMax: 20_000,
  timeoutMs: 600_000,
  waitingMax: 3,
};

let receiver: Receiver;
beforeEach(async () => {
  receiver = await openReceiver();
});
afterEach(() => receiver.close());

function webhook(known: Partial<WebhookOptions> & { readonly path?: string } = {}) {
  const { path = '/hook/s3cret-path', ...options } = known;
  const url = new URL(`${receiver.url}${path}`);
  return createWebhookNotifier({ url, format: 'json', token: null, now: Date.now, ...options });
}

describe('webhooks', () => {
  it('A webhook gets the notification as JSON, with a token if one is configured [C11]', async () => {
    const notification = sampleNotification();
    const sent = await webhook({ token: 'tk_abc' }).send(notification, never);
    expect(sent).toEqual({ kind: 'delivered' });
    expect(receiver.received).toMatchObject([
      {
        method: 'POST',
        path: '/hook/s3cret-path',
        headers: { 'content-type': 'application/json; charset=utf-8', authorization: 'Bearer tk_abc' },
        body: notification,
      },
    ]);
  });

  it('A Slack webhook gets blocks in which the text of an agent can mention no person [C11]', async () => {
    const evil = sampleNotification({ text: '<!channel> a & b', title: 'x'.repeat(300) });
    await webhook({ format: 'slack' }).send(evil, never);
    expect(receiver.received[0]?.body).toEqual({
      text: expect.stringContaining('&lt;!channel&gt; a &amp; b') as string,
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: 'x'.repeat(150), emoji: true } },
        {
          type: 'section',
          text: {
            type: 'mrkdwn',
            text: '&lt;!channel&gt; a &amp; b\n```untildone answer "…"```',
          },
        },
        { type: 'context', elements: [{ type: 'plain_text', text: 'shop · 20261116-0420-abcd' }] },
      ],
    });
  });

  it('An ntfy webhook gets the topic in the body, at the address of the server [C11]', async () => {
    await webhook({ format: 'ntfy', path: '/below/my-topic' }).send(sampleNotification(), never);
    await webhook({ format: 'ntfy', path: '/top' }).send(sampleNotification({ kind: 'completed' }), never);
    expect(receiver.received).toMatchObject([
      {
        path: '/below',
        body: {
          topic: 'my-topic',
          title: 'The run needs your answer',
          message: 'Red or blue?\nshop · 20261116-0420-abcd',
          priority: 4,
          tags: ['question'],
        },
      },
      { path: '/', body: { topic: 'top', priority: 3, tags: ['white_check_mark'] } },
    ]);
  });

  it('A webhook is retried after 500, after 429 when it asks for it, and after a broken connection [C11]', async () => {
    receiver.answer(status(500), status(429, { 'retry-after': '0' }), (response) => response.destroy());
    expect(await deliver(webhook(), sampleNotification(), limits, never)).toEqual({ kind: 'delivered' });
    expect(receiver.received).toHaveLength(4);
  });

  it('A webhook that asks for too long a wait, or stays down, is given up [C11]', async () => {
    receiver.answer(status(429, { 'retry-after': '86400' }));
    const greedy = await deliver(webhook(), sampleNotification(), limits, never);
    expect(greedy).toMatchObject({ kind: 'failed', retryAfterMs: 86_400_000 });
    const date = new Date(Date.now() + 3_600_000).toUTCString();
    receiver.answer(status(503, { 'retry-after': date }));
    expect(await deliver(webhook(), sampleNotification(), limits, never)).toMatchObject({ kind: 'failed' });
    expect(receiver.received).toHaveLength(2);
    receiver.answer(status(500), status(500), status(500), status(500));
    expect(await deliver(webhook(), sampleNotification(), limits, never)).toMatchObject({
      problem: 'it answered 500',
    });
    expect(receiver.received).toHaveLength(6);
    const gone = webhook();
    await receiver.close();
    expect(await deliver(gone, sampleNotification(), limits, never)).toMatchObject({
      kind: 'failed',
      problem: 'nothing listens there (ECONNREFUSED)',
    });
  });

  it('A webhook that refuses is not retried, and its response is shown bounded and plain [C11]', async () => {
    receiver.answer(status(403, {}, `invalid_token\u001B[2J${'x'.repeat(1_000_000)}`));
    const delivery = await deliver(webhook(), sampleNotification(), limits, never);
    expect(delivery).toMatchObject({ kind: 'failed', mayRetry: false });
    expect(delivery).toMatchObject({
      problem: expect.stringMatching(/^it answered 403: invalid_token \[2Jx{1,200}…$/) as string,
    });
    expect(receiver.received).toHaveLength(1);
  });

  it('A webhook request follows no redirect [C11]', async () => {
    const other = await openReceiver();
    receiver.answer(status(307, { location: other.url }));
    expect(await deliver(webhook(), sampleNotification(), limits, never)).toEqual({
      kind: 'failed',
      problem: 'it answered 307, and redirects are not followed',
      mayRetry: false,
    });
    expect(other.received).toEqual([]);
    await other.close();
  });

  it('A webhook that answers without end counts as delivered [C11]', async () => {
    let isClosed = false;
    receiver.answer((response) => {
      response.writeHead(200).on('close', () => (isClosed = true));
      const pour = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
        if (!response.destroyed) response.once('drain', pour);
      };
      pour();
    });
    expect(await webhook().send(sampleNotification(), never)).toEqual({ kind: 'delivered' });
    await expect.poll(() => isClosed).toBe(true);
  });

  it('A webhook that never answers is given up in time [C11]', async () => {
    receiver.answer(() => {});
    const late = await deliver(
      webhook(),
      sampleNotification(),
      { ...limits, backoffMs: [], timeoutMs: 100 },
      never,
    );
    expect(late).toMatchObject({ kind: 'failed', problem: 'no answer in time', mayRetry: true });
  });
});

describe('notification delivery', () => {
  it('Notifications are delivered one after the other, beside their caller, and each loss is reported once [C11]', async () => {
    const lost: string[] = [];
    let go: (() => void) | null = null;
    receiver.answer((response) => (go = () => void response.end()), status(404));
    const courier = createCourier(webhook(), limits, (text) => lost.push(text));
    for (const title of ['one', 'two', 'three', 'four', 'five']) courier.offer(sampleNotification({ title }));
    // One is under way and three may wait.
    expect(lost).toEqual([expect.stringMatching(/^"five" could not be sent .*too many are waiting$/)]);
    await expect.poll(() => go !== null).toBe(true);
    expect(receiver.received).toHaveLength(1);
    (go as unknown as () => void)();
    await courier.close(600_000);
    expect(receiver.received.map(({ body }) => (body as { title: string }).title)).toEqual([
      'one',
      'two',
      'three',
      'four',
    ]);
    expect(lost.slice(1)).toEqual([
      expect.stringContaining('"two" could not be sent by webhook (json) at 127.0.0.1'),
    ]);
    expect(lost.join()).not.toContain('s3cret-path');
  });

  it('Delivery waits no longer than its limit: a hanging attempt and a long back-off end [C11]', async () => {
    const lost: string[] = [];
    receiver.answer(() => {});
    const hanging = createCourier(webhook(), limits, (text) => lost.push(text));
    hanging.offer(sampleNotification());
    hanging.offer(sampleNotification());
    await expect.poll(() => receiver.received.length).toBe(1);
    await hanging.close(1);
    receiver.answer(status(500));
    const patient = createCourier(webhook(), { ...limits, backoffMs: [3_600_000] }, (text) =>
      lost.push(text),
    );
    patient.offer(sampleNotification());
    await expect.poll(() => receiver.received.length).toBe(2);
    await patient.close(1);
    expect(lost).toEqual([
      expect.stringContaining('no answer in time'),
      expect.stringContaining('no answer in time'),
      expect.stringMatching(/it answered 500|no answer in time/),
    ]);
  });

  it('Delivery survives a notifier that breaks its contract [C11]', async () => {
    const lost: string[] = [];
    const send = (): Promise<never> => Promise.reject(new Error('oh no'));
    const courier = createCourier({ name: 'broken', send }, limits, (text) => lost.push(text));
    courier.offer(sampleNotification());
    await courier.close(10_000);
    expect(lost).toEqual(['"The run needs your answer" could not be sent by broken: oh no']);
  });
});
