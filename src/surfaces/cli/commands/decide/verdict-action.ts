// `approve` and `reject`: a person's verdict on the work as they saw it.
import type { Site } from '#app/site.ts';
import { OperatorError } from '#base/operator-error.ts';
import { approveRun, isApprovable, pickApproval } from './approve-run.ts';
import { refuseFromInside } from '#surfaces/cli/guard.ts';
import { sendControl } from '#surfaces/cli/send-control.ts';
import { type AttentionName, pickVerdict } from '#surfaces/cli/pick/pick-attention-item.ts';
import { pickRun } from '#surfaces/cli/pick/pick-run.ts';
import { refuseFinished } from '#surfaces/cli/pick/pick-unfinished.ts';
import { type KnownRun, openHere } from '#surfaces/cli/open-here.ts';

export interface VerdictOptions extends AttentionName {
  readonly why?: string;
  readonly json?: boolean;
}

const takenBack = ' Your earlier decision is withdrawn; it had not taken effect.';

interface PlanVerdict {
  readonly site: Site;
  readonly known: KnownRun;
  readonly why: string;
  readonly isJson: boolean;
}

/** A plan is judged before there is any work. */
function onPlan(kind: 'approve' | 'reject', { site, known, why, isJson }: PlanVerdict): Promise<number> {
  const { item, isTakenBack } = pickVerdict(known.run, 'plan', { word: kind });
  const { version } = item;
  return sendControl(site, known, {
    control: kind === 'approve' ? { kind: 'approve-plan', version } : { kind: 'reject-plan', version, why },
    done: `${kind === 'approve' ? 'Approved' : 'Rejected'}: plan ${version}.${isTakenBack ? takenBack : ''}`,
    isJson,
  });
}

export async function verdictCommand(
  kind: 'approve' | 'reject',
  name: string | undefined,
  options: VerdictOptions,
): Promise<number> {
  await refuseFromInside(`untildone ${kind}`);
  const why = options.why?.trim() ?? '';
  if (kind === 'reject' && why === '')
    throw new OperatorError(
      'no-reason',
      'A rejection needs a reason. The next attempt gets it.',
      'For example: untildone reject --why "the button is missing on small screens"',
    );
  const site = await openHere();
  const isWhole = kind === 'approve' && options.criterion === undefined;
  const known =
    isWhole && name === undefined ? await pickApproval(site) : await pickRun(site, name, { command: kind });
  if (isWhole && isApprovable(known))
    return approveRun(site, known, { tree: options.tree, isJson: options.json === true });
  await refuseFinished(site, known.run);
  if (known.run.plan.proposal !== null && options.criterion === undefined)
    return onPlan(kind, { site, known, why, isJson: options.json === true });
  const { item, isTakenBack } = pickVerdict(known.run, 'verdict', { ...options, word: kind });
  const { taskId, criterionId, tree } = item;
  const about = { taskId, criterionId, tree };
  const word = kind === 'approve' ? 'Approved' : 'Rejected';
  return sendControl(site, known, {
    control: kind === 'approve' ? { kind, ...about } : { kind, ...about, why },
    done: `${word}: ${criterionId} of task ${taskId}, on tree ${tree.slice(0, 10)}.${isTakenBack ? takenBack : ''}`,
    isJson: options.json === true,
  });
}
