// Picks the open question that a person means: the named one, else the only one.
import type { Run } from '#kernel/fold/run.ts';
import { OperatorError } from '#base/operator-error.ts';
import { commandsOf, type AttentionItem, attentionItems } from '#views/questions/attention-items.ts';
import { answeredLines } from '#views/questions/said.ts';
import { type AnsweredItem, answeredItems } from '#views/questions/taken-back.ts';

export interface AttentionName {
  readonly task?: string;
  readonly criterion?: string;
  readonly question?: string;
  /** The beginning of the hash of the tree that the person reviewed. */
  readonly tree?: string;
}

export function pickAttentionItem<K extends AttentionItem['kind']>(
  run: Run,
  kind: K,
  name: AttentionName,
): AttentionItem & { readonly kind: K } {
  const all = attentionItems(run).filter(
    (one): one is AttentionItem & { readonly kind: K } => one.kind === kind,
  );
  const matching = all.filter((one) => fits(one, name));
  const [only, ...others] = matching;
  if (only === undefined) throw noSuchItem(run, kind, all);
  if (others.length > 0)
    throw new OperatorError(
      'several-questions',
      `Run ${run.id} has several open questions. Choose one.`,
      matching.map((one) => commandsOf(run, one)[0] ?? '').join(' · '),
    );
  refuseOtherWork(run, only, name.tree);
  return only;
}

/** The open question; else an earlier opposite answer to it that has no effect yet. */
export function pickVerdict<K extends 'verdict' | 'plan'>(
  run: Run,
  kind: K,
  { word, ...name }: AttentionName & { readonly word: 'approve' | 'reject' },
): { readonly item: AttentionItem & { readonly kind: K }; readonly isTakenBack: boolean } {
  const isAsked = attentionItems(run).some((one) => one.kind === kind && fits(one, name));
  const answered = answeredItems(run).filter((one) => one.item.kind === kind && fits(one.item, name));
  const other = answered
    .filter((one) => one.word !== word)
    .map(({ item }) => item as AttentionItem & { kind: K });
  const [only, ...others] = other;
  const [same] = answered;
  if (!isAsked && only === undefined && same !== undefined) throw alreadyAnswered(run, same);
  if (isAsked || only === undefined || others.length > 0)
    return { item: pickAttentionItem(run, kind, name), isTakenBack: false };
  refuseOtherWork(run, only, name.tree);
  return { item: only, isTakenBack: true };
}

function alreadyAnswered(run: Run, { item, word }: AnsweredItem): OperatorError {
  const what = item.kind === 'plan' ? `Plan ${item.version}` : `${item.criterionId} of task ${item.taskId}`;
  const other = word === 'approve' ? `reject ${run.id} --why "…"` : `approve ${run.id}`;
  return new OperatorError(
    'said-already',
    `${what} is ${word === 'approve' ? 'approved' : 'rejected'} already; the next driver applies it.`,
    `Continue with: untildone resume ${run.id}. Or withdraw it: untildone ${other}`,
  );
}

function refuseOtherWork(run: Run, item: AttentionItem, tree: string | undefined): void {
  if (
    (item.kind !== 'verdict' && item.kind !== 'tampering') ||
    tree === undefined ||
    item.tree.startsWith(tree)
  )
    return;
  throw new OperatorError(
    'work-has-changed',
    `The work has changed: it is tree ${item.tree.slice(0, 10)} now, not ${tree}.`,
    `Review it again: untildone status ${run.id}`,
  );
}

function fits(item: AttentionItem, { task, criterion, question }: AttentionName): boolean {
  if (task !== undefined && item.taskId !== task) return false;
  if (item.kind === 'question') return question === undefined || item.questionId === question;
  return criterion === undefined || (item.kind === 'verdict' && item.criterionId === criterion);
}

function noSuchItem(run: Run, kind: AttentionItem['kind'], open: readonly AttentionItem[]): OperatorError {
  const [answered] = answeredLines(run);
  if (open.length === 0 && answered !== undefined)
    return new OperatorError(
      'said-already',
      `Nothing is left to decide in run ${run.id}. ${answered.replace(/\. It takes effect with: .*$/, '')}.`,
      `It takes effect with: untildone resume ${run.id}`,
    );
  const what = kind === 'question' ? 'No such question' : 'Nothing like that';
  return new OperatorError(
    'nothing-to-decide',
    `${what} waits for a person in the run ${run.id}.`,
    open.length === 0
      ? `See its state: untildone status ${run.id}`
      : open.map((one) => commandsOf(run, one)[0] ?? '').join(' · '),
  );
}
