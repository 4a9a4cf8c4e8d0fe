// Changes criteria for a person, and proposes changes for an agent.
import { commandOf } from '#kernel/model/check.ts';
import type { CriteriaChange, Criterion } from '#kernel/model/criterion.ts';
import { isNarrowing } from '#kernel/fold/criteria-change.ts';
import { whyNotChanged } from '#kernel/decide/decide-criteria.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import { OperatorError } from '#base/operator-error.ts';
import { refuseFromInside } from '#surfaces/cli/guard.ts';
import { sendControl } from '#surfaces/cli/send-control.ts';
import { inferLazily } from '#app/run/infer-lazily.ts';
import { print, printJson, printNote } from '#surfaces/cli/output.ts';
import { pickUnfinished } from '#surfaces/cli/pick/pick-unfinished.ts';
import { openHere } from '#surfaces/cli/open-here.ts';
import { describeChange } from '#views/lines/criteria-events.ts';

export interface ChangeOptions {
  readonly json?: boolean;
  readonly run?: string;
  readonly task?: string;
  readonly why?: string;
  readonly id?: string;
  readonly text?: string;
  readonly check?: string;
  /** A person decides the criterion. */
  readonly human?: boolean;
  readonly entry?: boolean;
  /** `--optional` or `--required`. */
  readonly optional?: boolean;
  readonly required?: boolean;
  readonly atAcceptance?: boolean;
  readonly skip?: boolean;
}

export async function addCommand(text: string, options: ChangeOptions): Promise<number> {
  await refuseFromInside(
    'untildone criteria add',
    'An agent may propose one: untildone criteria propose "…"',
  );
  return change(options, async (task, run) => ({
    kind: 'add',
    criterion: await written(run, task, text, options),
  }));
}

export async function editCommand(id: string, options: ChangeOptions): Promise<number> {
  await refuseFromInside('untildone criteria edit');
  refuseEmpty(options);
  return change(options, async (task, run) => {
    const was = named(task, id);
    const text = options.text ?? was.text;
    const isWritten = options.check !== undefined || options.human === true;
    // Another text means something else: the old check says nothing about it.
    const isReworded = text.trim() !== was.text.trim();
    const made = isWritten || isReworded ? await written(run, task, text, { ...options, id: '' }) : was;
    if (isReworded && !isWritten) await explain(was, made);
    const required = options.required === true || (options.optional === true ? false : was.required);
    const when = options.atAcceptance === true ? 'acceptance' : was.when;
    const { check, origin } = made;
    return {
      kind: 'replace',
      criterion: { ...was, text, check, required, when, ...(origin === undefined ? {} : { origin }) },
    };
  });
}

function refuseEmpty({ text, check, human, optional, required, atAcceptance }: ChangeOptions): void {
  if ([text, check].some((one) => one !== undefined && one.trim() !== '')) return;
  if ([human, optional, required, atAcceptance].includes(true)) return;
  throw new OperatorError(
    'nothing-to-change',
    'No change is given.',
    'Give --text, --check, --human, --optional, --required or --at-acceptance.',
  );
}

/** Says what is checked from now on, and how to keep the old check. */
async function explain(was: Criterion, made: Criterion): Promise<void> {
  const { criteriaNotes } = await import('#tasks/criteria/written-criteria.ts');
  for (const note of criteriaNotes([{ ...made, id: was.id }])) printNote(`note: ${note}`);
  const run = commandOf(was.check)?.run;
  if (run !== undefined) printNote(`note: its check was \`${run}\`; give --check to keep or set one`);
}

export async function dropCommand(
  kind: 'remove' | 'skip',
  criterionId: string,
  options: ChangeOptions,
): Promise<number> {
  await refuseFromInside(`untildone criteria ${kind}`);
  return change(options, async (task) => ({ kind, criterionId: named(task, criterionId).id }));
}

/** The one change that is allowed from inside a run, because it decides nothing. */
export async function proposeCommand(text: string, options: ChangeOptions): Promise<number> {
  const { mcpSocketAbove } = await import('#app/controls/inside.ts');
  const socket = mcpSocketAbove(process.env);
  if (socket !== null) return proposeThroughSocket(socket, text, options);
  const { site, known } = await pickUnfinished(options.run, { command: 'criteria … --run' });
  const task = taskOf(known.run, options.task);
  const wanted: CriteriaChange =
    options.skip === true
      ? { kind: 'skip', criterionId: named(task, text).id }
      : { kind: 'add', criterion: await written(known.run, task, text, options) };
  const why = options.why ?? '';
  return sendControl(site, known, {
    control: { kind: 'propose-criterion', taskId: task.spec.id, change: wanted, why },
    done: `Proposed: ${describeChange(wanted)}. A person decides, with: untildone criteria.`,
    isJson: options.json === true,
  });
}

