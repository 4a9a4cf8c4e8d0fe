// What a person types: /untildone:start, status, choose, suspend, resume, release. Done here and not by the model, which could do it too.
import type { ForeignLink, Links } from '#compose/foreign.ts';
import type { Site } from '#compose/site.ts';
import type { Control } from '#kernel/control.ts';
import { OperatorError } from '#ports/operator-error.ts';
import { statusText } from '#views/status.ts';
import type { HookAnswer } from './hook-answer.ts';
import { block, silence } from './hook-answer.ts';
import type { HookInput } from './hook-input.ts';
import { startHere } from './start-here.ts';

const typed = /^\s*\/untildone:(start|status|choose|suspend|resume|release)(?:\s+([\s\S]*))?$/;

export async function onPrompt(input: HookInput, links: Links): Promise<HookAnswer> {
  const found = typed.exec(input.prompt);
  if (found === null) return silence;
  const [, verb = '', rest = ''] = found;
  try {
    if (verb === 'status') return block(await status(links.read(input.sessionId)));
    const { clientOfHook } = await import('#compose/inside.ts');
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

async function status(link: ForeignLink | null): Promise<string> {
  const { loadRun } = await import('#compose/site.ts');
  const { runId } = known(link);
  const { run } = await loadRun(await siteOf(known(link)), runId);
  return statusText(run, { holder: null });
}

async function steer(verb: string, why: string, links: Links, link: ForeignLink): Promise<string> {
  const site = await siteOf(link);
  const { dropControl } = await import('#compose/controls.ts');
  await dropControl(site, link.runId, controlOf(verb, why));
  const { driveQuietly } = await import('#compose/look.ts');
  const isRecorded = await driveQuietly(site, link.runId, AbortSignal.timeout(steerMsMax));
  if (verb === 'release') links.drop(link.sessionId);
  const later = isRecorded ? '' : ' Its driver was told.';
  return `${saidOf(verb, link.runId)}${later}`;
}

const steerMsMax = 60_000;

function controlOf(verb: string, why: string): Control {
  if (verb === 'suspend')
    return { kind: 'pause', why: why === '' ? 'suspended by the person in the session' : why };
  if (verb === 'resume') return { kind: 'resume' };
  return { kind: 'stop', now: true, why: why === '' ? 'released by the person in the session' : why };
}

function saidOf(verb: string, runId: string): string {
  if (verb === 'suspend')
    return `The run ${runId} is suspended: this session may end. Go on with /untildone:resume.`;
  if (verb === 'resume') return `The run ${runId} goes on: this session ends when its checks pass.`;
  return `This session is released. The run ${runId} is stopped, and nothing of it is proven; your files are as they are.`;
}

function siteOf(link: ForeignLink): Promise<Site> {
  return import('#compose/site.ts').then(({ openSite }) => openSite(link.root, process.env));
}

function known(link: ForeignLink | null): ForeignLink {
  if (link !== null) return link;
  throw new OperatorError(
    'no-run',
    'This session belongs to no run.',
    'Start one: /untildone:start "what is wanted" --check "npm test"',
  );
}

function notAPerson(verb: string): OperatorError {
  return new OperatorError(
    'not-a-person',
    `/untildone:${verb} is refused: it cannot be seen that a person typed it in the client itself.`,
    `Use another terminal: ${verb === 'choose' ? 'untildone choose' : 'untildone pause, untildone stop'}.`,
  );
}
