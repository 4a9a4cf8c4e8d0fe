// What an agent may ask of us: permissions and files. It has its own shell; terminals are not offered.
import type { AgentEvent, SessionRequest } from '#ports/agent.ts';
import type { AcpOptions } from './acp-options.ts';
import { answerPermission } from './answer-permission.ts';
import { RpcError, rpcCodes } from '#agents/shared/json-rpc.ts';
import type { PeerHandlers } from '#agents/shared/json-rpc.ts';
import type { Translator } from './translate-update.ts';
import { createWorkspaceFiles } from './workspace-files.ts';
import { fieldsOf, textOf } from '#agents/shared/json.ts';
import type { Fields } from '#agents/shared/json.ts';

export interface Asked {
  readonly options: AcpOptions;
  readonly request: Pick<SessionRequest, 'cwd' | 'readOnly'>;
  readonly translator: Translator;
  readonly tell: (events: readonly AgentEvent[]) => Promise<void>;
}

export function answerRequests({ options, request, translator, tell }: Asked): PeerHandlers['onRequest'] {
  const files = createWorkspaceFiles(request.cwd, request.readOnly);
  const { permissions } = options;
  const { readOnly } = request;

  const permit = async (params: Fields): Promise<Fields> => {
    const toolCall = fieldsOf(params['toolCall']);
    const knownKind = translator.kindOf(textOf(toolCall['toolCallId']));
    const { isAllowed, outcome } = answerPermission(params, { permissions, readOnly, knownKind });
    await tell(translator.permission(toolCall, isAllowed));
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
