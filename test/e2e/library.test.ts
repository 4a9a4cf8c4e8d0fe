// `import { run } from 'untildone'`: a program of its own calls the packed package; its types are compiled first.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Event, RunOptions, RunResult } from '../../src/index.ts';
import { root } from '../tidy/repository.ts';
import { seesFile, shellAgents, writesFile } from './agents.ts';
import { packageFolder, startProgram } from './package.ts';
import type { Finished, Running } from './package.ts';
import { send } from './processes.ts';
import type { Place } from './place.ts';
import { makePlace, runFolders } from './place.ts';
import { readEvents } from './journal.ts';

interface Called {
  readonly answers: readonly {
    readonly result?: RunResult;
    readonly error?: { name: string; code: string | null; message: string; hint: string | null };
  }[];
  readonly events: readonly Event[];
  readonly notes: readonly string[];
}

const source = join(import.meta.dirname, 'library/consumer.mts');

/** A project that depends on the package, as npm lays it out. */
function makeConsumer(place: Place): string {
  const folder = join(place.folder, 'consumer');
  mkdirSync(join(folder, 'node_modules/@types'), { recursive: true });
  symlinkSync(packageFolder(), join(folder, 'node_modules/untildone'));
  for (const name of ['@types/node', 'undici-types'])
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  copyFileSync(source, join(folder, 'consumer.mts'));
  return folder;
}

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** What the compiler complains about. */
function compile(folder: string, ...files: string[]): string {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const strict = ['--noEmit', '--strict', '--exactOptionalPropertyTypes'];
  const options = [...strict, '--module', 'nodenext', '--target', 'es2024', '--types', 'node'];
  const done = spawnSync(process.execPath, [tsc, ...options, ...files], { cwd: folder, encoding: 'utf8' });
  return done.status === 0 ? '' : `${done.status}: ${done.stdout}${done.stderr}`;
}

let calls = 0;

async function call(place: Place, order: object): Promise<Called & Finished> {
  const { running, file } = begin(place, order);
  const finished = await running.ended;
  return { ...(JSON.parse(readFileSync(file, 'utf8')) as Called), ...finished };
}

function begin(place: Place, order: object): { readonly running: Running; readonly file: string } {
  const folder = join(place.folder, 'consumer');
  if (!existsSync(folder)) makeConsumer(place);
  calls += 1;
  const file = join(place.folder, `answer-${calls}.json`);
  const program = [join(folder, 'consumer.mts'), JSON.stringify(order), file];
  const { env, repo: cwd } = place;
  const outputDir = join(place.folder, 'output');
  return { running: startProgram(process.execPath, program, { cwd, env, outputDir }), file };
}

function optionsOf(place: Place, builder = writesFile): RunOptions {
  const [, agent = ''] = shellAgents(place, { builder });
  return { goal: 'Write done.txt', checks: [seesFile], agent };
}

/** Works only once `go` is there; until then it waits, with a child of its own. */
function patientBuilder(place: Place): string {
  return `if [ -e ${place.folder}/go ]; then ${writesFile}; else touch ${place.folder}/began; sleep 900 & sleep 900; fi`;
}

