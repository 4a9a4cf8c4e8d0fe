// Connects the Claude Agent SDK, loaded on use. We start its child, to be able to kill its process tree.
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { errorText } from '#base/error-text.ts';
import { OperatorError } from '#base/operator-error.ts';
import { findProgram } from '#adapters/processes/program.ts';
import { isBounded, settingSourcesOf, type ClaudeCall } from './claude-call.ts';
import { notStarted, userMessage } from './claude-cli.ts';
import type { ClaudeLink, ClaudeListener } from './claude-session.ts';
import { textOf, fieldsOf } from '#agents/shared/json.ts';
import { isRefused, readOnlyTools, refusal } from './read-only.ts';
import { createSdkProcess, type SdkProcess } from './sdk-process.ts';

/** The part of the SDK that we use. */
interface Sdk {
  query(call: { prompt: AsyncIterable<object>; options: object }): AsyncIterable<unknown> & {
    interrupt(): Promise<unknown>;
  };
}

/** Time for the SDK to deliver its last messages after its child has exited. */
const lastWordsMs = 5_000;

export async function connectSdk(
  file: string,
  call: ClaudeCall,
  listener: ClaudeListener,
): Promise<ClaudeLink> {
  const sdk = await load(file);
  const child = createSdkProcess(call, (text) => listener.onComplaint(text));
  const input = createInput();
  const query = sdk.query({ prompt: input.messages, options: sdkOptions(call, child) });
  const read = follow(query, {
    ...listener,
    onMessage: (message) => child.hold(listener.onMessage(message)),
  });
  const running = await Promise.race([child.started, read.then(() => null)]);
  if (running === null) throw notStarted(await read.then((problem) => problem ?? 'the SDK started nothing'));
  const kill = (reason: string): void => {
    running.kill(reason);
    input.end();
  };
  return {
    say: (text) => input.add(userMessage(text)),
    interrupt: async () => {
      await query.interrupt();
    },
    finish: () => input.end(),
    kill,
    ended: Promise.race([read, running.ended.then(() => sleep(lastWordsMs, null))]).then((problem) => {
      // The SDK has delivered everything; a child that still runs has nothing to add.
      if (problem !== null) running.kill(problem);
      running.closeInput();
      return running.ended;
    }),
  };
}

async function load(file: string): Promise<Sdk> {
  let loaded: unknown;
  try {
    loaded = await import(pathToFileURL(file).href);
  } catch (error) {
    throw unusable(file, errorText(error));
  }
  if (typeof loaded !== 'object' || loaded === null || !('query' in loaded)) {
    throw unusable(file, 'it has no function "query"');
  }
  return loaded as Sdk;
}

function unusable(file: string, reason: string): OperatorError {
  return new OperatorError(
    'agent-not-started',
    `The Claude Agent SDK in ${file} cannot be used: ${reason}.`,
    'Install it again, or set "via": "cli" for this agent.',
  );
}

/** Reads to the very end: after an error result the SDK throws, and that adds nothing new. */
async function follow(messages: AsyncIterable<unknown>, listener: ClaudeListener): Promise<string | null> {
  let hasResult = false;
  try {
    for await (const message of messages) {
      const record = fieldsOf(message);
      hasResult ||= record['type'] === 'result';
      await listener.onMessage(record);
    }
    return null;
  } catch (error) {
    if (hasResult) return null;
    const problem = errorText(error);
    await listener.onComplaint(problem);
    return problem;
  }
}

function sdkOptions(call: ClaudeCall, child: SdkProcess): object {
  const { options, request, env } = call;
  const { permissionMode, outputSchema } = options;
  const program = findProgram(options.binary, env['PATH'], request.cwd);
  return {
    cwd: request.cwd,
    env,
    settingSources: settingSourcesOf(call),
    permissionMode,
    allowDangerouslySkipPermissions: permissionMode === 'bypassPermissions',
    ...('path' in program && { pathToClaudeCodeExecutable: program.path }),
    ...(request.model !== null && { model: request.model }),
    ...(request.resume !== null && { resume: request.resume }),
    ...(options.maxTurns !== null && { maxTurns: options.maxTurns }),
    ...(isBounded(request.usdMax) && { maxBudgetUsd: request.usdMax }),
    ...(options.allowedTools.length > 0 && { allowedTools: options.allowedTools }),
    ...(outputSchema !== null && { outputFormat: { type: 'json_schema', schema: outputSchema } }),
    ...(request.readOnly && readOnlyOptions(call)),
    // Without it Claude Code uses a shorter prompt than the program does.
    systemPrompt: { type: 'preset', preset: 'claude_code' },
    spawnClaudeCodeProcess: child.spawn,
  };
}

function readOnlyOptions({ options }: ClaudeCall): object {
  const gate = async (input: unknown): Promise<object> => {
    if (!isRefused(options, textOf(fieldsOf(input)['tool_name']))) return {};
    return {
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: refusal,
      },
    };
  };
  return {
    tools: readOnlyTools(options),
    strictMcpConfig: true,
    settings: { disableAllHooks: false },
    hooks: { PreToolUse: [{ hooks: [gate] }] },
  };
}

/** The messages to the session, in the form that the SDK reads. */
function createInput() {
  const waiting: object[] = [];
  let isEnded = false;
  let wake = (): void => {};
  async function* read(): AsyncGenerator<object> {
    for (;;) {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) yield next;
      if (isEnded) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  return {
    messages: read(),
    add: (message: object): void => {
      waiting.push(message);
      wake();
    },
    end: (): void => {
      isEnded = true;
      wake();
    },
  };
}
