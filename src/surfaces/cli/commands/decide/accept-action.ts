// `accept`: a person accepts a changed pinned file. Bound to its content; any later change fails again.
import { homedir } from 'node:os';
import type { Run } from '#kernel/fold/run.ts';
import { isUnsettled, type TamperEntry } from '#kernel/proof/tampering.ts';
import { OperatorError } from '#base/operator-error.ts';
import { refuseFromInside } from '#surfaces/cli/guard.ts';
import { sendControl } from '#surfaces/cli/send-control.ts';
import { pickUnfinished } from '#surfaces/cli/pick/pick-unfinished.ts';

export interface AcceptOptions {
  readonly run?: string;
  readonly why?: string;
  readonly json?: boolean;
}

export async function acceptCommand(path: string, options: AcceptOptions): Promise<number> {
  await refuseFromInside('untildone accept');
  const why = options.why?.trim() ?? '';
  if (why === '')
    throw new OperatorError(
      'no-reason',
      'An acceptance needs a reason. It is recorded in the tamper ledger with your name.',
      `For example: untildone accept ${path} --why "the old test asked for the wrong thing"`,
    );
  const { site, known } = await pickUnfinished(options.run, { command: `accept ${path} --run` });
  const { path: named, content } = openEntry(known.run, path);
  return sendControl(site, known, {
    control: { kind: 'accept', path: named, content, why },
    done: `Accepted: ${named} as it is now. If it changes again, accept it again.`,
    isJson: options.json === true,
  });
}

function openEntry(run: Run, path: string): TamperEntry {
  const open = run.tampering.filter(isUnsettled);
  // The shell expands `~`.
  const home = homedir();
  const short = path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
  const entry = open.findLast((one) => one.path === path || one.path === short);
  if (entry !== undefined) return entry;
  const paths = [...new Set(open.map((one) => one.path))];
  throw new OperatorError(
    'not-tampered',
    `The tamper ledger of the run ${run.id} has no open entry "${path}".`,
    paths.length === 0 ? 'It has no open entries.' : `Open entries: ${paths.join(', ')}.`,
  );
}
