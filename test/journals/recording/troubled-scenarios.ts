// Runs with trouble: killed, lied to, refuted, limited or given up.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { passes, saysDone, seesFile, shellAgents, shellCommand, writesFile } from '../../e2e/agents.ts';
import type { Place } from '../../e2e/place.ts';
import { makePlace } from '../../e2e/place.ts';
import { isAlive, send } from '../../e2e/processes.ts';
import { until } from '../../e2e/wait.ts';
import { does } from './scenario.ts';
import type { Scenario } from './scenario.ts';

export const troubledScenarios: { readonly [name: string]: Scenario } = {
  exhausted: async () => {
    const place = makePlace();
    const builder = `echo "wrong $n" > done.txt; ${saysDone}`;
    const args = [
      'run',
      'do it',
      '--check',
      seesFile,
      '--max-loops',
      '2',
      ...shellAgents(place, { builder }),
    ];
    await does(place, args, 3);
    return place;
  },
  killed: async () => killedInSession(),
  'killed-and-adopted': async () => {
    const place = await killedInSession();
    place.write('go', '');
    await does(place, ['resume'], 0);
    return place;
  },
  // The result of an interrupted check is unknown: the step is lost, and repeated.
  'killed-in-check': async () => {
    const place = makePlace();
    const check = `touch '${place.folder}/busy'; while [ ! -e '${place.folder}/go' ]; do sleep 0.05; done; ${seesFile}`;
    const driver = place.start([
      'run',
      'do it',
      '--check',
      check,
      ...shellAgents(place, { builder: writesFile }),
    ]);
    await until('the check', () => existsSync(join(place.folder, 'busy')));
    send(driver.pid, 'SIGKILL');
    await driver.ended;
    place.write('go', '');
    await does(place, ['resume'], 0);
    return place;
  },
  // One finds a blocker that we see ourselves, the other one is content; then both are.
  'reviewers-refuted': async () => {
    const place = makePlace();
    const reviewers = [{ name: 'security', agent: shellCommand(place) }];
    place.write('repo/.untildone/config.jsonc', JSON.stringify({ reviewers }));
    const blocker = { what: 'no manual', severity: 'major', command: 'echo looked; test -f manual.txt' };
    const fail = verdict({ verdict: 'fail', confidence: 0.9, blockers: [blocker] });
    const verifier = `if [ $UNTILDONE_ROLE = security ] && [ ! -f manual.txt ]; then ${fail}; else ${passes}; fi`;
    const builder = `echo right > done.txt; [ $n = 2 ] && echo m > manual.txt; ${saysDone}`;
    await does(place, ['run', 'do it', '--check', seesFile, ...shellAgents(place, { builder, verifier })], 0);
    return place;
  },
  // A changed test that a person has not accepted yet.
  tampering: async () => {
    const place = tampered();
    await does(place, tamperArgs(place), 6);
    return place;
  },
  'tampering-accepted': async () => {
    const place = tampered();
    await does(place, tamperArgs(place), 6);
    await does(place, ['accept', 'sum.test.sh', '--why', 'the sum is four'], 0);
    await does(place, ['resume'], 0);
    return place;
  },
  // Put right by the next builder; then a reviewer writes a file, and its verdict does not count.
  'tampering-righted': async () => {
    const place = tampered();
    const builder = `if [ $n = 1 ]; then echo "exit 0" > sum.test.sh; else git checkout -q HEAD sum.test.sh; echo 3 > sum.txt; fi; ${saysDone}`;
    const verifier = `if [ $n = 1 ]; then echo x > mine.txt; fi; ${passes}`;
    const agents = shellAgents(place, { builder, verifier });
    await does(place, ['run', 'add', '--check', 'sh sum.test.sh', ...agents], 0);
    return place;
  },
  // Later than the longest wait: a person resumes it.
  'usage-limit': async () => {
    const place = limited();
    await does(place, limitedArgs, 6);
    return place;
  },
  // The next one of the list works meanwhile.
  'usage-limit-fallback': async () => {
    const place = limited({ routing: { fallbacks: ['spare'] } });
    await does(place, limitedArgs, 0);
    return place;
  },
};

const verdict = (fields: object): string =>
  `printf '%s\\n' '<verdict>${JSON.stringify(fields).replaceAll("'", '')}</verdict>'`;

/** The driver is killed while its builder works, and what it left has ended. */
async function killedInSession(): Promise<Place> {
  const place = makePlace();
  const builder = [
    `touch '${place.folder}/busy'`,
    `i=0; while [ ! -e '${place.folder}/go' ] && [ $i -lt 1200 ]; do sleep 0.05; i=$((i+1)); done`,
    writesFile,
  ].join('\n');
  const args = ['run', 'do it', '--check', seesFile, ...shellAgents(place, { builder })];
  const driver = place.start(args, { isGroup: true });
  await until('the builder', () => existsSync(join(place.folder, 'busy')));
  send(driver.pid, 'SIGKILL');
  await driver.ended;
  await until('the end of what it left', () => place.living().every(({ pid }) => !isAlive(pid)));
  return place;
}

function tampered(): Place {
  const test = '# it adds\ntest -f sum.txt && grep -q 3 sum.txt\n';
  return makePlace({ files: { 'sum.test.sh': test, 'README.md': 'x\n' } });
}

function tamperArgs(place: Place): string[] {
  const builder = `echo "grep -q 4 sum.txt" > sum.test.sh; echo 4 > sum.txt; ${saysDone}`;
  return ['run', 'add', '--check', 'sh sum.test.sh', ...shellAgents(place, { builder })];
}

/** A client that always says that its usage limit ends in two days, and one that has none. */
function limited(more: object = {}): Place {
  const place = makePlace();
  const twoDaysMs = 48 * 3_600_000;
  const message = `usage limit reached|${Date.now() + twoDaysMs}`;
  const lines = [
    'cat > /dev/null',
    `echo '${JSON.stringify({ type: 'turn.failed', error: { message } })}'`,
    'exit 1',
  ];
  const item = { id: 'i', type: 'agent_message', text: '===WIGGUM_COMPLETE===' };
  const usage = { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1 };
  const works = [
    'cat > /dev/null',
    'echo right > done.txt',
    `echo '{"type":"thread.started","thread_id":"t"}'`,
    `echo '${JSON.stringify({ type: 'item.completed', item })}'`,
    `echo '${JSON.stringify({ type: 'turn.completed', usage })}'`,
  ];
  const agent = (name: string, text: readonly string[]): object => ({
    driver: 'command',
    command: `sh ${place.write(name, text.join('\n'))}`,
    prompt: 'stdin',
    output: 'codex',
  });
  const agents = { limited: agent('limited.sh', lines), spare: agent('spare.sh', works) };
  place.write('config/untildone/config.jsonc', JSON.stringify({ agents, ...more }));
  return place;
}

const limitedArgs = [
  'run',
  'do it',
  '--agent',
  'limited',
  '--verifier',
  'none',
  '--check',
  seesFile,
  '--max-loops',
  '1',
];
