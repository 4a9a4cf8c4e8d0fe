// Shows the menu between two turns of an action loop. No step runs and no lock is held meanwhile.
import { readdir, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Site } from '#app/site.ts';
import { choiceNumber } from '#kernel/actions/action-loop.ts';
import { beganWith } from '#kernel/proof/checkpoint.ts';
import { sessionName } from '#kernel/model/session-name.ts';
import { exitCodeOf, exitCodes } from '#kernel/model/outcome.ts';
import type { Run } from '#kernel/fold/run.ts';
import { OperatorError } from '#base/operator-error.ts';
import { choiceHead } from '#views/actions/choice-screen.ts';
import { loopTask } from '#views/actions/loop-state.ts';
import { suspensionWords } from '#kernel/waiting/suspension.ts';
import { firstSuspension } from '#views/waiting/suspended.ts';
import { choices } from '#views/questions/attention-items.ts';
import { statusText } from '#views/status/status.ts';
import { sendQuietly } from '#surfaces/cli/send-control.ts';
import { createLogReader, readableLine } from '#surfaces/cli/log-files.ts';
import { print } from '#surfaces/cli/output.ts';
import type { MenuResult } from '#surfaces/cli/screen/show-menu.ts';
import { actionOf, choiceControl } from './choice-control.ts';

/** `again`: a choice was sent to the run, which continues here. Otherwise the exit code. */
export async function chooseHere(
  site: Site,
  run: Run,
  { isTemporary = false }: { readonly isTemporary?: boolean } = {},
): Promise<'again' | number> {
  const result = await withWatch(site, run, (signal) => showChoices(site, run, signal));
  switch (result.kind) {
    case 'chosen':
      return send(site, run, result);
    case 'left':
      print(isTemporary ? 'Saved.' : `Saved. Continue with: untildone resume ${run.id}`);
      return exitCodes.parked;
    case 'closed':
      return printClosed(site, run);
  }
}

/** A run that was stopped meanwhile is over; any other continues in another process. */
async function printClosed(site: Site, { id, epoch: shown }: Run): Promise<number> {
  const { loadRun } = await import('#app/site.ts');
  const { outcome, epoch } = (await loadRun(site, id)).run;
  const next =
    epoch === shown ? `Continue with: untildone resume ${id}` : `Follow it: untildone logs -f ${id}`;
  print(outcome === null ? next : `See what it left: untildone show ${id}`);
  return outcome === null ? exitCodes.parked : exitCodeOf(outcome);
}

async function showChoices(site: Site, run: Run, signal: AbortSignal): Promise<MenuResult> {
  const { showMenu } = await import('#surfaces/cli/screen/show-menu.ts');
  return showMenu({
    input: process.stdin,
    output: process.stdout,
    head: (columns) => choiceHead(run, columns),
    choices: choices.map(({ name, description }) => ({
      key: keys[name] ?? name.charAt(0),
      name,
      description,
      takesText: name === 'develop' || name === 'debug',
    })),
    exit: { key: 'x', name: 'exit', description: 'save and leave' },
    asides: [
      { key: 's', name: 'status', show: async () => statusText(run, { holder: null }) },
      { key: 'i', name: 'diff', show: () => diffOf(site, run) },
      { key: 'l', name: 'log', show: () => lastSessionLines(site, run) },
    ],
    signal,
    isColoured: process.env['NO_COLOR'] === undefined || process.env['NO_COLOR'] === '',
  });
}

const keys: { readonly [name: string]: string } = {
  develop: 'd',
  debug: 'b',
  validate: 'v',
  complete: 'c',
};

async function send(
  site: Site,
  run: Run,
  { name, text }: { readonly name: string; readonly text: string | null },
): Promise<'again' | number> {
  const { loadKnown } = await import('#surfaces/cli/open-here.ts');
  const known = await loadKnown(site, run.id);
  try {
    const words = text === null ? {} : { text };
    // For the turn that this menu showed: another terminal may have continued since.
    await sendQuietly(site, known, choiceControl(run, actionOf(name), { words, isDriven: false }));
    return 'again';
  } catch (error) {
    // Another terminal was faster: the choice is made, and this one only shows it.
    if (!(error instanceof OperatorError)) throw error;
    print(`${error.message}\n${error.hint}`);
    return exitCodes.parked;
  }
}

