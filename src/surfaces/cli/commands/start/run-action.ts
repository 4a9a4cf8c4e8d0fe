import type { RunFlags } from '#config/setting-table.ts';
import type { ResolvedRun } from '#config/resolve/resolve-run.ts';
import { ask } from '#surfaces/cli/ask.ts';
import { dryRunHere, refuseBesideDryRun } from '#surfaces/cli/drive/dry-run-here.ts';
import { findOrCreate } from '#surfaces/cli/drive/create-here.ts';
import { canShowMenu } from '#surfaces/cli/screen/can-show-menu.ts';
import { isInteractive } from '#surfaces/cli/output.ts';
import { keepSmall } from '#surfaces/cli/drive/keep-small.ts';
import { resolveAsking } from '#surfaces/cli/drive/resolve-asking.ts';
import { resumeHere } from '#surfaces/cli/drive/resume-run.ts';
import { changedInputs, differences, judgeStart, notResumed, type Start } from '#app/run/same-run.ts';
import { openHere, runsAtStart } from '#surfaces/cli/open-here.ts';
import { driveCreated, startHere } from '#surfaces/cli/drive/start-here.ts';

export interface RunOptions extends RunFlags {
  readonly json?: boolean;
  readonly new?: boolean;
  readonly resume?: boolean;
  readonly sanityCheck?: boolean;
  readonly dryRun?: boolean;
  /** A file with a plan. */
  readonly plan?: string;
}

export async function runCommand(goal: string | undefined, options: RunOptions): Promise<number> {
  // Before the start itself fills the memory: what V8 has taken by then, it keeps.
  keepSmall();
  const isJson = options.json === true;
  if (options.dryRun === true) refuseBesideDryRun(options);
  if (options.sanityCheck === true) {
    const { sanityRun } = await import('#surfaces/cli/sanity/sanity-run.ts');
    return sanityRun(options, isJson);
  }
  const site = await openHere();
  if (options.plan !== undefined) {
    const { runPlanned } = await import('#surfaces/cli/drive/run-planned.ts');
    return runPlanned(site, options.plan, goal, options);
  }
  const request = { goal, flags: options, sanityCheck: false, isTerminal: !isJson && canShowMenu() };
  const resolved = await resolveAsking(site, request, !isJson && isInteractive());
  if (options.dryRun === true) return dryRunHere(site, resolved, isJson);
  const wish = { isNew: options.new === true, isResume: options.resume === true };
  const find = async (): Promise<Start> => judgeStart(await runsAtStart(site), resolved.config, wish);
  const found = await findOrCreate(site, resolved, find);
  // Asked without the lock: other processes need not wait for a person's answer.
  const start =
    found.kind === 'changed' || found.kind === 'not-resumed' ? await settle(found, resolved, isJson) : found;
  switch (start.kind) {
    case 'resume':
      return resumeHere(site, start.known, { isJson, budget: options.budget ?? [] });
    case 'created':
      return driveCreated(site, start.created, isJson);
    case 'new':
      return startHere(site, resolved, isJson);
  }
}

type Open = Extract<Start, { kind: 'changed' | 'not-resumed' }>;

/** A person decides: a prompt in a terminal, an error elsewhere. */
async function settle(open: Open, { config }: ResolvedRun, isJson: boolean): Promise<Exclude<Start, Open>> {
  const { kind, known } = open;
  const refusal = kind === 'changed' ? changedInputs(known, config) : notResumed(known);
  const isRefused = kind === 'not-resumed' && open.isRefused;
  if (isRefused || isJson || !isInteractive()) throw refusal;
  const { run } = known;
  const other = kind === 'changed' ? ` but other inputs (${differences(run.config, config).join(', ')})` : '';
  const answer = await ask(
    `The unfinished run ${run.id} has this goal${other}. Resume it as it was, or start a new one?`,
    ['r', 'n', 'q'],
  );
  if (answer === 'q') throw refusal;
  return answer === 'r' ? { kind: 'resume', known } : { kind: 'new' };
}
