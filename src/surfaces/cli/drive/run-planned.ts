// `run --plan FILE`: starts a run with a person's plan.
import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { PlanFile } from '#app/plan/import-plan.ts';
import { judgeStart, type Start } from '#app/run/same-run.ts';
import type { Site } from '#app/site.ts';
import { assert } from '#base/assert.ts';
import { OperatorError } from '#base/operator-error.ts';
import type { RunOptions } from '#surfaces/cli/commands/start/run-action.ts';
import { isInteractive } from '#surfaces/cli/output.ts';
import { runsAtStart } from '#surfaces/cli/open-here.ts';
import { dryRunHere } from './dry-run-here.ts';
import { findOrCreate } from './create-here.ts';
import { resolveAsking } from './resolve-asking.ts';
import { driveCreated } from './start-here.ts';

/** The preset that works by a plan. */
export const planPreset = 'campaign';

/** Starts a run with a person's plan: no other plan is requested unless a task fails. */
export async function runPlanned(
  site: Site,
  name: string,
  goal: string | undefined,
  options: RunOptions,
): Promise<number> {
  refuseOtherPreset(options);
  const isJson = options.json === true;
  const { agentsInPlan, goalOfPlan, importPlan, planNotes } = await import('#app/plan/import-plan.ts');
  const file = await readPlanFile(site, name);
  const flags = { ...options, preset: planPreset };
  const wanted = goal ?? goalOfPlan(file) ?? `the plan of ${file.name}`;
  const request = { goal: wanted, flags, sanityCheck: false, planned: agentsInPlan(file) };
  const resolved = await resolveAsking(site, request, !isJson && isInteractive());
  const { tasks, dropped, notes } = await importPlan(site, resolved.config, file, {
    agents: resolved.agentsOfTasks,
  });
  const why = notes[0] ?? `the plan of ${file.name}`;
  const { whoAsks } = await import('#app/controls/controls.ts');
  const plan = { version: 1, tasks, dropped, why, by: whoAsks() };
  const planned = { ...resolved, plan, notes: [...resolved.notes, ...planNotes(tasks)] };
  if (options.dryRun === true) return dryRunHere(site, planned, isJson);
  const wish = { isNew: options.new === true, isResume: false };
  // A person's plan starts a new run, unless a run of the same goal is live.
  const find = async (): Promise<Start> => {
    judgeStart(await runsAtStart(site), resolved.config, wish);
    return { kind: 'new' };
  };
  const found = await findOrCreate(site, planned, find);
  assert(found.kind === 'created', 'a run by a plan of its own is created');
  return driveCreated(site, found.created, isJson);
}

function refuseOtherPreset(options: RunOptions): void {
  if (options.preset === undefined || options.preset === planPreset) return;
  throw new OperatorError(
    'usage',
    `--plan needs the preset ${planPreset}, not ${options.preset}.`,
    'Leave out --preset.',
  );
}

export async function readPlanFile(site: Site, name: string): Promise<PlanFile> {
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
