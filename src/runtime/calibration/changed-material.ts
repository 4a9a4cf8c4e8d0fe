// Splits the changes between the base of a check and the work into test material and the rest.
import picomatch from 'picomatch';
import { offeringManifests } from '#analysis/ecosystems/setup/setup-files.ts';
import { commandOf } from '#kernel/model/check.ts';
import { isDataBeside } from '#analysis/calibration/read-data.ts';
import {
  isTestFile,
  isTestMaterial,
  type MaterialContext,
  mayBeProduct,
} from '#analysis/tampering/test-material.ts';
import { type Run, taskOf } from '#kernel/fold/run.ts';
import { isAccepted, isAcceptedByReviewer, type TamperEntry } from '#kernel/proof/tampering.ts';
import type { TreeChange, Trees } from '#ports/trees.ts';
import type { Subject } from './bench.ts';
import { readRecipes } from './recipes.ts';

export interface Change {
  readonly path: string;
  readonly status: 'added' | 'changed' | 'deleted';
}

export interface Changes {
  readonly material: readonly Change[];
  /** Material: data that the check read on the base. Only a person knows whether it is the work. */
  readonly readData: readonly Change[];
  /** Material: loads a test library but has no test. Only a person knows whether it is product code. */
  readonly unsure: readonly Change[];
  /** Material: tests that a person allowed to change, unseen. That person is asked. */
  readonly allowed: readonly Change[];
  /** Tests whose change a person saw and accepted: neither material nor product. */
  readonly accepted: readonly Change[];
  readonly rest: readonly Change[];
}

export interface Span {
  readonly trees: Trees;
  readonly baseTree: string;
  readonly workTree: string;
}

/** `reads`: files that the check read on the base; null if unknown. */
export async function changesOf(
  subject: Subject,
  span: Span,
  reads: readonly string[] | null,
): Promise<Changes> {
  const { trees, baseTree, workTree } = span;
  const all = await differences(span);
  const roots = new Set([...(await trees.list(baseTree)).keys()].map((path) => path.split('/')[0]));
  const paths = all.map(({ path }) => path);
  const [before, after] = [await trees.read(baseTree, paths), await trees.read(workTree, paths)];
  const command = commandOf(subject.criterion.check);
  const commands =
    command === null ? [] : [command.run, ...(await readRecipes(subject, trees, baseTree)).scripts];
  const manifests = await trees.read(baseTree, offeringManifests);
  const { isAccepted, mayChange } = allowances(subject.context.run);
  const isInRoot = (name: string): boolean => roots.has(name);
  const context = { goal: goalOf(subject), commands, manifests, isInRoot, isAccepted, mayChange };
  const textsOf = ({ path }: Change) => ({
    path,
    before: before.get(path) ?? null,
    after: after.get(path) ?? null,
  });
  const known = all.filter((one) => isTestMaterial(textsOf(one), context));
  const unsure = known.filter((one) => mayBeProduct(textsOf(one)));
  const isRead = new Set(reads);
  const isFree = (path: string): boolean => isAccepted(path) || mayChange(path);
  const readData = all.filter(
    ({ path }) => isRead.has(path) && isDataBeside(context.goal, path) && !isFree(path),
  );
  const isMaterial = new Set([...known, ...readData]);
  const material = all.filter((one) => isMaterial.has(one));
  const allowed = material.filter(({ path }) => mayChange(path));
  const free = all.filter((one) => !isMaterial.has(one));
  const accepted = free.filter((one) => isFree(one.path) && isTestFile(textsOf(one)));
  const rest = free.filter((one) => !accepted.includes(one));
  return { material, readData, unsure, allowed, accepted, rest };
}

/** Changes of this check's task. Tests accepted by a person count as material: they can be added tests. */
export async function ownChanges(subject: Subject, span: Span, changes: Changes): Promise<Changes> {
  const { tasks } = subject.context.run;
  const task = taskOf(subject.context.run, subject.taskId);
  const { workTree } = task;
  const { tree: baseTree } = task.start;
  const isWhole = tasks.size <= 1 || baseTree === null || workTree === null;
  const own = isWhole
    ? null
    : new Set((await differences({ ...span, baseTree, workTree })).map(({ path }) => path));
  const of = (some: readonly Change[]): Change[] => some.filter(({ path }) => own?.has(path) ?? true);
  return {
    ...changes,
    material: of([...changes.material, ...changes.accepted]),
    accepted: [],
    rest: of(changes.rest),
  };
}

export async function differences({ trees, baseTree, workTree }: Span): Promise<Change[]> {
  const [before, after] = [await trees.list(baseTree), await trees.list(workTree)];
  const gone = [...before.keys()].filter((path) => !after.has(path));
  const now = [...after].flatMap(([path, entry]): Change[] => {
    const old = before.get(path);
    if (old === entry) return [];
    return [{ path, status: old === undefined ? 'added' : 'changed' }];
  });
  return [...now, ...gone.map((path): Change => ({ path, status: 'deleted' }))];
}

/** Changes that give these paths the content of another tree. */
export function taking(paths: readonly Change[], asIn: string): TreeChange[] {
  return paths.map(({ path }) => ({ path, asIn }));
}

export function goalOf({ context, taskId, criterion }: Subject): string {
  const { spec } = taskOf(context.run, taskId);
  // The text of a criterion often quotes its command, whose words are not part of the goal.
  const text = criterion.text.replaceAll(commandOf(criterion.check)?.run ?? '\n', '');
  return [context.run.config.goal, spec.title, spec.description, text, ...spec.files].join('\n');
}

/** Changes that a person allowed or accepted. A reviewer's acceptance counts only as allowed. */
function allowances(run: Run): Pick<MaterialContext, 'isAccepted' | 'mayChange'> {
  const globs = [...run.config.mayChange];
  for (const task of run.tasks.values()) globs.push(...task.spec.mayChange);
  const matches = globs.length === 0 ? () => false : picomatch(globs, { dot: true });
  const taken = run.tampering.filter(({ state }) => state === 'accepted');
  const pathsOf = (entries: readonly TamperEntry[]): string[] =>
    entries.map(({ path }) => path.split('#')[0] ?? path);
  const reviewed = new Set(pathsOf(taken.filter((entry) => isAcceptedByReviewer(run, entry))));
  const accepted = new Set([...pathsOf(taken), ...acceptedRenames(run)]);
  return {
    isAccepted: (path) => accepted.has(path) && !reviewed.has(path),
    mayChange: (path) => matches(path) || globs.includes(path) || reviewed.has(path),
  };
}

/** A person who accepted a rename accepted the new name too. */
function acceptedRenames(run: Run): string[] {
  const broken = [...run.tasks.values()].flatMap(({ inspection }) => inspection.checked?.brokenPins ?? []);
  return broken.filter((pin) => isAccepted(run, pin)).flatMap(({ renamedTo }) => renamedTo?.path ?? []);
}
