// Measures our overhead: from the start of a session to its client's first request, against a start by hand.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { endGroup, makeRecorder } from './by-hand.ts';
import type { Recorder } from './by-hand.ts';
import { clientsToStart } from './clients-to-start.ts';
import type { ClientToStart } from './clients-to-start.ts';
import type { Benchmark, BenchOptions, Line } from './measure.ts';
import { inFolder, median, sizeAt } from './measure.ts';
import { openModelServer } from './model-server.ts';
import type { ModelServer } from './model-server.ts';
import { exhausted, makeRepository, newestEvents, oneAttempt, startProgram, writeAgents } from './program.ts';
import type { Repository } from './program.ts';

const roundsMax = 9;

interface Bed {
  readonly client: ClientToStart;
  readonly repository: Repository;
  readonly recorder: Recorder;
  readonly server: ModelServer;
  readonly launcher: string;
}

interface Start {
  /** From the decision to start a session. */
  readonly sessionMs: number;
  /** From the command that a person typed: with the worktree and the checks on the base. */
  readonly runMs: number;
  readonly prompt: string;
}

export const sessionOverhead: Benchmark = ({ folder, program, scale }) =>
  inFolder(folder, async (place) => {
    const server = await openModelServer();
    const lines: Line[] = [];
    for (const [index, client] of clientsToStart(place).entries()) {
      const home = join(place, String(index));
      if (client.command === null) lines.push(...notMeasured(client));
      else lines.push(...(await measureClient(makeBed(client, { home, server, program }), scale)));
    }
    await server.close();
    return lines;
  });

function makeBed(
  client: ClientToStart,
  {
    home,
    server,
    program,
  }: Pick<BenchOptions, 'program'> & { readonly home: string; readonly server: ModelServer },
): Bed {
  mkdirSync(join(home, 'home'), { recursive: true });
  const { env, ...repository } = makeRepository(home);
  const recorder = makeRecorder(join(home, 'recorder'), client.command ?? []);
  // A home without any login, for us and by hand.
  const hermetic = { ...repository, env: { ...env, HOME: join(home, 'home') } };
  const agents = client.agents.map(({ name, settings }) => [name, settings(recorder.program, server.url)]);
  writeAgents(hermetic, Object.fromEntries(agents) as { readonly [name: string]: object });
  return { client, repository: hermetic, recorder, server, launcher: program };
}

/** Interleaved; the first round fills caches, records how the client is started, and does not count. */
async function measureClient(bed: Bed, scale: number): Promise<Line[]> {
  const { client, recorder } = bed;
  const rounds = sizeAt(scale, roundsMax, 1);
  const byHand: number[] = [];
  const byUs = client.agents.map(({ name }) => ({ name, sessionMs: [] as number[], runMs: [] as number[] }));
  for (let round = 0; round <= rounds; round += 1) {
    let prompt = '';
    for (const times of byUs) {
      const start = await startByUs(bed, times.name);
      prompt = start.prompt;
      if (round === 0) continue;
      times.sessionMs.push(start.sessionMs);
      times.runMs.push(start.runMs);
    }
    recorder.stop();
    const ms = await startByHand(bed, prompt);
    if (round > 0) byHand.push(ms);
  }
  return byUs.flatMap(({ name, sessionMs, runMs }) => [
    lineOf(name, 'session', {
      measured: median(sessionMs),
      raw: median(byHand),
      gate: client.limits.session,
    }),
    lineOf(name, 'run', { measured: median(runMs), raw: median(byHand), aim: client.limits.run }),
  ]);
}

async function startByUs({ repository, server, launcher }: Bed, agent: string): Promise<Start> {
  const asked = server.nextAsked();
  const startedAt = performance.timeOrigin + performance.now();
  const child = startProgram(launcher, repository, ['run', 'look', '--agent', agent, '--new', ...oneAttempt]);
  const [askedAt] = await Promise.all([asked, exhausted(child)]);
  for (const event of newestEvents(repository)) {
    if (event.type !== 'step-started' || event.step.deed.kind !== 'session') continue;
    return { sessionMs: askedAt - event.at, runMs: askedAt - startedAt, prompt: event.step.deed.prompt };
  }
  throw new Error('the run had no session');
}

async function startByHand({ client, repository, recorder, server }: Bed, prompt: string): Promise<number> {
  const asked = server.nextAsked();
  const startedAt = performance.timeOrigin + performance.now();
  const child = recorder.startAgain(repository.root);
  const handed = Promise.resolve(client.hand(child, prompt, repository.root));
  handed.catch(() => {});
  try {
    return (await asked) - startedAt;
  } finally {
    await endGroup(child);
  }
}

function lineOf(
  name: string,
  what: 'session' | 'run',
  numbers: Pick<Line, 'measured' | 'raw' | 'gate' | 'aim'>,
): Line {
  const from = what === 'session' ? 'the start of a session' : '`untildone run`';
  return {
    name: `${name}: from ${from} to the first request, against its client by hand`,
    unit: 'ms',
    ...numbers,
  };
}

function notMeasured({ agents, limits, missing }: ClientToStart): Line[] {
  console.error(`NOT MEASURED: ${missing}`);
  return agents.map(({ name }) => ({
    ...lineOf(name, 'session', { measured: null, raw: null, gate: limits.session }),
    note: missing,
  }));
}
