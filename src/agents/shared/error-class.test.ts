import { describe, expect, it } from 'vitest';
import { defaultKnowledge } from '#config/agents/knowledge.ts';
import { classifyError, classifyRefusedResume } from './error-class.ts';

const now = Date.UTC(2026, 10, 15, 12);

function classOf(text: string, status?: number, headers: { [name: string]: string } = {}): string {
  return classifyError({
    text,
    headers,
    knowledge: defaultKnowledge,
    now,
    ...(status !== undefined && { status }),
  }).errorClass;
}

describe('error classes', () => {
  it.each([
    ['authentication', 401, '{"error":{"message":"Incorrect API key provided"}}'],
    ['authentication', 403, 'Forbidden'],
    ['authentication', undefined, 'Not logged in · Please run /login'],
    ['authentication', undefined, 'API Error: 401 {"type":"error","error":{"type":"authentication_error"}}'],
    ['authentication', 400, 'API key not valid. Please pass a valid API key.'],
    ['invalid-request', 400, 'messages: at least one message is required'],
    ['invalid-request', 404, 'page not found'],
    ['invalid-request', 422, 'temperature must be a number'],
    ['unknown-model', 404, '{"error":{"message":"model \\"qwen9\\" not found, try pulling it first"}}'],
    [
      'unknown-model',
      404,
      '{"error":{"message":"The model `gpt-9` does not exist","code":"model_not_found"}}',
    ],
    ['unknown-model', 400, 'invalid model ID'],
    ['unknown-model', undefined, 'unknown model: fable-5'],
    ['usage-limit', 429, 'You exceeded your current quota'],
    ['usage-limit', undefined, 'Claude AI usage limit reached|1794747600'],
    ['usage-limit', 400, 'Your credit balance is too low to access the API'],
    ['usage-limit', 402, 'Payment required'],
    ['usage-limit', 429, '{"error":{"message":"Your plan allowance is consumed."}}'],
    ['usage-limit', 429, 'Kontingent erschöpft'],
    ['overloaded', 429, ''],
    ['overloaded', 429, '{"error":{"message":"Rate limit reached for m1"}}'],
    ['overloaded', 429, 'Engine is currently at capacity'],
    ['overloaded', 429, '<html><title>429</title></html>'],
    ['overloaded', 429, 'Too many requests'],
    ['overloaded', 429, 'This request would exceed 40,000 input tokens per minute'],
    ['overloaded', 500, 'Internal server error'],
    ['overloaded', 503, 'Service unavailable'],
    ['overloaded', 529, '{"type":"error","error":{"type":"overloaded_error"}}'],
    ['overloaded', undefined, 'API Error: 529 Overloaded'],
    ['overloaded', undefined, 'overloaded_error'],
    ['network', undefined, 'connect ECONNREFUSED 127.0.0.1:11434'],
    ['network', undefined, 'getaddrinfo ENOTFOUND api.example.com'],
    ['network', undefined, 'stream disconnected before completion'],
    ['network', undefined, 'TypeError: fetch failed'],
    ['network', 408, 'Request timeout'],
    ['context-overflow', 400, "This model's maximum context length is 8192 tokens"],
    ['context-overflow', 400, 'prompt is too long: 210000 tokens > 200000 maximum'],
    ['context-overflow', 500, 'the request exceeds the available context size'],
    ['context-overflow', 413, 'Payload Too Large'],
    ['context-overflow', undefined, 'prompt_too_long'],
    // Ollama drops the oldest messages of a prompt that is too long, the task first, and then misses it.
    ['context-overflow', 500, '{"error":{"message":"no user query found in messages","type":"api_error"}}'],
    ['context-overflow', 500, 'Jinja Exception: No user query found in messages.'],
    ['refusal', 400, 'The response was filtered: content_filter'],
    [
      'refusal',
      undefined,
      'Claude Code is unable to respond to this request, which appears to violate our Usage Policy',
    ],
    ['other', undefined, 'something else entirely'],
    ['other', undefined, ''],
    ['other', undefined, 'wrote 401 lines and 500 tests'],
  ])('The error class is %s for %s %s [U5]', (expected, status, text) => {
    expect(classOf(text, status)).toBe(expected);
  });

  it('A reset far ahead means a usage limit, and a near one means a busy provider [U5]', () => {
    expect(classOf('slow down', 429, { 'retry-after': '20' })).toBe('overloaded');
    const far = classifyError({
      status: 429,
      text: 'slow down',
      retryAfter: '7200',
      knowledge: defaultKnowledge,
      now,
    });
    expect(far).toEqual({ errorClass: 'usage-limit', resetAt: now + 7_200_000 });
  });

  it('The reason is found at the beginning and at the end of a log of megabytes [U5]', () => {
    const log = 'model not a thing, limit of error, code and again in '.repeat(200_000);
    expect(classOf(`${log} ECONNREFUSED`)).toBe('network');
    expect(classOf(`overloaded_error ${log}`)).toBe('overloaded');
  });

  it('An error without a known reset reports none', () => {
    const sources = { text: 'usage limit reached', knowledge: defaultKnowledge, now };
    expect(classifyError(sources)).toEqual({ errorClass: 'usage-limit' });
  });
});

describe('error classes of a refused resume', () => {
  it.each([
    ['conversation-gone', 'no rollout found for thread id 01a1'],
    ['conversation-gone', 'No conversation found with session ID: x'],
    ['conversation-gone', 'Resource not found'],
    ['conversation-gone', 'invalid request: no such session'],
    ['conversation-gone', ''],
    ['authentication', 'Please run /login'],
    ['network', 'connect ECONNREFUSED 127.0.0.1:1'],
    ['usage-limit', 'usage limit reached'],
  ])(
    'The error class of a refused resume is %s for %j: gone, unless a new conversation would fail the same way [A1]',
    (errorClass, text) => {
      expect(classifyRefusedResume({ text, knowledge: defaultKnowledge, now })).toEqual({ errorClass });
    },
  );
});