/** In a sandbox the run is not visible; the MCP tools supply what is known. */
async function proposeThroughSocket(
  socket: string,
  text: string,
  { skip, check, why = '', json }: ChangeOptions,
): Promise<number> {
  const { callThroughMcpSocket } = await import('#app/mcp-socket.ts');
  const wanted = skip === true ? { skip: text } : { text, ...(check === undefined ? {} : { check }) };
  const reply = await callThroughMcpSocket(socket, 'propose_criterion', { ...wanted, why });
  if (json === true) printJson({ isApplied: true });
  else print(reply);
  return 0;
}

export async function settleCommand(
  kind: 'accept' | 'reject',
  proposalId: string,
  options: ChangeOptions,
): Promise<number> {
  await refuseFromInside(`untildone criteria ${kind}`);
  const { site, known } = await pickUnfinished(options.run, { command: 'criteria … --run' });
  const open = [...known.run.proposals.values()].filter((one) => one.settled === null).map(({ id }) => id);
  if (!open.includes(proposalId))
    throw new OperatorError(
      'no-proposal',
      `No proposal "${proposalId}" is open in the run ${known.run.id}.`,
      open.length === 0
        ? 'No proposal is open. See all criteria: untildone criteria'
        : `Open proposals: ${open.join(', ')}.`,
    );
  return sendControl(site, known, {
    control: { kind: `${kind}-criterion`, proposalId, why: options.why ?? '' },
    done: `${kind === 'accept' ? 'Accepted' : 'Rejected'} the proposal ${proposalId}.`,
    isJson: options.json === true,
  });
}

async function change(
  options: ChangeOptions,
  make: (task: TaskState, run: Run) => Promise<CriteriaChange>,
): Promise<number> {
  const { site, known } = await pickUnfinished(options.run, { command: 'criteria … --run' });
  const task = taskOf(known.run, options.task);
  const wanted = await make(task, known.run);
  const why = options.why ?? '';
  const id = 'criterion' in wanted ? wanted.criterion.id : wanted.criterionId;
  const was = task.spec.criteria.find((one) => one.id === id) ?? null;
  if (isNarrowing(was, wanted) && why.trim() === '')
    throw new OperatorError(
      'no-reason',
      `This asks for less than ${id} did, so it needs a reason. The outcome of the run shows it.`,
      'Add it: --why "…"',
    );
  const problem = whyNotChanged(known.run, task.spec.id, wanted, why);
  if (problem !== null)
    throw new OperatorError(
      'bad-change',
      `This change is not possible: ${problem}.`,
      'See: untildone criteria',
    );
  return sendControl(site, known, {
    control: { kind: 'change-criteria', taskId: task.spec.id, change: wanted, why },
    done: `Done: ${describeChange(wanted)}.`,
    isJson: options.json === true,
  });
}

async function written(run: Run, task: TaskState, text: string, options: ChangeOptions): Promise<Criterion> {
  if (text.trim() === '')
    throw new OperatorError(
      'bad-criterion',
      'It says nothing.',
      'For example: untildone criteria add "the README names the flag" --check "grep -q -- --fast README.md"',
    );
  const { addedCriteria } = await import('#tasks/added-task.ts');
  const { defaultCheckTimeoutMs } = await import('#tasks/criteria/checks.ts');
  const id = options.id === undefined || options.id === '' ? {} : { id: options.id };
  const [made, ...others] = await addedCriteria(
    run,
    [
      {
        ...id,
        text,
        kind: options.entry === true ? 'entry' : 'exit',
        required: options.optional !== true,
        when: options.atAcceptance === true ? 'acceptance' : 'attempt',
        check: options.human === true ? 'human' : (options.check ?? null),
        from: 'the command line',
      },
    ],
    task.spec.criteria,
    { timeoutMs: defaultCheckTimeoutMs, infer: inferLazily(await openHere())(defaultCheckTimeoutMs) },
  );
  if (made === undefined) throw new OperatorError('bad-criterion', 'It says nothing.', 'Write a sentence.');
  if (others.length > 0)
    throw new OperatorError(
      'several-criteria',
      `It contains ${others.length + 1} statements, which are checked one by one.`,
      'Write one sentence for each, or give one check for all with --check.',
    );
  return made;
}

function taskOf(run: Run, name: string | undefined): TaskState {
  const tasks = [...run.tasks.values()];
  const found = name === undefined && tasks.length === 1 ? tasks[0] : run.tasks.get(name ?? '');
  if (found !== undefined) return found;
  throw new OperatorError(
    'no-task',
    name === undefined ? `The run ${run.id} has several tasks.` : `The run ${run.id} has no task "${name}".`,
    `Add --task with one of ${tasks.map((task) => task.spec.id).join(', ')}.`,
  );
}

function named(task: TaskState, id: string): Criterion {
  const found = task.spec.criteria.find((one) => one.id === id);
  if (found !== undefined) return found;
  throw new OperatorError(
    'no-criterion',
    `Task ${task.spec.id} has no criterion "${id}".`,
    `Its criteria are ${task.spec.criteria.map((one) => one.id).join(', ')}.`,
  );
}
