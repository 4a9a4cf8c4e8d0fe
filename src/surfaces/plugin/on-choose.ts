// /untildone:choose: shows the choices of a waiting action loop here, and sends the person's choice.
import { spawn } from 'node:child_process';
import type { Links } from '#app/attached.ts';
import type { KnownRun } from '#app/run/known-runs.ts';
import type { Site } from '#app/site.ts';
import type { ActionName } from '#kernel/actions/action.ts';
import { choiceNumber } from '#kernel/actions/action-loop.ts';
import { whyNotChosen } from '#kernel/actions/settle-choice.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import { OperatorError } from '#base/operator-error.ts';
import { choiceHead } from '#views/actions/choice-screen.ts';
import { loopTask } from '#views/actions/loop-state.ts';
import { choices } from '#views/questions/attention-items.ts';
import type { HookInput } from './hook.ts';
import { readChoice, type TypedChoice } from './read-choice.ts';

/** Contract: the caller checked that a person typed it. Returns text for the person; no model reads it. */
export async function onChoose({ sessionId, cwd }: HookInput, line: string, links: Links): Promise<string> {
  const typed = readChoice(line);
  const { openSite } = await import('#app/site.ts');
  const site = await openSite(process.env['CLAUDE_PROJECT_DIR'] ?? cwd, process.env);
  const { known, task } = await pickLoop(site, typed.run);
  const { action } = typed;
  const why = whyNotChosen(known.run, task, choiceNumber(task.actions));
  if (why !== null) throw notNow(known.run, why);
  if (action === null) return choicesText(known.run);
  await send(site, known, task, { ...typed, action });
  return `Chose ${action}.${goOn(known, links.read(sessionId) !== null)}`;
}

async function pickLoop(site: Site, name: string | null): Promise<{ known: KnownRun; task: TaskState }> {
  const { unfinishedRuns } = await import('#app/run/known-runs.ts');
  const found = (await unfinishedRuns(site, () => {})).flatMap((known) => {
    const task = known.run.outcome === null ? loopTask(known.run) : null;
    return task === null || !known.run.id.startsWith(name ?? '') ? [] : [{ known, task }];
  });
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) return only;
  if (only === undefined)
    throw new OperatorError(
      'no-run',
      `No unfinished action loop ${name === null ? 'is in this repository' : `has the id ${name}`}.`,
      'Start one in a terminal: untildone run "…" --preset actions --check "npm test" --agent claude',
    );
  const ids = found.map(({ known }) => known.run.id);
  throw new OperatorError(
    'several-runs',
    `Several action loops are unfinished: ${ids.join(', ')}.`,
    `Name one: /untildone:choose develop --run ${ids[0] ?? ''}`,
  );
}

/** The client wraps lines itself; shorter ones read well in every window. */
const textColumns = 100;

function choicesText(run: Run): string {
  const lines = choices.map(
    ({ name, description }) => `  /untildone:choose ${name.padEnd(8)}  ${description}`,
  );
  const text = 'Text after develop or debug is sent to the agent.';
  return [`Run ${run.id}`, ...choiceHead(run, textColumns).slice(1), ...lines, '', text].join('\n');
}

async function send(
  site: Site,
  { run, holder }: KnownRun,
  task: TaskState,
  { action, text }: TypedChoice & { readonly action: ActionName },
): Promise<void> {
  const { answerTo, dropControl } = await import('#app/controls/controls.ts');
  const turn = choiceNumber(task.actions);
  const words = text === '' ? {} : { text };
  const control = { kind: 'choose', taskId: task.spec.id, turn, action, ...words } as const;
  const id = await dropControl(site, run.id, control);
  const answer = await answerTo(site, run.id, id, holder === null ? settledMsMax : answerMsMax);
  if (answer?.refused !== undefined) throw notNow(run, answer.refused);
}

/** Without a driver the choice is settled when it is recorded. */
const settledMsMax = 50;
const answerMsMax = 5000;

/** A turn takes minutes, and a hook must not: a separate driver continues the run. */
function goOn({ run, holder }: KnownRun, isHeld: boolean): string {
  if (holder !== null) return '';
  // No process of a session that a run waits for may drive a run.
  if (isHeld) return ` Continue it in another terminal: untildone resume ${run.id}`;
  const program = process.argv[1] ?? '';
  const env = { ...process.env };
  for (const name of clientVariables) delete env[name];
  spawn(process.execPath, [program, 'resume', run.id], { detached: true, stdio: 'ignore', env }).unref();
  return ` Run ${run.id} continues in the background. Follow it: /untildone:choose, or untildone logs -f ${run.id}`;
}

/** Variables that a client sets for its hooks: a client that the driver starts is not inside it. */
const clientVariables = [
  'CLAUDECODE',
  'CLAUDE_CODE_ENTRYPOINT',
  'CLAUDE_CODE_SESSION_ID',
  'CLAUDE_PID',
  'CLAUDE_PLUGIN_ROOT',
  'CLAUDE_PROJECT_DIR',
  'AI_AGENT',
];

function notNow(run: Run, why: string): OperatorError {
  return new OperatorError(
    'wrong-state',
    `${why.charAt(0).toUpperCase()}${why.slice(1)}.`,
    `See its state: untildone status ${run.id}`,
  );
}
