// True recordings of the client's errors, read as a session reads them.
import { describe, expect, it } from 'vitest';
import { defaultKnowledge } from '#config/agents/knowledge.ts';
import { endingOf } from './claude-ending.ts';
import { createClaudeState, hear } from './claude-state.ts';
import recordings from '#agents/claude/fixtures/errors-2.1.325.json' with { type: 'json' };
import { translateMessage } from './translate-message.ts';

/** Before the reset time that the recordings name. */
const now = Date.parse('2026-11-15T23:00:00Z');
const resetAt = Date.parse('2026-11-16T00:00:00Z');

type Recorded = keyof typeof recordings.sessions;

describe('recorded provider failures of claude', () => {
  it.each<[Recorded, object]>([
    ['wrong key', { kind: 'failed', errorClass: 'authentication' }],
    ['not allowed', { kind: 'failed', errorClass: 'authentication' }],
    ['not logged in', { kind: 'failed', errorClass: 'authentication' }],
    ['unknown model', { kind: 'failed', errorClass: 'unknown-model' }],
    ['bad request', { kind: 'failed', errorClass: 'invalid-request' }],
    ['prompt too long', { kind: 'failed', errorClass: 'context-overflow' }],
    ['no credit', { kind: 'failed', errorClass: 'usage-limit' }],
    ['busy minute, key', { kind: 'failed', errorClass: 'overloaded' }],
    ['busy minute, login', { kind: 'failed', errorClass: 'overloaded' }],
    ['five hours, login', { kind: 'failed', errorClass: 'usage-limit', resetAt }],
    ['seven days, login', { kind: 'failed', errorClass: 'usage-limit', resetAt }],
    ['overloaded', { kind: 'failed', errorClass: 'overloaded' }],
    ['server error', { kind: 'failed', errorClass: 'overloaded' }],
    ['cut stream', { kind: 'failed', errorClass: 'network' }],
    ['no connection', { kind: 'failed', errorClass: 'network' }],
    ['refusal', { kind: 'failed', errorClass: 'refusal' }],
    ['empty answer', { kind: 'finished' }],
  ])('The recorded failure is classified: %s', (name, ending) => {
    const { detail, ...told } = { detail: 'it needs no reason', ...endOf(name) };
    expect(told).toEqual(ending);
    expect(detail.length).toBeGreaterThan(10);
  });

  it('The limit fields of the client take precedence over its text', () => {
    const inAnHour = {
      type: 'rate_limit_event',
      rate_limit_info: { status: 'rejected', resetsAt: now / 1_000 + 7_200 },
    };
    const warned = {
      type: 'rate_limit_event',
      rate_limit_info: { status: 'allowed_warning', resetsAt: 2_000_000_000 },
    };
    expect(endOf('five hours, login', inAnHour)).toMatchObject({ resetAt: now + 7_200_000 });
    expect(endOf('busy minute, login', warned)).not.toHaveProperty('resetAt');
  });

  it('A full context is recognised by its name, whatever the text', () => {
    const unspoken = { ...recordings.sessions['prompt too long'].at(-1), result: 'API Error: 400 something' };
    expect(endOf('prompt too long', unspoken)).toMatchObject({ errorClass: 'context-overflow' });
  });

  it('The source of the key is named as in the first lines of a run, and the paying account never is [X1]', () => {
    const introduction = (apiKeySource: string): string => {
      const init = { type: 'system', subtype: 'init', session_id: 's', model: 'm', claude_code_version: '2' };
      const events = translateMessage({ ...init, apiKeySource });
      return events.flatMap((event) => (event.type === 'notice' ? [event.text] : [])).join();
    };
    expect(introduction('ANTHROPIC_API_KEY')).toBe(
      'Claude Code 2, model m, paid by the key in ANTHROPIC_API_KEY',
    );
    for (const source of ['none', '', 'oauth']) expect(introduction(source)).toBe('Claude Code 2, model m');
    expect(introduction('/login managed key')).toBe('Claude Code 2, model m');
  });

  it('A missing login is reported with its fix', () => {
    expect(endOf('not logged in')).toMatchObject({ detail: expect.stringContaining('/login') as string });
  });

  it.each(Object.keys(recordings.sessions) as Recorded[])(
    'The text of an error never counts as text of the assistant: %s [B3]',
    (name) => {
      const texts = recordings.sessions[name]
        .flatMap((message) => translateMessage(message))
        .flatMap((event) => (event.type === 'text' ? [event.text.trim()] : []));
      expect(texts.filter((text) => text !== 'partial')).toEqual([]);
    },
  );
});

function endOf(name: Recorded, last: object = {}) {
  const heard = createClaudeState(defaultKnowledge, false);
  for (const message of [...recordings.sessions[name], last]) hear(heard, { ...message });
  return endingOf({
    state: heard,
    ending: { kind: 'exited', code: 1 },
    isInterrupted: false,
    wantsOutput: false,
    knowledge: defaultKnowledge,
    now,
  });
}
