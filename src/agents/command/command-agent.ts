// Driver `command`: runs any program that takes a prompt and prints plain text, or lines that a reader knows.
import { describeProcessEnding, type ProcessEnding } from '#kernel/model/ending.ts';
import type { Agent, AgentSession, SessionRequest } from '#ports/agent.ts';
import { OperatorError } from '#base/operator-error.ts';
import * as clients from '#agents/clients.ts';
import type { ClientFacts } from '#agents/shared/client-facts.ts';
import { closeClient, startClient } from '#agents/shared/client-process.ts';
import { createEventQueue } from '#agents/shared/event-queue.ts';
import { goneSession } from '#agents/shared/gone-session.ts';
import { parseCommandOptions, type CommandOptions } from './command-options.ts';
import { passPrompt } from './pass-prompt.ts';
import { createLineOutput, createTextOutput } from './command-output.ts';

const readers: { readonly [output in keyof typeof clients]: Pick<ClientFacts, 'readOutput'> } = clients;

export function createCommandAgent(options: { readonly [key: string]: unknown }): Agent {
  const parsed = parseCommandOptions(options);
  return {
    driver: 'command',
    reportsUsage: parsed.output !== 'text',
    // It starts one command with one prompt, and cannot return to an earlier conversation.
    resumes: 'no',
    start: (request) => startCommand(parsed, request),
  };
}

async function startCommand(options: CommandOptions, request: SessionRequest): Promise<AgentSession> {
  if (request.resume !== null)
    return goneSession('a command begins a new conversation each time', request.model);
  await checkShellCommand(options.command, request);
  const handed = await passPrompt(options, request.prompt);
  const queue = createEventQueue();
  const output =
    options.output === 'text'
      ? createTextOutput(queue, request.model)
      : createLineOutput(queue, (await readers[options.output].readOutput())(request));
  const running = startClient(request, {
    command: handed.command,
    env: { ...request.env, ...options.env, ...handed.env },
    input: handed.input,
    onOutput: (chunk, stream) => output.onOutput(chunk, stream),
  });
  if (running.pid === null) {
    await handed.cleanUp();
    throw notStarted(options, await running.ended);
  }
  return {
    events: queue.events,
    concluded: running.exited.then(async (ending) => {
      await output.end();
      await queue.allRead();
      return output.resultOf(ending);
    }),
    result: running.ended.then(async (ending) => {
      await output.end();
      await handed.cleanUp();
      queue.end();
      await queue.done;
      return output.resultOf(ending);
    }),
    close: closeClient(running, queue),
  };
}

const notFound = 'not-found';

/** A shell reports a missing program only after the start; its first word can be checked before. */
async function checkShellCommand(command: CommandOptions['command'], request: SessionRequest): Promise<void> {
  const word = typeof command === 'string' ? /^[\w./+-]+(?=\s|$)/.exec(command.trim())?.[0] : undefined;
  if (word === undefined || process.platform === 'win32') return;
  const { cwd, env, mark, processes } = request;
  let text = '';
  await processes.start({
    command: ['/bin/sh', '-c', `[ -n "$(command -v -- "$1")" ] || echo ${notFound}`, 'sh', word],
    cwd,
    env,
    mark,
    input: null,
    wallMs: 10_000,
    idleMs: null,
    graceMs: 1_000,
    onOutput: (chunk, stream) => {
      if (stream === 'stdout') text += chunk.toString('utf8');
    },
  }).ended;
  // Compares the printed word, not the exit code: a sandbox that cannot be set up fails as well.
  if (text.trim() !== notFound) return;
  throw new OperatorError(
    'agent-not-started',
    `The agent command could not be started: the program "${word}" was not found on PATH.`,
    `Install it, or check it with: command -v ${word}`,
  );
}

function notStarted(options: CommandOptions, ending: ProcessEnding): OperatorError {
  const reason = ending.kind === 'not-started' ? ending.reason : describeProcessEnding(ending);
  const program = typeof options.command === 'string' ? options.command : options.command[0];
  return new OperatorError(
    'agent-not-started',
    `The agent command could not be started: ${reason}.`,
    options.prompt === 'argument' && reason.includes('longer than')
      ? 'Set "prompt": "stdin" or "file" in the options of this agent.'
      : `Check it with: command -v ${program}`,
  );
}