describe('`run()` of the library', () => {
  it('A consumer compiles against the declarations of the packed package, strictly', () => {
    expect(compile(makeConsumer(makePlace()), 'consumer.mts')).toBe('');
  });

  it('The samples of the README and of the guide compile', () => {
    const folder = makeConsumer(makePlace());
    const texts = [read('README.md'), read('docs/guide/library.md')];
    const samples = texts.flatMap((text) =>
      [...text.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code]) => code ?? ''),
    );
    expect(samples.length).toBeGreaterThan(4);
    samples.forEach((code, at) => {
      const needed = ['goal: string', 'checks: string[]'].filter(
        (one) => !new RegExp(`const ${one.split(':')[0] ?? ''}\\b`).test(code),
      );
      const given = needed.map((one) => `declare const ${one};\n`).join('');
      const imported = code.includes("from 'untildone'") ? '' : "import { run } from 'untildone';\n";
      writeFileSync(join(folder, `sample-${at}.mts`), `${imported}${given}${code}`);
    });
    expect(compile(folder, ...samples.map((_, at) => `sample-${at}.mts`))).toBe('');
  });

  it('A run completes, prints nothing, and its result describes the outcome', async () => {
    const place = makePlace();
    const { answers, events, stdout, stderr, code } = await call(place, { options: optionsOf(place) });
    expect([code, stdout, stderr]).toEqual([0, '', '']);
    const result = answers[0]?.result;
    const branch = result?.branch ?? '';
    expect(result).toEqual({
      outcome: 'completed',
      reason: expect.any(String) as string,
      proof: 'checks',
      branch: `untildone/${result?.runId ?? ''}`,
      commits: place.git('rev-list', '--reverse', `main..${branch}`).split('\n'),
      cost: { usd: null, isComplete: false, tokens: 0, sessions: 1 },
      runId: expect.any(String) as string,
      loop: null,
      isResumed: false,
    });
    expect(place.git('show', `${branch}:done.txt`)).toBe('right');
    const [folder = ''] = runFolders(place);
    expect(events).toEqual(readEvents(folder));
    expect(place.living()).toEqual([]);
  });

  it('An aborted run ends its session, leaves no process, and the same call continues it', async () => {
    const place = makePlace();
    const options = optionsOf(place, patientBuilder(place));
    const first = await call(place, { options, abortAt: join(place.folder, 'began') });
    const paused = first.answers[0]?.result;
    expect(paused).toMatchObject({ outcome: 'paused', reason: 'the signal was aborted', proof: null });
    expect([first.stdout, first.stderr, place.living()]).toEqual(['', '', []]);
    place.write('go', '');
    const second = await call(place, { options });
    expect(second.answers[0]?.result).toMatchObject({
      outcome: 'completed',
      proof: 'checks',
      runId: paused?.runId,
      isResumed: true,
    });
    const folders = runFolders(place);
    expect(folders).toHaveLength(1);
    expect(second.events).toEqual(readEvents(folders[0] ?? ''));
    expect(second.events.slice(0, first.events.length)).toEqual(first.events);
  });

  it('A call whose process was killed is continued by the next one', async () => {
    const place = makePlace();
    const options = optionsOf(place, patientBuilder(place));
    const { running } = begin(place, { options });
    await expect.poll(() => existsSync(join(place.folder, 'began'))).toBe(true);
    send(running.pid, 'SIGKILL');
    await running.ended;
    place.write('go', '');
    const { answers, events } = await call(place, { options });
    expect(answers[0]?.result).toMatchObject({ outcome: 'completed', proof: 'checks', isResumed: true });
    const folders = runFolders(place);
    expect(folders).toHaveLength(1);
    expect(events).toEqual(readEvents(folders[0] ?? ''));
  });

  it('A signal that is aborted before the call starts nothing', async () => {
    const place = makePlace();
    const { answers } = await call(place, { options: optionsOf(place), isAbortedBefore: true });
    expect(answers[0]?.error).toMatchObject({ name: 'Error', message: 'not now' });
    expect(runFolders(place)).toEqual([]);
  });

  it('A callback that throws ends the run cleanly, and its error reaches the caller', async () => {
    const place = makePlace();
    const options = optionsOf(place);
    const { answers, events } = await call(place, { options, throwAt: 'step-started' });
    expect(answers[0]?.error).toMatchObject({ name: 'RangeError', message: 'thrown at step-started' });
    expect(events.at(-1)?.type).toBe('step-started');
    expect(place.living()).toEqual([]);
    const again = await call(place, { options });
    expect(again.answers[0]?.result).toMatchObject({ outcome: 'completed', isResumed: true });
  });

  it.each(['step-started', 'run-ended'] as const)(
    'An asynchronous callback that rejects at %s is treated like one that throws',
    async (rejectAt) => {
      const place = makePlace();
      const options = optionsOf(place);
      const { answers, code, stderr } = await call(place, { options, rejectAt });
      expect([code, stderr]).toEqual([0, '']);
      expect(answers[0]?.error).toMatchObject({ name: 'RangeError', message: `rejected at ${rejectAt}` });
      expect(place.living()).toEqual([]);
      const [folder = ''] = runFolders(place);
      const hasEnded = readEvents(folder).some(({ type }) => type === 'run-ended');
      expect(hasEnded).toBe(rejectAt === 'run-ended');
      const { stdout } = await place.untildone(['list']);
      expect(stdout).toContain(hasEnded ? 'completed' : 'interrupted');
      const again = await call(place, { options });
      expect(again.answers[0]?.result).toMatchObject({ outcome: 'completed', isResumed: !hasEnded });
    },
  );

  it('Of two calls at the same moment, one works, and the other is refused with a hint for the caller', async () => {
    const place = makePlace();
    const { answers } = await call(place, { options: optionsOf(place), times: 2 });
    expect(answers.map(({ result }) => result?.outcome ?? 'refused').toSorted()).toEqual([
      'completed',
      'refused',
    ]);
    expect(answers.find(({ error }) => error !== undefined)?.error).toMatchObject({
      name: 'OperatorError',
      code: 'run-is-live',
      hint: expect.stringContaining("unfinished: 'new'") as string,
    });
    expect(runFolders(place)).toHaveLength(1);
  });

  it('An unfinished run with other inputs is named, and an option resumes it or begins another', async () => {
    const place = makePlace();
    const options = optionsOf(place, patientBuilder(place));
    const first = await call(place, { options, abortAt: join(place.folder, 'began') });
    const { runId } = first.answers[0]?.result ?? {};
    place.write('go', '');
    const other = { ...options, checks: [seesFile, 'true'] };
    const refused = await call(place, { options: other });
    expect(refused.answers[0]?.error).toMatchObject({
      code: 'changed-inputs',
      message: expect.stringContaining(`The unfinished run ${runId ?? ''} has the same goal`) as string,
      hint: expect.stringMatching(/unfinished: 'resume'.*unfinished: 'new'/) as string,
    });
    const another = await call(place, { options: { ...other, unfinished: 'new' } });
    expect(another.answers[0]?.result).toMatchObject({ outcome: 'completed', isResumed: false });
    const resumed = await call(place, { options: { ...other, unfinished: 'resume' } });
    expect(resumed.answers[0]?.result).toMatchObject({ outcome: 'completed', isResumed: true, runId });
  });

  it('An unfinished run that durableSteps does not continue is named, and an option resumes it [D2]', async () => {
    const place = makePlace();
    const options = optionsOf(place, patientBuilder(place));
    const first = await call(place, { options, abortAt: join(place.folder, 'began') });
    const { runId } = first.answers[0]?.result ?? {};
    place.write('go', '');
    place.write('config/untildone/config.jsonc', '{ "durableSteps": { "autoResume": false } }');
    const refused = await call(place, { options });
    expect(refused.answers[0]?.error).toMatchObject({
      code: 'not-resumed',
      hint: expect.stringMatching(/unfinished: 'resume'.*unfinished: 'new'/) as string,
    });
    const resumed = await call(place, { options: { ...options, unfinished: 'resume' } });
    expect(resumed.answers[0]?.result).toMatchObject({ outcome: 'completed', isResumed: true, runId });
  });

  it.each<[string, object, string, RegExp]>([
    ['no goal', { goal: ' ' }, 'no-goal', /run\(\{ goal/],
    ['no agent', { agent: undefined }, 'no-agent', /agent/],
    ['a program that is not there', { agent: 'command:no-such-cli' }, 'missing-agent', /untildone doctor/],
    ['a budget of nothing', { budget: 0 }, 'bad-flag', /budget: \{ usd/],
    ['a misspelt option', { check: ['false'] }, 'bad-option', /checks/],
    ['a folder that is not there', { cwd: '/no/such/folder' }, 'folder-missing', /./],
  ])(
    'A call with %s rejects with an OperatorError and a hint, and creates no run',
    async (_, wrong, code, hint) => {
      const place = makePlace();
      const options = { ...optionsOf(place), ...wrong, ...('agent' in wrong ? { agent: wrong.agent } : {}) };
      const { answers, stdout, stderr } = await call(place, { options });
      expect(answers[0]?.error).toMatchObject({ name: 'OperatorError', code });
      expect(answers[0]?.error?.hint).toMatch(hint);
      expect([stdout, stderr, runFolders(place)]).toEqual(['', '', []]);
    },
  );

  it('A run that ends without proof says so, and one that waits for a person is parked', async () => {
    const place = makePlace();
    const taskFile = place.write(
      'tasks.md',
      '## Task 1: Write the price\n\n- [ ] it is right (check: false)\n',
    );
    const exhausted = await call(place, {
      options: { ...optionsOf(place, 'echo nothing'), budget: { attempts: 1 } },
    });
    expect(exhausted.answers[0]?.result).toMatchObject({ outcome: 'exhausted', proof: null, commits: [] });
    const [, agent = ''] = shellAgents(place, { builder: 'printf "===NEEDS_INPUT===\\nWhich currency?\\n"' });
    const parked = await call(place, {
      options: { taskFile, agent, flags: { preset: 'queue' } },
    });
    expect(parked.answers[0]?.result).toMatchObject({ outcome: 'parked', proof: null });
  });
});
