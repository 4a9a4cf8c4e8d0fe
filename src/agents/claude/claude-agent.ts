// Driver `claude`: runs Claude Code by the Agent SDK if it is installed, else by the program on PATH.
import type { Agent, AgentSession, SessionRequest } from '#ports/agent.ts';
import { makeCall } from './claude-call.ts';
import { connectCli } from './claude-cli.ts';
import { parseClaudeOptions, type ClaudeOptions } from './claude-options.ts';
import { holdSession } from './claude-session.ts';
import { findSdk, noSdk } from './find-sdk.ts';

export function createClaudeAgent(options: { readonly [key: string]: unknown }): Agent {
  const parsed = parseClaudeOptions(options);
  return {
    driver: 'claude',
    reportsUsage: true,
    resumes: 'by-id',
    start: (request) => startClaude(parsed, request),
  };
}

async function startClaude(options: ClaudeOptions, request: SessionRequest): Promise<AgentSession> {
  const call = makeCall(options, request);
  const place = options.via === 'cli' ? null : findSdk(options.sdk, call.env);
  if (place === null) {
    if (options.via === 'sdk') throw noSdk();
    return holdSession(call, connectCli);
  }
  const { connectSdk } = await import('./claude-sdk.ts');
  return holdSession(call, (ofCall, listener) => connectSdk(place, ofCall, listener));
}
