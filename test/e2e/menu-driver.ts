// Shows one menu and writes what came of it to a file: `node menu-driver.ts FILE`. The words of MENU ask for more.
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { canShowMenu } from '#surfaces/cli/screen/can-show-menu.ts';
import { showMenu } from '#surfaces/cli/screen/show-menu.ts';

const [file = ''] = process.argv.slice(2);
const wishes = new Set((process.env['MENU'] ?? '').split(' '));
const { stdin: input, stdout: output, env } = process;
const closing = new AbortController();
const close = (): void => closing.abort('Ann paused this run at another terminal.');
process.on('SIGUSR2', close);
if (wishes.has('is-closed')) close();
if (wishes.has('read-ahead')) {
  const { promise, resolve } = Promise.withResolvers<void>();
  process.once('SIGWINCH', () => resolve());
  const busy = setInterval(() => {}, 1_000_000);
  process.stdout.write('working\n');
  await promise;
  clearInterval(busy);
}

const head = [
  'Goal: the login works with a key   ·   turn 4 of 10   ·   0.42 USD',
  '',
  '  ✅ tests: npm test passes',
  '  ❌ login: a wrong key is refused \u001B[31mwith status 401\u001B[0m',
  '  ⏳ docs: 手順書 names the new setting',
];
let heads = 0;
/** How often SIGHUP had no listener for a moment: one that came then would have ended the program. */
let hangUpGaps = 0;
process.on('removeListener', (name) => {
  if (name === 'SIGHUP' && process.listenerCount('SIGHUP') === 0) hangUpGaps += 1;
});

async function main(): Promise<unknown> {
  if (!canShowMenu({ input, output, env })) return { kind: 'no menu' };
  return showMenu({
    input,
    output,
    head(columns) {
      heads += 1;
      if (wishes.has('breaks') && heads > 1) throw new Error('the head broke');
      return columns < 30 ? head.slice(0, 1) : head;
    },
    choices: [
      { key: 'd', name: 'develop', description: 'let the agent go on with what is open', takesText: true },
      {
        key: 'b',
        name: 'debug',
        description: 'let the agent find the cause of a failing check',
        takesText: true,
      },
      { key: 'v', name: 'validate', description: 'run the checks now', takesText: false },
      { key: 'c', name: 'complete', description: 'end the run if everything is proven', takesText: false },
    ],
    exit: { key: 'x', name: 'exit', description: 'save and leave; untildone resume goes on' },
    asides: [
      { key: 'f', name: 'diff', show: async () => '+ one line\n\u001B]0;title\u0007- another' },
      { key: 'l', name: 'log', show: () => Promise.reject(new Error('no log yet')) },
      { key: 's', name: 'status', show: () => new Promise(() => {}) },
      { key: 'e', name: 'end', show: () => process.exit(7) },
    ],
    signal: closing.signal,
    isColoured: env['NO_COLOR'] === undefined,
  }).catch((error: unknown) => ({ error: String(error) }));
}

const first = await main();
const result = wishes.has('twice') ? [first, await main()] : first;
writeFileSync(file, JSON.stringify({ result, isRaw: input.isRaw, hangUpGaps }));
// A program that saves for a while: another Ctrl-C is not the menu's any more.
if (wishes.has('lingers')) await sleep(600_000);
