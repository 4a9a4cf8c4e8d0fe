// Driver `codex`: runs the user's own Codex CLI with the user's own login.
import type { Agent, AgentSession, SessionRequest } from '#ports/agent.ts';
import { OperatorError } from '#base/operator-error.ts';
import { startAppServer } from './app-server.ts';
import { parseCodexOptions, type CodexOptions } from './codex-options.ts';
import { codexEnvironment } from './environment.ts';
import { startExec } from './exec-session.ts';

export function createCodexAgent(options: { readonly [key: string]: unknown }): Agent {
  const parsed = parseCodexOptions(options);
  return {
    driver: 'codex',
    reportsUsage: true,
    resumes: 'by-id',
    start: (request) => start(parsed, request),
  };
}

async function start(options: CodexOptions, request: SessionRequest): Promise<AgentSession> {
  const { env, notice } = await codexEnvironment(request.env);
  const placed = { ...request, env };
  const notices = notice === null ? [] : [notice];
  if (options.via === 'exec') return startExec(options, placed, notices);
  const session = await startAppServer(options, placed, notices);
  if (!('unsupported' in session)) return session;
  if (options.via === 'app-server') {
    throw new OperatorError(
      'codex-too-old',
      `Codex cannot be driven through its app-server: ${session.unsupported}.`,
      'Update codex (npm install -g @openai/codex@latest), or set "via": "exec" for this agent.',
    );
  }
  const why = `codex is driven through "codex exec": ${session.unsupported}`;
  return startExec(options, placed, [...notices, why]);
}
