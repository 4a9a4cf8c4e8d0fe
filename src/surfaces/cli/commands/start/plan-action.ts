// `plan`: requests a plan, shows it, or replaces it.
import type { Site } from '#app/site.ts';
import type { Run } from '#kernel/fold/run.ts';
import { OperatorError } from '#base/operator-error.ts';
import { planPreset, readPlanFile } from '#surfaces/cli/drive/run-planned.ts';
import { refuseFromInside } from '#surfaces/cli/guard.ts';
import { sendControl } from '#surfaces/cli/send-control.ts';
import { print, printDocument, printJson, printNote } from '#surfaces/cli/output.ts';
import { pickRun } from '#surfaces/cli/pick/pick-run.ts';
import { refuseFinished } from '#surfaces/cli/pick/pick-unfinished.ts';
import { type KnownRun, openHere } from '#surfaces/cli/open-here.ts';
import { refuseUnwritable, writeOutput } from '#surfaces/cli/write-output.ts';
import { commandToResume } from '#views/status/again.ts';
import { answeredLines } from '#views/questions/said.ts';
import { planJson, planMermaid, planOf, planText } from '#views/plan/plan.ts';
import { runCommand, type RunOptions } from './run-action.ts';

export interface PlanOptions extends RunOptions {
  readonly run?: string;
  readonly out?: string;
  readonly mermaid?: boolean;
  readonly replace?: string;
  readonly again?: string;
}

export async function planCommand(goal: string | undefined, options: PlanOptions): Promise<number> {
  const { out, replace, again } = options;
  if (replace !== undefined) return replacePlan(replace, options);
  if (again !== undefined) return thinkAgain(again, options);
  if (goal === undefined) return showPlan(options);
  if (out !== undefined) await refuseUnwritable(out);
  const code = await runCommand(goal, { ...options, preset: planPreset });
  if (out !== undefined && options.dryRun !== true) await writePlan(await pickNewest(options), out);
  return code;
}

async function showPlan(options: PlanOptions): Promise<number> {
  const known = await pickNewest(options);
  const { run } = known;
  if (run.config.policy.planning === undefined)
    throw new OperatorError(
      'no-plan',
      `Run ${run.id} has no plan: its preset is ${run.config.preset}.`,
      'Make one: untildone plan "…" --agent claude',
    );
  if (options.out !== undefined) await writePlan(known, options.out);
  if (options.json === true) printJson(planJson(run));
  else if (options.mermaid === true) printDocument(planMermaid(planOf(run)));
  else print([planText(planOf(run)), ...answeredLines(run).map((line) => `\n${line}`)].join('\n'));
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
  const { importPlan, planNotes } = await import('#app/plan/import-plan.ts');
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
  return sendControl(site, known, {
    control: { kind: 'change-plan', tasks, dropped, reasons, why },
    done: `Plan ${known.run.plan.proposed + 1}, ${tasks.length} tasks. It takes effect when no task is running.${openedAgain(known.run)}`,
    goOn: commandToResume(known.run),
    isJson: options.json === true,
  });
}

async function thinkAgain(why: string, options: PlanOptions): Promise<number> {
  await refuseFromInside('untildone plan --again');
  const site = await openHere();
  const known = await pickRun(site, options.run, { command: 'plan --again "…" --run', orNewest: true });
  await refuseCompleted(site, known.run);
  return sendControl(site, known, {
    control: { kind: 'replan', why },
    done: `A new plan is requested.${openedAgain(known.run)}`,
    goOn: commandToResume(known.run),
    isJson: options.json === true,
  });
}

/** A completed run needs no other plan; any other end can be reopened with one. */
async function refuseCompleted(site: Site, run: Run): Promise<void> {
  if (run.outcome?.outcome === 'completed' || run.config.policy.planning === undefined)
    await refuseFinished(site, run);
}

function openedAgain({ outcome }: Run): string {
  return outcome === null ? '' : ` The run had ended as ${outcome.outcome} and is open again.`;
}
