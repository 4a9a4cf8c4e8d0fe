import { expect, it } from 'vitest';
import { outcomeOfError } from './agent-error.ts';
import { RpcError } from '#agents/shared/json-rpc.ts';

const knowledge = { prices: {}, usageLimitWordings: ['exceeded your current quota'] };

it.each([
  [-32000, 'Authentication required', undefined, 'authentication'],
  [-32603, 'Internal error: Invalid API key', undefined, 'authentication'],
  [-32603, 'Internal error', { details: 'connect ECONNREFUSED 127.0.0.1:1' }, 'network'],
  [-32603, 'Internal error', { status: 529 }, 'overloaded'],
  [-32603, 'Internal error: something odd', undefined, 'other'],
  [429, 'You exceeded your current quota', undefined, 'usage-limit'],
  [503, 'Service unavailable', undefined, 'overloaded'],
  [404, 'models/nope is not found: the model does not exist', undefined, 'unknown-model'],
  [400, 'bad request', undefined, 'invalid-request'],
])('An ACP error %i "%s" with %j is of the class %s', (code, message, data, errorClass) => {
  const outcome = outcomeOfError(new RpcError(code, message, data), knowledge, 0);
  expect(outcome).toMatchObject({ kind: 'failed', errorClass });
});

it('An ACP error always has a detail, and a short one', () => {
  const detailOf = (error: RpcError) => {
    const outcome = outcomeOfError(error, knowledge, 0);
    return outcome.kind === 'failed' ? outcome.detail : '';
  };
  expect(detailOf(new RpcError(-32603, 'Internal error'))).toBe('the agent gave no reason');
  expect(detailOf(new RpcError(-32603, 'Internal error', { why: 'x'.repeat(9_000) })).length).toBeLessThan(
    600,
  );
});
