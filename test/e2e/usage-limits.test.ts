// One run meets a usage limit, and all other runs of the machine respect it.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { seesFile } from './agents.ts';
import { eventsOf, readEvents, sessionsOf } from './journal.ts';
import type { Place } from './place.ts';
import { makePlace, runFolders } from './place.ts';
import { until } from './wait.ts';

const hourMs = 3_600_000;

/** A client that says, as long as `limit` is there, that its usage limit ends at the moment in it. */
function makeLimited(resetAt: number): Place {
  const place = makePlace();
  place.write('limit', String(resetAt));
  const lines = [
    'cat > /dev/null',
    `echo started >> '${place.folder}/starts'`,
    `if [ -f '${place.folder}/limit' ]; then`,
    `  message="usage limit reached|$(cat '${place.folder}/limit')"`,
    `  echo '{"type":"turn.failed","error":{"message":"'"$message"'"}}'`,
    '  exit 1',
    'fi',
    'echo right > done.txt',
    `echo '{"type":"thread.started","thread_id":"t"}'`,
    `echo '{"type":"item.completed","item":{"id":"i","type":"agent_message","text":"===WIGGUM_COMPLETE==="}}'`,
    `echo '{"type":"turn.completed","usage":{"input_tokens":1,"cached_input_tokens":0,"output_tokens":1}}'`,
  ];
  const agent = {
    driver: 'command',
    command: `sh ${place.write('agent.sh', lines.join('\n'))}`,
    prompt: 'stdin',
    output: 'codex',
  };
  const spare = { ...agent, command: `sh ${place.write('spare.sh', lines.slice(-4).join('\n'))}` };
  place.write('config/untildone/config.jsonc', JSON.stringify({ agents: { limited: agent, spare } }));
  return place;
}

const runOf = (goal: string): string[] => [
  'run',
  goal,
  '--agent',
  'limited',
  '--verifier',
  'none',
  '--check',
  seesFile,
  '--max-loops',
  '1',
];

function startsOf(place: Place): number {
  const file = join(place.folder, 'starts');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').length : 0;
}

function isWaiting(folder: string): boolean {
  return readEvents(folder).some(({ type }) => type === 'usage-limited');
}

test('A limit that one run met stops other runs from starting the client; afterwards each completes in its first attempt [U5]', async () => {
  const place = makeLimited(Date.now() + 2 * hourMs);
  const first = place.start(runOf('first'));
  await until('the limit', () => runFolders(place).some(isWaiting));
  const others = [place.start(runOf('second')), place.start(runOf('third'))];
  await until('the others', () => runFolders(place).filter(isWaiting).length === 3);
  expect(startsOf(place)).toBe(1);
  const files = readdirSync(join(place.stateHome, 'untildone', 'limits'));
  expect(files).toHaveLength(1);

  const [metBy = '', ...refused] = runFolders(place).map((folder) => basename(folder));
  for (const runId of refused) {
    const { stdout } = await place.untildone(['status', runId]);
    expect(stdout).toContain(`another run (${metBy}) met the usage limit of limited`);
    expect(stdout).toMatch(/Status: waiting for a usage limit until \d{4}-\S+Z \(/);
    expect(stdout).toContain(`try again now: untildone resume ${runId}`);
  }

  rmSync(join(place.folder, 'limit'));
  for (const runId of [metBy, ...refused])
    expect((await place.untildone(['resume', runId])).stdout).toMatch(/The driver of .* continues\./);
  for (const driver of [first, ...others]) expect(await driver.ended).toMatchObject({ code: 0 });
  expect(startsOf(place)).toBe(4);
  for (const folder of runFolders(place)) {
    const builders = sessionsOf(readEvents(folder));
    expect(builders.every(({ deed }) => deed.attempt === 1)).toBe(true);
    expect(builders.at(-1)?.result?.ending.kind).toBe('finished');
  }
  expect(readdirSync(join(place.stateHome, 'untildone', 'limits'))).toEqual([]);
}, 120_000);

test('A run resumes by itself after the reset of a limit that another run met [U5]', async () => {
  const place = makeLimited(Date.now() + 2 * hourMs);
  const first = place.start(runOf('first'));
  await until('the limit', () => runFolders(place).some(isWaiting));
  await place.untildone(['stop', '--now']);
  await first.ended;
  // As the first run would have written it, only with an end that a test can wait for.
  const folder = join(place.stateHome, 'untildone', 'limits');
  const [name = ''] = readdirSync(folder);
  const known = JSON.parse(readFileSync(join(folder, name), 'utf8')) as object;
  rmSync(join(place.folder, 'limit'));
  place.write(`state/untildone/limits/${name}`, JSON.stringify({ ...known, until: Date.now() + 5_000 }));
  const second = place.start(runOf('second'));
  expect(await second.ended).toMatchObject({ code: 0 });
  expect(sessionsOf(eventsOf(place)).every(({ deed }) => deed.attempt === 1)).toBe(true);
}, 120_000);

test('A limit that ends later than the longest wait parks the run with the next command, and resume asks the provider again [U5] [X3]', async () => {
  const place = makeLimited(Date.now() + 48 * hourMs);
  const parked = await place.untildone(runOf('first'));
  expect(parked.code).toBe(6);
  expect(parked.stdout).toMatch(
    /a usage limit until \S+Z, which is later than the longest wait \(usageLimit\.maxWait, 12 h\)/,
  );
  expect(parked.stdout).toMatch(/Continue with: untildone resume \d/);
  const status = await place.untildone(['status']);
  expect(status.stdout).toMatch(/longer than a run waits \(usageLimit\.maxWait\).*untildone resume/);
  expect(status.stdout).not.toContain('interrupted');
  // Another run does not believe a limit so far ahead: it asks once itself.
  expect((await place.untildone(runOf('second'))).code).toBe(6);
  expect(startsOf(place)).toBe(2);
  rmSync(join(place.folder, 'limit'));
  for (const folder of runFolders(place))
    expect((await place.untildone(['resume', basename(folder)])).code).toBe(0);
  expect(startsOf(place)).toBe(4);
}, 120_000);

test('The next builder of the configured list works while the first one is limited, and status says which one ran [U5] [C6]', async () => {
  const place = makeLimited(Date.now() + 2 * hourMs);
  const config = JSON.parse(place.read('config/untildone/config.jsonc')) as object;
  place.write(
    'config/untildone/config.jsonc',
    JSON.stringify({ ...config, routing: { fallbacks: ['spare'] } }),
  );
  expect(await place.untildone(runOf('first'))).toMatchObject({ code: 0 });
  expect(sessionsOf(eventsOf(place)).map(({ deed }) => [deed.agent.name, deed.attempt])).toEqual([
    ['limited', 1],
    ['spare', 1],
  ]);
  expect((await place.untildone(['status'])).stdout).toMatch(/Ran: .*spare/);
  expect(await place.untildone(runOf('second'))).toMatchObject({ code: 0 });
  expect(startsOf(place)).toBe(1);
}, 120_000);
