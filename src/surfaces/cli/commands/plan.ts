// `plan`: have one made, look at it, put another one in its place.
import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { PlanFile } from '#compose/import-plan.ts';
import type { Site } from '#compose/site.ts';
import { assert } from '#kernel/assert.ts';
import type { Run } from '#kernel/run.ts';
import { OperatorError } from '#ports/operator-error.ts';
import { dryRunHere } from '#surfaces/cli/dry-run-here.ts';
import { findOrCreate } from '#surfaces/cli/find-or-create.ts';
import { refuseFromInside } from '#surfaces/cli/guard.ts';
import { handControl } from '#surfaces/cli/hand-control.ts';
import { isInteractive, print, printJson, printNote } from '#surfaces/cli/output.ts';
import { pickRun } from '#surfaces/cli/pick-run.ts';
import { refuseFinished } from '#surfaces/cli/refuse-finished.ts';
import { resolveAsking } from '#surfaces/cli/resolve-asking.ts';
import type { Start } from '#compose/run/same-run.ts';
import { judgeStart } from '#compose/run/same-run.ts';
import type { KnownRun } from '#surfaces/cli/site.ts';
import { openHere, unfinishedRuns } from '#surfaces/cli/site.ts';
import { driveCreated } from '#surfaces/cli/start-here.ts';
import { refuseUnwritable, writeOutput } from '#surfaces/cli/write-output.ts';
import { resumeCommand } from '#views/again.ts';
import { saidLines } from '#views/said.ts';
import { planJson, planMermaid, planOf, planText } from '#views/plan.ts';
import type { RunOptions } from './run.ts';
import { runCommand } from './run.ts';

export interface PlanOptions extends RunOptions {
  readonly run?: string;
  readonly out?: string;
  readonly mermaid?: boolean;
  readonly replace?: string;
  readonly again?: string;
}

const preset = 'campaign';

export async function planCommand(goal: string | undefined, options: PlanOptions): Promise<number> {
  const { out, replace, again } = options;
  if (replace !== undefined) return replacePlan(replace, options);
  if (again !== undefined) return thinkAgain(again, options);
  if (goal === undefined) return showPlan(options);
  if (out !== undefined) await refuseUnwritable(out);
  const code = await runCommand(goal, { ...options, preset });
  if (out !== undefined && options.dryRun !== true) await writePlan(await pickNewest(options), out);
  return code;
}

async function showPlan(options: PlanOptions): Promise<number> {
  const known = await pickNewest(options);
  const { run } = known;
  if (run.config.policy.planning === undefined)
    throw new OperatorError(
      'no-plan',
      `The run ${run.id} has no plan: it is of the preset ${run.config.preset}.`,
      'Have one made: untildone plan "…" --agent claude',
    );
  if (options.out !== undefined) await writePlan(known, options.out);
  if (options.json === true) printJson(planJson(run));
  else if (options.mermaid === true) print(planMermaid(planOf(run)));
  else print([planText(planOf(run)), ...saidLines(run).map((line) => `\n${line}`)].join('\n'));
  return 0;
}

async function pickNewest({ run }: PlanOptions): Promise<KnownRun> {
  return pickRun(await openHere(), run, { command: 'plan --run', orNewest: true });
}

async function writePlan({ run }: KnownRun, file: string): Promise<void> {
  await writeOutput(file, `${JSON.stringify(planJson(run), null, 2)}\n`);
}

