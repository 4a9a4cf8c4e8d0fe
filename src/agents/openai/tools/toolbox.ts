// The tools of the loop. Every call gets an answer to continue from; only the workspace is touched.
import type { SessionRequest } from '#ports/agent.ts';
import type { ToolCall, ToolDefinition } from '#agents/openai/chat.ts';
import { shorten } from '#agents/openai/bounded-text.ts';
import { codeOf, ToolError } from './confine-path.ts';
import { editTool, listTool, readTool, writeTool } from './file-tools.ts';
import { createRunTool, createSearchTool } from './command-tools.ts';
import { createRunner } from './runner.ts';
import type { Fields } from '#agents/shared/json.ts';
import { isRecord } from '#base/record.ts';

export interface Tool {
  readonly definition: ToolDefinition;
  /** Contract: throws a ToolError for an error of the model. */
  use(args: Fields, root: string): Promise<string>;
}

export interface Toolbox {
  readonly definitions: readonly ToolDefinition[];
  /** Never rejects. */
  use(call: ToolCall): Promise<{ readonly isError: boolean; readonly text: string }>;
  /** Ends running commands; later calls are not started. */
  stop(reason: string): void;
}

/** About 6,000 tokens: enough to work with, without flooding the context. */
const answerLengthMax = 24_000;

/** `env` is the environment of commands: the session's without the key. */
export function createToolbox(request: SessionRequest, env: SessionRequest['env']): Toolbox {
  const runner = createRunner(request, env);
  const reading = [readTool, listTool, createSearchTool(runner)];
  const tools: readonly Tool[] = [
    ...reading,
    ...(request.readOnly ? [] : [writeTool, editTool]),
    createRunTool(runner),
  ];
  return {
    definitions: tools.map(({ definition }) => definition),
    use: async (call) => {
      try {
        const tool = tools.find(({ definition }) => definition.name === call.name);
        if (tool === undefined) throw unknownTool(call.name, tools);
        const text = await tool.use(argumentsOf(call), request.cwd);
        return { isError: false, text: shorten(text, answerLengthMax) };
      } catch (error) {
        return { isError: true, text: `Error: ${complaintOf(error)}` };
      }
    },
    stop: (reason) => runner.stop(reason),
  };
}

function unknownTool(name: string, tools: readonly Tool[]): ToolError {
  const names = tools.map(({ definition }) => definition.name).join(', ');
  return new ToolError(`There is no tool "${shorten(name, 60)}". The tools are: ${names}.`);
}

function argumentsOf({ name, argumentsText }: ToolCall): Fields {
  const text = argumentsText.trim();
  let value: unknown;
  try {
    value = text === '' ? {} : JSON.parse(text);
    // Some models encode twice.
    if (typeof value === 'string') value = JSON.parse(value);
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    throw new ToolError(
      `The arguments of ${name} are no valid JSON (${shorten(reason, 200)}). Call it again with a JSON object.`,
    );
  }
  if (!isRecord(value)) throw new ToolError(`The arguments of ${name} must be a JSON object.`);
  return value;
}

function complaintOf(error: unknown): string {
  if (error instanceof ToolError) return error.message;
  const code = codeOf(error);
  const said: { readonly [code: string]: string } = {
    ENOENT: 'there is no such file or folder',
    EISDIR: 'that is a folder, not a file',
    ENOTDIR: 'a part of the path is a file, not a folder',
    EACCES: 'permission denied',
    ENOSPC: 'the disk is full',
  };
  return said[code] ?? shorten(error instanceof Error ? error.message : code, 300);
}
