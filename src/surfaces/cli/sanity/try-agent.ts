// `doctor --agent`: the sanity check with one agent, in a temporary repository.
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Site } from '#app/site.ts';
import { agentGuide } from '#config/agents/agent-guide.ts';
import { namesBelow } from '#config/layers.ts';
import { loadSettings } from '#config/load.ts';
import type { ResolvedRun } from '#config/resolve/resolve-run.ts';
import type { Event } from '#kernel/events/events.ts';
import type { SessionEnding } from '#kernel/model/ending.ts';
import { exitCodes } from '#kernel/model/outcome.ts';
import { asOperatorError, OperatorError } from '#base/operator-error.ts';
import type { Observer } from '#ports/world.ts';
import { paidWords } from '#views/words.ts';
import { isInteractive, print, printJson } from '#surfaces/cli/output.ts';
import { busySteps } from '#surfaces/cli/render/busy.ts';
import { resolveAsking } from '#surfaces/cli/drive/resolve-asking.ts';
import { type Finding, sanityFindings } from './sanity-findings.ts';
import { openHere } from '#surfaces/cli/open-here.ts';
import { temporarySite } from './temporary-site.ts';

export interface TryOptions {
  readonly isJson: boolean;
  readonly pay: string | undefined;
  readonly allowRoot: boolean;
}

/** A greeting takes seconds; a slower client is too slow for a run. */
const limits = { timeout: '5m', idleTimeout: '3m', grace: '5s' };

export async function tryAgent(agents: readonly string[], options: TryOptions): Promise<number> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'untildone-doctor-')));
  let isKept = false;
  try {
    const site = await makeSite(folder);
    const { findings, logsDir } = await trySafely(site, agents, options);
    const isGood = findings.every((one) => one.isGood === true);
    isKept = !isGood && logsDir !== null;
    if (options.isJson) printJson({ agents, isGood, findings, logsDir: isKept ? logsDir : null });
    else for (const line of reportLines(agents, findings, isKept ? logsDir : null)) print(line);
    return isGood ? exitCodes.completed : exitCodes.failed;
  } finally {
    if (!isKept) await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

interface Tried {
  readonly findings: readonly Finding[];
  readonly logsDir: string | null;
}

/** A certain lack is a finding like any other; a mistyped flag is not. */
const missing = [
  'missing-agent',
  'agent-as-root',
  'no-api-key',
  'no-endpoint',
  'no-login',
  'no-model',
  'unknown-model',
];

async function trySafely(site: Site, agents: readonly string[], options: TryOptions): Promise<Tried> {
  try {
    return await tryOnce(site, agents, options);
  } catch (error) {
    if (!(error instanceof OperatorError) || !missing.includes(error.code)) throw error;
    const isMissing = error.code === 'missing-agent' || error.code === 'no-endpoint';
    const finding = {
      name: 'it is here',
      isGood: false,
      text: error.message,
      fix: (isMissing ? installOf(agents) : null) ?? error.hint,
    };
    return { findings: [finding], logsDir: null };
  }
}

async function tryOnce(site: Site, agents: readonly string[], options: TryOptions): Promise<Tried> {
  const { isJson, pay, allowRoot } = options;
  // One small question of ours in a temporary repository, while the person watches.
  const flags = {
    agent: agents,
    cooldown: '0',
    allowUnsandboxed: true,
    ...(allowRoot ? { allowRoot } : {}),
    ...(pay === undefined ? {} : { pay }),
  };
  const request = { goal: undefined, flags, sanityCheck: true };
  const resolved = await resolveAsking(site, request, !isJson && isInteractive());
  const { runFiles } = await import('#app/site.ts');
  const { startRun } = await import('#app/run/start-run.ts');
  const runId = await startRun(site, resolved);
  if (!isJson) for (const line of openingLines(resolved)) print(line);
  const events = await follow(site, runId);
  const advice = (ending: SessionEnding): string | null => adviceFor(ending, agents);
  return { findings: sanityFindings(events, advice), logsDir: runFiles(site, runId).logsDir };
}

/** A run would wait for a provider to recover; here the error is already the answer. */
async function follow(site: Site, runId: string): Promise<Event[]> {
  const { driveRun } = await import('#app/world.ts');
  const stop = new AbortController();
  const leave = (): void => stop.abort();
  const events: Event[] = [];
  const observer: Observer = {
    onEvents: (_, fresh) => {
      events.push(...fresh);
      const isOver = (event: Event): boolean =>
        event.type === 'step-ended' &&
        event.result.kind === 'session' &&
        event.result.ending.kind !== 'finished';
      if (fresh.some(isOver)) leave();
    },
  };
  const steps = busySteps();
  process.once('SIGINT', leave);
  try {
    const observers = [observer, steps];
    await driveRun(site, runId, { observers, leaveWhenParked: () => true, signal: stop.signal });
  } finally {
    steps.close();
    process.removeListener('SIGINT', leave);
  }
  return events;
}

/** Its own state, files and settings; agents, keys and logins as they are here. */
async function makeSite(folder: string): Promise<Site> {
  const opened = await temporarySite(folder);
  const { env, ownEnv, agents } = await whatIsHere();
  await mkdir(join(opened.root, '.untildone'), { recursive: true });
  await writeFile(
    join(opened.root, '.untildone/config.jsonc'),
    JSON.stringify({ ...agents, session: limits }),
  );
  return { ...opened, env, ownEnv };
}

/** Agents of this repository's and this person's configuration can be tried by name too. */
async function whatIsHere(): Promise<{ env: Site['env']; ownEnv: Site['env']; agents: object }> {
  const found = await openHere().catch(asOperatorError);
  const here = found instanceof OperatorError ? null : found;
  const ownEnv = withoutOwnSettings(here?.ownEnv ?? process.env);
  if (here === null) return { env: ownEnv, ownEnv, agents: {} };
  const { merged } = await loadSettings(here);
  const names = namesBelow(merged, 'agents');
  const agents = Object.fromEntries(names.map((name) => [name, merged.get(`agents.${name}`)?.value]));
  const common = merged.get('agent.env')?.value;
  return {
    env: withoutOwnSettings(here.env),
    ownEnv,
    agents: { agents, ...(Array.isArray(common) && common.length === 0 ? {} : { agent: { env: common } }) },
  };
}

function withoutOwnSettings(env: { readonly [name: string]: string | undefined }): Site['env'] {
  return Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith('WIGGUM_'),
    ),
  );
}

