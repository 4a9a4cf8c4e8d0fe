// Runs that wait: for a person, for a time, for their attached interactive session.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Turn } from '../../e2e/agents.ts';
import { passes, saysDone, scriptedAgent, seesFile, shellAgents, writesFile } from '../../e2e/agents.ts';
import { startFakeClient } from '../../e2e/fake-client.ts';
import { eventsOf } from '../../e2e/journal.ts';
import type { Running } from '../../e2e/package.ts';
import { bin } from '../../e2e/package.ts';
import type { Place } from '../../e2e/place.ts';
import { makePlace } from '../../e2e/place.ts';
import { until } from '../../e2e/wait.ts';
import { does } from './scenario.ts';
import type { Scenario } from './scenario.ts';

export const waitingScenarios: { readonly [name: string]: Scenario } = {
  // A reviewer who is not sure leaves the verdict to a person.
  parked: async () => {
    const place = makePlace();
    await does(place, unsureArgs(place), 6);
    return place;
  },
  'parked-and-approved': async () => {
    const place = makePlace();
    await does(place, unsureArgs(place), 6);
    await does(place, ['approve'], 0);
    await does(place, ['resume'], 0);
    return place;
  },
  // The builder itself reports, proposes and asks, by the tools that it has for that.
  'agent-asks': async () => {
    const place = makePlace();
    const calls = [
      { name: 'report_progress', arguments: { text: 'half of it' } },
      { name: 'propose_criterion', arguments: { text: 'It is fast', check: 'true' } },
      { name: 'ask_person', arguments: { question: 'Which port?' } },
    ].map((params, id) => JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }));
    const lines = place.write('calls.jsonl', `${calls.join('\n')}\n`);
    const ask = `while read -r line; do printf '%s\\n' "$line"; sleep 1; done < '${lines}' | '${bin()}' mcp > /dev/null 2>&1`;
    const builder = `echo right > done.txt; ${ask}; ${saysDone}`;
    await does(place, ['run', 'write done.txt', '--check', seesFile, ...shellAgents(place, { builder })], 6);
    return place;
  },
  // In the middle of a session, until a person says so.
  suspended: async () => {
    const place = makePlace();
    const driver = await startListening(place);
    await does(place, ['suspend', '--now', '--manual', 'is the export right?'], 0);
    expect(await driver.ended).toMatchObject({ code: 6 });
    return place;
  },
  // For a file; when it is there, the conversation goes on.
  'suspended-and-gone-on': async () => {
    const place = makePlace();
    const driver = await startListening(place);
    await does(place, ['suspend', '--file', 'ready.txt', 'CI is slow'], 0);
    await until('the wait', () => eventsOf(place).some(({ type }) => type === 'suspended'));
    writeFileSync(join(place.repo, 'ready.txt'), '');
    expect(await driver.ended).toMatchObject({ code: 0 });
    return place;
  },
  // The checks were seen green while the session lives; nothing is proven yet.
  'plugin-attached': async () => {
    const { place, close } = await attached();
    // Closed before anything else could go on with it: the journal stays as it is.
    await close();
    return place;
  },
  plugin: async () => {
    const { place, close } = await attached();
    await close();
    await does(place, ['resume'], 0);
    return place;
  },
  // A person lets the session go, and the run ends with it.
  'plugin-released': async () => {
    const { place, type, close } = await attached();
    await type('/untildone:release enough');
    await close();
    return place;
  },
  // An action loop whose actions a person chooses in the client.
  'plugin-choose': chosen,
};

function unsureArgs(place: Place): string[] {
  const words = JSON.stringify({ verdict: 'pass', confidence: 0.2, summary: 'I could not run it' });
  const verifier = `if [ $n -lt 9 ]; then printf '%s\\n' '<verdict>${words}</verdict>'; else ${passes}; fi`;
  const agents = shellAgents(place, { builder: writesFile, verifier });
  return ['run', 'do it', '--check', seesFile, '--max-loops', '2', ...agents];
}

/** A builder that can be interrupted; resumed, it does its work at once. */
async function startListening(place: Place): Promise<Running> {
  const work = [{ write: { path: 'done.txt', text: 'right\n' } }, { say: '===WIGGUM_COMPLETE===\n' }];
  const turns: Turn[] = [
    { role: 'builder', actions: [{ say: 'waiting\n' }, { sleep: 60_000 }, ...work] },
    { role: 'verifier', actions: [{ say: '===VERIFIER_COMPLETE===\n' }] },
  ];
  const driver = place.start(['run', 'do it', '--check', seesFile, ...scriptedAgent(place, turns)]);
  await until('the session', () => driver.stdout().includes('waiting'));
  return driver;
}

/** An interactive session that tried to stop twice: with a red check, and with a green one. */
async function attached() {
  const place = makePlace();
  const client = startFakeClient(place, 'one');
  const type = (prompt: string) => client.hook('prompt', { prompt });
  await type(`/untildone:start "write done.txt" --check "${seesFile}"`);
  expect(await client.hook('stop')).toMatchObject({ decision: 'block' });
  writeFileSync(join(place.repo, 'done.txt'), 'right\n');
  expect(await client.hook('stop', { stop_hook_active: true })).toMatchObject({
    systemMessage: expect.stringContaining('Every check') as string,
  });
  return { place, type, close: () => client.close() };
}

async function chosen(): Promise<Place> {
  const place = makePlace();
  const report = (action: string): object => ({
    say: `\nACTION_RESULT:\n- action: ${action}\n- status: success\n- message: ${action} is done\n`,
  });
  const agents = scriptedAgent(place, [
    { role: 'builder', actions: [report('INIT')] },
    { role: 'builder', actions: [{ write: { path: 'done.txt', text: 'right\n' } }, report('DEVELOP')] },
  ]);
  const flags = ['--preset', 'actions', '--mode', 'interactive', '--verifier', 'none', '--check', seesFile];
  await does(place, ['run', 'write done.txt', ...flags, ...agents], 6);
  const client = startFakeClient(place, 'one');
  await client.hook('prompt', { prompt: '/untildone:choose develop mind the umlauts' });
  await until('the turn', () => eventsOf(place).at(-1)?.type === 'driver-left' && isAlone(place));
  await client.hook('prompt', { prompt: '/untildone:choose complete' });
  await until('the end', () => eventsOf(place).some(({ type }) => type === 'run-ended') && isAlone(place));
  await client.close();
  return place;
}

/** But for the client. */
function isAlone(place: Place): boolean {
  return place.living().length <= 1;
}
