// Maps a JSON-RPC error to an outcome: ACP agents define no error classes.
import type { AgentKnowledge } from '#kernel/model/config.ts';
import { classifyError, classifyRefusedResume, type ErrorSources } from '#agents/shared/error-class.ts';
import { rpcCodes, type RpcError } from '#agents/shared/json-rpc.ts';
import type { Outcome } from '#agents/shared/outcome.ts';
import { fieldsOf } from '#agents/shared/json.ts';

const detailMax = 500;

export function outcomeOfRefusedResume(error: RpcError, knowledge: AgentKnowledge, now: number): Outcome {
  return outcomeBy(classifyRefusedResume, error, { knowledge, now });
}

export function outcomeOfError(error: RpcError, knowledge: AgentKnowledge, now: number): Outcome {
  return outcomeBy(classifyError, error, { knowledge, now });
}

function outcomeBy(
  classify: typeof classifyError,
  error: RpcError,
  { knowledge, now }: Pick<ErrorSources, 'knowledge' | 'now'>,
): Outcome {
  // "Internal error" is the protocol's wording for a code; the text after it is the agent's.
  const message = error.message.replace(/^internal error(?::\s*|$)/i, '');
  const text = `${message} ${error.data === undefined ? '' : JSON.stringify(error.data)}`.trim();
  const detail = (message === '' ? text : message).slice(0, detailMax) || 'the agent gave no reason';
  if (error.code === rpcCodes.authRequired) {
    return { kind: 'failed', errorClass: 'authentication', detail };
  }
  const status = statusOf(error);
  const classified = classify({ ...(status !== null && { status }), text, knowledge, now });
  return { kind: 'failed', detail, ...classified };
}

/** Some agents put the HTTP status into the code, some into the data. */
function statusOf(error: RpcError): number | null {
  const { status, statusCode, code } = fieldsOf(error.data);
  const found = [error.code, status, statusCode, code].find(
    (one) => typeof one === 'number' && one >= 400 && one < 600,
  );
  return typeof found === 'number' ? found : null;
}
