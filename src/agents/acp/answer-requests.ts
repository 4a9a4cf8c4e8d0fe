// Answers the requests of an agent: permissions and files. Terminals are not offered: it has its own shell.
import type { AgentEvent, SessionRequest } from '#ports/agent.ts';
import type { AcpOptions, Permissions } from './acp-options.ts';
import { RpcError, rpcCodes, type PeerHandlers } from '#agents/shared/json-rpc.ts';
import type { Translator } from './translate-update.ts';
import { createWorkspaceFiles } from './workspace-files.ts';
import { fieldsOf, textOf, listOf, type Fields } from '#agents/shared/json.ts';

export interface Asked {
  readonly options: AcpOptions;
  readonly request: Pick<SessionRequest, 'cwd' | 'readOnly'>;
  readonly translator: Translator;
  readonly emit: (events: readonly AgentEvent[]) => Promise<void>;
}

export function answerRequests({ options, request, translator, emit }: Asked): PeerHandlers['onRequest'] {
  const files = createWorkspaceFiles(request.cwd, request.readOnly);
  const { permissions } = options;
  const { readOnly } = request;

  const permit = async (params: Fields): Promise<Fields> => {
    const toolCall = fieldsOf(params['toolCall']);
    const knownKind = translator.kindOf(textOf(toolCall['toolCallId']));
    const { isAllowed, outcome } = answerPermission(params, { permissions, readOnly, knownKind });
    await emit(translator.permission(toolCall, isAllowed));
    return { outcome };
  };

  return async (method, params) => {
    switch (method) {
      case 'session/request_permission':
        return permit(params);
      case 'fs/read_text_file':
        return files.read(params);
      case 'fs/write_text_file':
        return files.write(params);
      default:
        throw new RpcError(rpcCodes.methodNotFound, `${method} is not offered.`);
    }
  };
}

interface PermissionAnswer {
  readonly isAllowed: boolean;
  readonly outcome: Fields;
}

/** All that a read-only role may do. A kind that is missing or unknown may write. */
const harmlessKinds = new Set(['read', 'search', 'think', 'fetch']);

export function answerPermission(
  params: Fields,
  rules: { readonly permissions: Permissions; readonly readOnly: boolean; readonly knownKind: string },
): PermissionAnswer {
  const kind = textOf(fieldsOf(params['toolCall'])['kind']) || rules.knownKind;
  const wanted = isAllowed(kind, rules);
  const options = listOf(params['options']);
  const find = (kinds: readonly string[]): Fields | undefined =>
    kinds
      .map((one) => options.find((option) => option['kind'] === one))
      .find((option) => option !== undefined);
  const allowing = wanted ? find(['allow_once', 'allow_always']) : undefined;
  const option = allowing ?? find(['reject_once', 'reject_always']);
  return {
    isAllowed: allowing !== undefined,
    outcome:
      option === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: option['optionId'] },
  };
}

function isAllowed(kind: string, rules: { permissions: Permissions; readOnly: boolean }): boolean {
  if (rules.permissions !== 'by-role') return rules.permissions === 'allow';
  return !rules.readOnly || harmlessKinds.has(kind);
}
