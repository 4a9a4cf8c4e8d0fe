// Before money is spent: shows what each check says on the base, and warns if none could prove the work.
// At a terminal a person is asked once; the run never waits for the answer.
import { createInterface } from 'node:readline';
import { errorText } from '#base/error-text.ts';
import type { Site } from '#app/site.ts';
import { rememberAcceptReview } from '#config/answers.ts';
import type { Observer } from '#ports/world.ts';
import { preflightLines } from '#views/preflight/preflight.ts';
import { noProofAhead, preflightOfBase, aheadItem } from '#views/preflight/proof-ahead.ts';
import { dropControl } from '#app/controls/controls.ts';
import type { Display } from '#surfaces/cli/render/lines.ts';

export interface ProofAhead extends Observer {
  close(): void;
}

export interface ProofAheadOptions {
  readonly site: Site;
  readonly runId: string;
  readonly display: Display;
  readonly isJson: boolean;
  /** Whether a person is here who was never asked. */
  readonly mayAsk: boolean;
  /** The checks of the goal, before there is a plan: what proves the work is not known yet. */
  readonly isGoal?: boolean;
}

export function watchProofAhead(options: ProofAheadOptions): ProofAhead {
  const { display, isJson, mayAsk, isGoal = false } = options;
  let isListed = false;
  let isPrinted = false;
  let close = (): void => {};
  return {
    onEvents(run, events) {
      const items = isListed ? [] : preflightOfBase(run, isGoal);
      isListed ||= items.length > 0;
      // Once a session of the task has started, an earlier driver has shown it.
      const ahead = isPrinted || isGoal ? null : noProofAhead(run, ({ attempt }) => attempt === 0);
      isPrinted ||= ahead !== null;
      // So has it shown everything that is known before this driver does anything.
      if (events.some(({ type }) => type === 'driver-started')) return;
      // In JSON, each check has its own event.
      if (!isJson && items.length > 0) display.print(preflightLines(items).join('\n'));
      else if (ahead === null) return;
      else if (isJson) display.onNote?.(ahead.join(' '));
      else display.print(preflightLines([aheadItem(ahead)]).join('\n'));
      if (mayAsk && ahead !== null) close = askOnce(options);
    },
    close: () => close(),
  };
}

const question =
  "Accept a reviewer's pass as proof in this repository, now and later? Type y or n and Enter. The run does not wait.";

/** Reads one answer while the run continues. The terminal is not raw, so Ctrl-C is still a signal. */
function askOnce({ site, runId, display }: ProofAheadOptions): () => void {
  display.print(question);
  const lines = createInterface({ input: process.stdin, terminal: false });
  const close = (): void => {
    lines.close();
    process.stdin.pause();
  };
  lines.on('line', (line) => {
    const answer = line.trim().toLowerCase();
    if (answer !== 'y' && answer !== 'n') return;
    close();
    void settle({ site, runId, isAccepted: answer === 'y' }).then(display.print, (error: unknown) =>
      display.print(`The answer could not be saved: ${errorText(error)}`),
    );
  });
  return close;
}

interface ReviewAnswer {
  readonly site: Site;
  readonly runId: string;
  readonly isAccepted: boolean;
}

async function settle({ site, runId, isAccepted }: ReviewAnswer): Promise<string> {
  await rememberAcceptReview(site, isAccepted);
  if (isAccepted) await dropControl(site, runId, { kind: 'accept-review' });
  return isAccepted
    ? `Saved: a reviewer's pass counts as proof here. For one run: --no-accept-review; always: "acceptReview": false in .untildone/config.jsonc`
    : `Saved: a reviewer's pass alone is not proof here. For one run: --accept-review; always: "acceptReview": true in .untildone/config.jsonc`;
}