function openingLines({ config }: ResolvedRun): string[] {
  const payers = Object.values(config.agents).map((agent) => paidWords(agent.payer));
  return [
    'Sanity check in a temporary repository: a builder writes a small file, a verifier reads it.',
    `The agents are ${[...new Set(payers)].join(' · ')}\n`,
  ];
}

function reportLines(
  agents: readonly string[],
  findings: readonly Finding[],
  logsDir: string | null,
): string[] {
  const failed = findings.find((one) => one.isGood === false);
  return [
    ...findings.map(({ name, isGood }) => `${isGood === null ? '▫️ ' : isGood ? '✅' : '❌'} ${name}`),
    '',
    ...(failed === undefined
      ? [
          `It works. Use it: untildone run "…" ${agents.map((agent) => `--agent ${agent}`).join(' ')} --check "npm test"`,
        ]
      : [failed.text]),
    ...(failed?.fix === null || failed === undefined ? [] : [`Hint: ${failed.fix}`]),
    ...(logsDir === null ? [] : [`Its logs are kept in ${logsDir}`]),
  ];
}

function guideOf(agents: readonly string[]) {
  const name = (agents[0] ?? '').replace(/^[A-Za-z][\w-]*=/, '').split(':')[0] ?? '';
  return Object.hasOwn(agentGuide, name) ? { name, guide: agentGuide[name] } : null;
}

function installOf(agents: readonly string[]): string | null {
  const found = guideOf(agents);
  if (found?.guide === undefined) return null;
  const { install, begin } = found.guide;
  return install === null ? begin : `Install it: ${install}. Then: ${begin}`;
}

function adviceFor(ending: SessionEnding, agents: readonly string[]): string | null {
  const found = guideOf(agents);
  // Its own message says what to do.
  if (ending.kind === 'not-started') return null;
  if (ending.kind !== 'failed') return 'See its log.';
  if (ending.errorClass === 'authentication')
    return found?.guide === undefined
      ? 'Log in with the client itself, or correct its key.'
      : `Log in: ${found.guide.begin}; or pay by a key: --pay key`;
  if (ending.errorClass === 'unknown-model')
    return `Name another one: --agent ${found?.name ?? 'NAME'}:MODEL`;
  if (ending.errorClass === 'usage-limit')
    return 'A run would wait for the reset without counting an attempt.';
  if (ending.errorClass === 'network') return 'Check the network, the proxy and the address of the provider.';
  return null;
}