async function replacePlan(name: string, options: PlanOptions): Promise<number> {
  await refuseFromInside('untildone plan --replace');
  const site = await openHere();
  const known = await pickRun(site, options.run, { command: 'plan --replace FILE --run', orNewest: true });
  await refuseCompleted(site, known.run);
  const { importPlan, planNotes } = await import('#compose/import-plan.ts');
  const file = await readPlanFile(site, name);
  const {
    tasks,
    dropped,
    reasons = [],
    notes,
  } = await importPlan(site, known.run.config, file, {
    run: known.run,
  });
  const why = notes[0] ?? `the plan of ${file.name}`;
  for (const note of planNotes(tasks)) printNote(`note: ${note}`);
  return handControl(site, known, {
    control: { kind: 'change-plan', tasks, dropped, reasons, why },
    done: `Plan ${known.run.plan.proposed + 1}, ${tasks.length} tasks: it is in force as soon as no task is under way.${openedAgain(known.run)}`,
    goOn: resumeCommand(known.run),
    isJson: options.json === true,
  });
}

async function thinkAgain(why: string, options: PlanOptions): Promise<number> {
  await refuseFromInside('untildone plan --again');
  const site = await openHere();
  const known = await pickRun(site, options.run, { command: 'plan --again "…" --run', orNewest: true });
  await refuseCompleted(site, known.run);
  return handControl(site, known, {
    control: { kind: 'replan', why },
    done: `A new plan is asked for.${openedAgain(known.run)}`,
    goOn: resumeCommand(known.run),
    isJson: options.json === true,
  });
}

function refuseOtherPreset(options: RunOptions): void {
  if (options.preset === undefined || options.preset === preset) return;
  throw new OperatorError(
    'usage',
    `A plan is worked off by the preset ${preset}, not by ${options.preset}.`,
    'Leave --preset out.',
  );
}

/** A goal that was reached needs no other plan; any other end can be taken back with one. */
async function refuseCompleted(site: Site, run: Run): Promise<void> {
  if (run.outcome?.outcome === 'completed' || run.config.policy.planning === undefined)
    await refuseFinished(site, run);
}

function openedAgain({ outcome }: Run): string {
  return outcome === null ? '' : ` The run was ${outcome.outcome}, and goes on.`;
}

/** A run by a plan that a person brought: nobody is asked for another one unless a task fails. */
export async function runPlanned(
  site: Site,
  name: string,
  goal: string | undefined,
  options: RunOptions,
): Promise<number> {
  refuseOtherPreset(options);
  const isJson = options.json === true;
  const { agentsInPlan, goalOfPlan, importPlan, planNotes } = await import('#compose/import-plan.ts');
  const file = await readPlanFile(site, name);
  const flags = { ...options, preset };
  const wanted = goal ?? goalOfPlan(file) ?? `the plan of ${file.name}`;
  const request = { goal: wanted, flags, sanityCheck: false, planned: agentsInPlan(file) };
  const resolved = await resolveAsking(site, request, !isJson && isInteractive());
  const { tasks, dropped, notes } = await importPlan(site, resolved.config, file, {
    agents: resolved.agentsOfTasks,
  });
  const why = notes[0] ?? `the plan of ${file.name}`;
  const { whoAsks } = await import('#compose/controls.ts');
  const plan = { version: 1, tasks, dropped, why, by: whoAsks() };
  const planned = { ...resolved, plan, notes: [...resolved.notes, ...planNotes(tasks)] };
  if (options.dryRun === true) return dryRunHere(site, planned, isJson);
  const wish = { isNew: options.new === true, isResume: false };
  // A plan that a person brings begins a new run; only beside a live one of the same goal it does not.
  const find = async (): Promise<Start> => {
    judgeStart(await unfinishedRuns(site), resolved.config, wish);
    return { kind: 'new' };
  };
  const found = await findOrCreate(site, planned, find);
  assert(found.kind === 'created', 'a run by a plan of its own is created');
  return driveCreated(site, found.created, isJson);
}

async function readPlanFile(site: Site, name: string): Promise<PlanFile> {
  const path = resolve(site.cwd, name);
  try {
    return { name: basename(path), text: await readFile(path, 'utf8') };
  } catch {
    throw new OperatorError(
      'no-plan-file',
      `The plan ${name} cannot be read.`,
      'Give the path of a JSON file; `untildone plan --json` prints the plan of a run.',
    );
  }
}
