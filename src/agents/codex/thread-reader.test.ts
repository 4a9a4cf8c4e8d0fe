import { describe, expect, it } from 'vitest';
import { createThreadReader } from './thread-reader.ts';

const knowledge = { prices: {}, usageLimitWordings: [] };
const threadId = 'thread';
const usage = (turnId: string, total: number, last: number) => ({
  threadId,
  turnId,
  tokenUsage: { total: { inputTokens: total }, last: { inputTokens: last } },
});
const turn = (id: string, status: string) => ({ threadId, turn: { id, status } });

function resumed() {
  const reader = createThreadReader(knowledge, threadId);
  reader.opened(threadId, 'm');
  reader.turnAsked();
  return reader;
}

describe('the reader of a codex thread', () => {
  it('The thread reader counts its own part of a resumed thread, with or without reported history [X1]', () => {
    const told = resumed();
    told.onNotification('thread/tokenUsage/updated', usage('old', 1_000, 90));
    const untold = resumed();
    for (const reader of [told, untold]) {
      reader.turnStarted('new');
      reader.onNotification('thread/tokenUsage/updated', usage('new', 1_100, 100));
      reader.onNotification('thread/tokenUsage/updated', usage('new', 1_150, 50));
      expect(reader.usage().tokens).toBe(150);
    }
  });

  it('The late end of an older turn is not mistaken for the end of the newest', () => {
    const reader = resumed();
    reader.turnStarted('first');
    reader.turnAsked();
    reader.onNotification('turn/completed', turn('first', 'completed'));
    expect(reader.turnEnd()).toBe(null);
    reader.turnStarted('second');
    reader.onNotification('turn/completed', turn('second', 'completed'));
    expect(reader.turnEnd()).toEqual({ kind: 'completed' });
  });

  it('The end of a turn that is over before its start was confirmed is kept', () => {
    const reader = resumed();
    reader.onNotification('turn/started', turn('quick', 'inProgress'));
    reader.onNotification('turn/completed', turn('quick', 'completed'));
    reader.turnStarted('quick');
    expect(reader.turnEnd()).toEqual({ kind: 'completed' });
  });

  it('A retry is forgotten as soon as an answer arrives', () => {
    const reader = resumed();
    const error = { threadId, willRetry: true, error: { message: 'Reconnecting' } };
    reader.onNotification('error', error);
    reader.onNotification('error', error);
    expect(reader.retrying()?.count).toBe(2);
    reader.onNotification('item/agentMessage/delta', { threadId, itemId: 'm', delta: 'x' });
    expect(reader.retrying()).toBe(null);
  });
});
