// Classifies a failed attempt by its checks. The kind decides which agent tries next and when to replan.
import { type Evidence, isByMachine } from '#kernel/model/criterion.ts';
import { isRequired } from '#kernel/proof/proof.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import type { FailureKind } from '#kernel/events/failure-trace.ts';

export function failureKind(run: Run, task: TaskState, tree: string | null): FailureKind {
  // Judged by the files, never by what the agent said.
  if (tree === null || tree === task.base?.tree) return 'strategic';
  const evidence = requiredEvidenceOn(run, task, tree);
  const red = evidence.filter(({ verdict }) => verdict !== 'pass');
  if (red.length === 0) return 'logic';
  if (red.every(({ tail }) => isSlip(tail))) return 'syntax';
  return red.every(({ criterionId }) => wasGreen(task, criterionId)) ? 'integration' : 'logic';
}

/** The evidence of the required checks on this tree, passed and failed. */
export function requiredEvidenceOn(run: Run, task: TaskState, tree: string | null): Evidence[] {
  return task.spec.criteria.flatMap((criterion) => {
    const evidence = task.evidence.get(criterion.id)?.attempt;
    const isOurs = isByMachine(criterion) && isRequired(run, task, criterion);
    return isOurs && evidence?.tree === tree ? [evidence] : [];
  });
}

/** Green before the work began, or landed green and made red again by other work. */
function wasGreen(task: TaskState, criterionId: string): boolean {
  if (task.commit !== null) return true;
  return task.evidence.get(criterionId)?.base?.verdict === 'pass';
}

/** How compilers, interpreters and linkers reject code before it runs. */
const slips =
  /\b(SyntaxError|IndentationError|TabError|ParseError|parse error|syntax error|Unexpected token|Unterminated string|error TS1\d{3}\b|error\[E0\d{3}\]: expected|expected (?:expression|identifier|';')|undefined: \w+|Cannot find module|ModuleNotFoundError|cannot find symbol|class, interface, enum, or record expected|ERR_MODULE_NOT_FOUND)\b|\berror: expected\b/i;

function isSlip(output: string): boolean {
  return slips.test(output);
}
