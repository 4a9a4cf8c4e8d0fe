// Notices, failures and summaries that all output readers share.
import { describeProcessEnding, type ProcessEnding } from '#kernel/model/ending.ts';
import type { AgentKnowledge } from '#kernel/model/config.ts';
import type { AgentEvent } from '#ports/agent.ts';
import type { Outcome } from './outcome.ts';
import { classifyError } from './error-class.ts';

const strayMax = 1_000;
const summaryMax = 400;
const detailMax = 500;

/** Clients print warnings and banners between their messages. */
export function strayLine(line: string): AgentEvent {
  return { type: 'notice', text: line.slice(0, strayMax) };
}

export function isGood(ending: ProcessEnding): boolean {
  return ending.kind === 'exited' && ending.code === 0;
}

export function crashOf(ending: ProcessEnding, complaint: string): Outcome {
  const how = isGood(ending) ? 'it ended without a result' : describeProcessEnding(ending);
  return { kind: 'crashed', detail: complaint === '' ? how : `${how}: ${complaint}` };
}

export interface Failure {
  readonly text: string;
  /** For people; defaults to the text. */
  readonly detail?: string;
  readonly status?: number;
  readonly knowledge: AgentKnowledge;
}

export function failureOf({ text, detail = text, status, knowledge }: Failure): Outcome {
  const classified = classifyError({
    text,
    ...(status !== undefined && { status }),
    knowledge,
    now: Date.now(),
  });
  return { kind: 'failed', ...classified, detail: detail.slice(0, detailMax) };
}

export function cut(text: string, lengthMax: number): string {
  return text.length <= lengthMax ? text : `${text.slice(0, lengthMax)}…`;
}

export function shortened(text: string): string {
  return cut(text, summaryMax);
}

/** The input field that describes a tool call best. */
export function describeInput(input: { readonly [name: string]: unknown }): string {
  const names = ['command', 'filePath', 'file_path', 'path', 'dir_path', 'pattern', 'query', 'url', 'prompt'];
  const found = names.map((name) => input[name]).find((value) => typeof value === 'string' && value !== '');
  return shortened(typeof found === 'string' ? found : JSON.stringify(input));
}
