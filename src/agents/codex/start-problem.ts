// Says why codex could not be started, in one sentence with the next step.
import { describeProcessEnding, type ProcessEnding } from '#kernel/model/ending.ts';
import { errorText } from '#base/error-text.ts';
import { OperatorError } from '#base/operator-error.ts';
import { PeerGone } from '#agents/shared/json-rpc.ts';
import type { CodexOptions } from './codex-options.ts';

export interface StartProblem {
  readonly error: unknown;
  readonly options: CodexOptions;
  readonly ending: ProcessEnding;
  readonly complaint: string;
}

/** An old codex without an app-server takes the word for a prompt and wants a terminal. */
const noSuchCommand = /stdin is not a terminal|unrecognized subcommand|unexpected argument|unknown command/i;

export function whyNotOpened(problem: StartProblem): { readonly unsupported: string } {
  const { error, complaint } = problem;
  if (error instanceof PeerGone && noSuchCommand.test(complaint)) {
    return { unsupported: 'this codex has no app-server' };
  }
  throw error instanceof OperatorError ? error : notStarted(problem);
}

export function notStarted({ error, options, ending, complaint }: StartProblem): OperatorError {
  const isMissing = ending.kind === 'not-started';
  const reason = isMissing ? ending.reason : sentence(error, ending, complaint);
  return new OperatorError(
    'agent-not-started',
    `Codex could not be started: ${reason}.`,
    isMissing
      ? `Install it (npm install -g @openai/codex) and log in (codex login), or set "binary" of this agent; check with: ${options.binary} --version`
      : `Check it with: ${options.binary} --version, and the settings of codex (config.toml in its home).`,
  );
}

function sentence(error: unknown, ending: ProcessEnding, complaint: string): string {
  const lines = complaint.split('\n').map((line) => line.trim());
  const complaints = lines.filter(
    (line) => line !== '' && line !== 'Error:' && !/^(?:Stack backtrace|\d+: )/.test(line),
  );
  if (complaints.length > 0) return complaints.slice(0, 2).join(' ').replace(/\.$/, '');
  return error instanceof PeerGone ? describeProcessEnding(ending) : errorText(error);
}
