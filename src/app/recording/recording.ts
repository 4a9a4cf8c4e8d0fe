// Turns the sessions of a run into a script for the `scripted` agent: text, calls, writes, usage, endings.
import { join } from 'node:path';
import { sessionName } from '#kernel/model/session-name.ts';
import type { Event } from '#kernel/events/events.ts';
import type { SessionOperation, SessionResult, Step } from '#kernel/model/step.ts';
import { OperatorError } from '#base/operator-error.ts';
import type { Action } from '#agents/scripted/script.ts';
import { refuseCleaned } from '#app/clean/refuse-cleaned.ts';
import { openStore, runFiles, type Site } from '#app/site.ts';
import { createRedactor } from '#config/redact.ts';
import type { Run } from '#kernel/fold/run.ts';
import { type FileChange, treeChange } from '#adapters/git/trees/tree-change.ts';
import { redactActions } from './redact-actions.ts';
import { actionsOf } from './session-actions.ts';
import { readSessionLog } from './session-log.ts';

export interface Recording {
  readonly turns: readonly RecordedTurn[];
  /** How a replay will differ from the run, in sentences for the user. */
  readonly notes: readonly string[];
}

export interface RecordedTurn {
  readonly role: string;
  /** Names for people; the script is played in order. */
  readonly sessions: readonly string[];
  readonly actions: readonly Action[];
}

/** `wanted`: `builder_002`, `002`, or a role; null for all sessions. */
export async function makeRecording(site: Site, run: Run, wanted: string | null): Promise<Recording> {
  await refuseCleaned(site, run, 'the logs of its sessions were removed, so it cannot be recorded');
  const { events } = await openStore(site).read(run.id);
  const source = { site, logsDir: runFiles(site, run.id).logsDir, prefix: run.config.repo.prefix };
  const redactor = createRedactor(site.env);
  const notes: string[] = [];
  const turns: RecordedTurn[] = [];
  for (const group of chosen(sessionsOf(events, notes), wanted)) {
    const actions: Action[] = [];
    for (const session of group) actions.push(...(await record(session, source, notes)));
    const { actions: clean, count } = redactActions(actions, redactor);
    const names = group.map((session) => session.name);
    if (count > 0) notes.push(`${names.join('+')}: secrets were removed; a replay writes the rest.`);
    turns.push({ role: group[0]?.deed.role ?? '', sessions: names, actions: clean });
  }
  return { turns, notes };
}

interface Source {
  readonly site: Site;
  readonly logsDir: string;
  /** Folder in which the agents worked, relative to the root of the repository. */
  readonly prefix: string;
}

interface Ended {
  readonly name: string;
  readonly step: Step;
  readonly deed: SessionOperation;
  readonly result: SessionResult;
}

/** One turn each; an interrupted session and its continuation are one turn. */
function sessionsOf(events: readonly Event[], notes: string[]): Ended[][] {
  const started = new Map<string, { step: Step; deed: SessionOperation }>();
  const turns: Ended[][] = [];
  for (const event of events) {
    if (event.type === 'step-started' && event.step.deed.kind === 'session') {
      started.set(event.step.stepId, { step: event.step, deed: event.step.deed });
    }
    const begun = 'stepId' in event ? started.get(event.stepId) : undefined;
    if (begun === undefined) continue;
    const name = sessionName(begun.deed);
    if (event.type === 'step-lost') notes.push(`${name} was lost (${event.reason}) and cannot be recorded.`);
    if (event.type !== 'step-ended' || event.result.kind !== 'session') continue;
    if (event.result.notAdmitted === true) continue;
    const ended = { name, ...begun, result: event.result };
    const before = turns.findLast((turn) => turn[0]?.deed.role === ended.deed.role);
    const isContinued = before?.at(-1)?.result.ending.kind === 'interrupted' && ended.deed.resume !== null;
    if (isContinued) before?.push(ended);
    else turns.push([ended]);
  }
  return turns;
}

function chosen(turns: readonly Ended[][], wanted: string | null): readonly Ended[][] {
  const isWanted = ({ name, deed }: Ended): boolean =>
    wanted === null ||
    [name, deed.role].includes(wanted) ||
    (/^\d+$/.test(wanted) && deed.ordinal === Number(wanted));
  const found = turns.filter((turn) => turn.some(isWanted));
  if (found.length > 0) return found;
  const names = turns.flat().map(({ name }) => name);
  throw new OperatorError(
    'no-session',
    wanted === null
      ? 'This run has no finished session yet.'
      : `This run has no finished session "${wanted}".`,
    names.length === 0
      ? 'Record it when a session has ended. See `untildone status`.'
      : `It has ${names.join(', ')}.`,
  );
}

async function record(session: Ended, source: Source, notes: string[]): Promise<Action[]> {
  const { name, result } = session;
  const log = await readSessionLog(join(source.logsDir, result.log));
  if (log === null)
    notes.push(`${name}: its log ${result.log} is missing; only its file changes are recorded.`);
  if (log !== null && log.dropped > 0)
    notes.push(`${name}: the first ${log.dropped} characters were omitted.`);
  if (log !== null && log.leftOut > 0)
    notes.push(`${name}: its log was too long; ${log.leftOut} bytes of its middle are missing.`);
  if (log !== null && log.unreadable > 0)
    notes.push(`${name}: ${log.unreadable} lines of its log are damaged.`);
  noteEnding(name, result, notes);
  return actionsOf({
    messages: log?.messages ?? [],
    changes: await changesOf(session, source, notes),
    ending: result.ending,
    usage: result.usage,
    prefix: source.prefix,
  });
}

async function changesOf(
  { name, step: { baseTree }, result: { endTree } }: Ended,
  { site }: Source,
  notes: string[],
): Promise<FileChange[]> {
  if (baseTree === null || endTree === null) {
    notes.push(`${name}: its files could not be read at its end and are not recorded.`);
    return [];
  }
  const changes = await treeChange(site, baseTree, endTree);
  const modules = changes.filter((change) => change.kind === 'submodule').map(({ path }) => path);
  if (modules.length > 0) notes.push(`${name}: the submodules ${modules.join(', ')} are not recorded.`);
  return changes;
}

function noteEnding(name: string, { ending }: SessionResult, notes: string[]): void {
  if (ending.kind === 'timed-out')
    notes.push(`${name} was ended by its time limit: a replay hangs until that limit is reached again.`);
  if (ending.kind === 'cancelled' || ending.kind === 'not-started')
    notes.push(`${name} was ended from outside: a replay ends without a result there.`);
}