async function diffOf(site: Site, run: Run): Promise<string> {
  const task = loopTask(run);
  const from = task === null ? null : beganWith(run, task);
  const to = task?.workTree ?? null;
  if (from === null || to === null || from === to) return 'No file has changed yet.';
  const { readTreeDiff } = await import('#app/site.ts');
  const { stat: lines, patch } = await readTreeDiff(site, from, to);
  return `${lines}\n\n${patch}`;
}

/** One or two screens. */
const linesShown = 40;

/** The agent's text in the last session. */
async function lastSessionLines(site: Site, run: Run): Promise<string> {
  const last = run.sessions.at(-1);
  if (last === undefined) return 'No session has ended yet.';
  const { runFiles } = await import('#app/site.ts');
  const reader = createLogReader(runFiles(site, run.id).logsDir, sessionName(last));
  const lines: string[] = [];
  await reader.readNew(({ text }) => {
    const line = readableLine(text);
    if (line !== null) lines.push(...line.split('\n'));
    if (lines.length > linesShown * 2) lines.splice(0, lines.length - linesShown);
  });
  return lines.slice(-linesShown).join('\n');
}

/** How often the journal is read while the menu waits. */
const watchMs = 300;

/** Closes the menu if the choice is made elsewhere: in another terminal, by a stop, or by a new driver. */
async function withWatch(
  site: Site,
  run: Run,
  show: (signal: AbortSignal) => Promise<MenuResult>,
): Promise<MenuResult> {
  const abort = new AbortController();
  const done = new AbortController();
  const watching = watch(site, run, abort, done.signal);
  try {
    return await show(abort.signal);
  } finally {
    done.abort();
    await watching;
  }
}

async function watch(site: Site, run: Run, abort: AbortController, done: AbortSignal): Promise<void> {
  const { loadRun, runPathsOf } = await import('#app/site.ts');
  const { journal: file, inbox } = runPathsOf(site, run.id);
  const sizeNow = (): Promise<number> =>
    stat(file).then(
      ({ size }) => size,
      () => -1,
    );
  let knownSize = await sizeNow();
  let pollsLeft = pollsAfterTaken;
  while (!done.aborted && !abort.signal.aborted) {
    await sleep(watchMs, undefined, { signal: done }).catch(() => {});
    const size = await sizeNow();
    const isAnyAsked = (await readdir(inbox).catch(() => [])).length > 0;
    if (done.aborted || (size === knownSize && pollsLeft === pollsAfterTaken && !isAnyAsked)) continue;
    knownSize = size;
    const now = await loadRun(site, run.id).then(
      ({ run: read }) => read,
      () => null,
    );
    const why = (now === null ? null : whyClosed(run, now)) ?? (isAnyAsked ? isAsked : null);
    // Another process takes the run before it records why: a stop or a pause is the better reason.
    if ((why === isTaken || why === isAsked) && pollsLeft > 0) pollsLeft -= 1;
    else if (why !== null) abort.abort(why);
  }
}

/** A pause or a message waits for the next driver. */
const isAsked = 'Another command sent a request; the run handles it when it continues.';

const pollsAfterTaken = 5;
const isTaken = 'Another process drives the run now.';

/** In one sentence; null while the same choice is open. */
function whyClosed(before: Run, now: Run): string | null {
  const was = loopTask(before);
  const is = loopTask(now);
  if (now.outcome !== null) return `The run has ended: ${now.outcome.outcome}.`;
  if (is === null || was === null) return null;
  if (is.actions.chosen !== null) return `${is.actions.chosen.by} chose ${is.actions.chosen.action}.`;
  if (choiceNumber(is.actions) !== choiceNumber(was.actions)) return 'The run continued in another terminal.';
  if (now.stopping !== null) return `The run is being stopped: ${now.stopping.why}.`;
  if (now.paused !== null && before.paused === null) return `The run was paused by ${now.paused.by}.`;
  const suspension = firstSuspension(now);
  if (suspension !== null && firstSuspension(before) === null)
    return `The run was suspended by ${suspension.by}: ${suspensionWords(suspension)}.`;
  return now.epoch === before.epoch ? null : isTaken;
}
