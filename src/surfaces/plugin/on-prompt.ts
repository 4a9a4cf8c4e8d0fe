// Handles the /untildone: commands that a person types. Not the model: then an agent could run them too.
import type { AttachedLink, Links } from '#app/attached.ts';
import type { Site } from '#app/site.ts';
import type { Control } from '#kernel/events/control.ts';
import type { Run } from '#kernel/fold/run.ts';
import { OperatorError } from '#base/operator-error.ts';
import { statusText } from '#views/status/status.ts';
import { block, type HookAnswer, type HookInput, silence } from './hook.ts';
import { startHere } from './start-here.ts';

const typed = /^\s*\/untildone:(start|status|choose|suspend|resume|release)(?:\s+([\s\S]*))?$/;

export async function onPrompt(input: HookInput, links: Links): Promise<HookAnswer> {
  const found = typed.exec(input.prompt);
  if (found === null) return silence;
  const [, verb = '', rest = ''] = found;
  try {
    if (verb === 'status') return block(await status(links.read(input.sessionId)));
    const { clientOfHook } = await import('#app/controls/inside.ts');
    const client = clientOfHook();
    if (client === null) throw notAPerson(verb);
    if (verb === 'start') return await startHere(input, rest, links, client);
    if (verb === 'choose') return block(await (await import('./on-choose.ts')).onChoose(input, rest, links));
    return block(await steer(verb, rest.trim(), links, known(links.read(input.sessionId))));
  } catch (error) {
    if (error instanceof OperatorError) return block(`${error.message}\nHint: ${error.hint}`);
    throw error;
  }
}

async function status(link: AttachedLink | null): Promise<string> {
  const { loadRun } = await import('#app/site.ts');
  const { runId } = known(link);
  const { run } = await loadRun(await siteOf(known(link)), runId);
  return statusText(run, { holder: null });
}

async function steer(verb: string, typedWords: string, links: Links, link: AttachedLink): Promise<string> {
  const site = await siteOf(link);
  const { runId } = link;
  const { loadRun } = await import('#app/site.ts');
  const { run } = await loadRun(site, runId);
  const control = await controlOf(verb, typedWords, site, run);
  if (control === null) return (await import('./on-wait.ts')).waitsText(site, run);
  const { answerTo, dropControl } = await import('#app/controls/controls.ts');
  const controlId = await dropControl(site, runId, control);
  const { driveAndRead } = await import('#app/controls/preview.ts');
  const { hasDriven } = await driveAndRead(site, runId, AbortSignal.timeout(steerMsMax));
  const answer = await answerTo(site, runId, controlId, answerMsMax);
  if (answer?.refused !== undefined)
    throw new OperatorError('refused', `It was refused: ${answer.refused}.`, 'See /untildone:status.');
  if (verb === 'release') links.drop(link.sessionId);
  const later = hasDriven ? '' : ' Its driver was notified.';
  return `${await replyFor(verb, (await loadRun(site, runId)).run)}${later}`;
}

const steerMsMax = 60_000;
const answerMsMax = 2_000;

/** Null if nothing is requested of the run. */
async function controlOf(verb: string, why: string, site: Site, run: Run): Promise<Control | null> {
  if (verb === 'suspend') return (await import('./on-wait.ts')).suspendControlOf(site, run, why);
  if (verb === 'resume') return (await import('./on-wait.ts')).resumeControlOf(run, why);
  return { kind: 'stop', now: true, why: why === '' ? 'released by the person in the session' : why };
}

async function replyFor(verb: string, run: Run): Promise<string> {
  const { id: runId } = run;
  if (verb === 'suspend') return (await import('./on-wait.ts')).suspendedWords(run);
  if (verb === 'resume') return `Run ${runId} continues: this session may end when its checks pass.`;
  return `This session is released. The run ${runId} is stopped and not proven. Your files are unchanged.`;
}

function siteOf(link: AttachedLink): Promise<Site> {
  return import('#app/site.ts').then(({ openSite }) => openSite(link.root, process.env));
}

function known(link: AttachedLink | null): AttachedLink {
  if (link !== null) return link;
  throw new OperatorError(
    'no-run',
    'This session does not belong to a run.',
    'Start one: /untildone:start "what is wanted" --check "npm test"',
  );
}

function notAPerson(verb: string): OperatorError {
  return new OperatorError(
    'not-a-person',
    `/untildone:${verb} is refused: it is not certain that a person typed it in the client.`,
    `Use another terminal: untildone ${terminalCommands[verb] ?? 'status'}`,
  );
}

/** What does the same from a terminal. */
const terminalCommands: { readonly [verb: string]: string | undefined } = {
  start: 'run "…" --check "npm test"',
  choose: 'choose',
  suspend: 'pause',
  resume: 'resume',
  release: 'stop',
};
