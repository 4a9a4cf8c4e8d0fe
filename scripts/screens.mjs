// `npm run screens`: makes docs/images from real terminal sessions of the built program. Needs tmux and git.
//
//   npm run screens                    all pictures
//   npm run screens -- status plan     some of them
//   npm run screens -- --columns 140   another width
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ansiToSvg } from './ansi-to-svg.mjs';
import { buildWhenStale } from './build.mjs';
import { root } from './tools.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { columns: { type: 'string', default: '96' }, out: { type: 'string', default: 'docs/images' } },
});
const columns = Number(values.columns);
const screenMsMax = 120_000;

const wrong = 'export const greet = (name) => `Hello, ${name}!`;\n';
const right = "export const greet = (name = 'world') => `Hello, ${name}!`;\n";
const done = '\n===WIGGUM_COMPLETE===\n';
const script = {
  turns: [
    {
      role: 'builder',
      actions: [
        { write: { path: 'src/greet.js', text: wrong } },
        { say: `All done, everything works!\n${done}` },
      ],
    },
    {
      role: 'builder',
      actions: [
        { say: 'greet() without a name is wrong. Correcting it.\n' },
        { write: { path: 'src/greet.js', text: right } },
        { run: 'node --test' },
        { say: `Both tests pass now.\n${done}` },
      ],
    },
    {
      role: 'verifier',
      actions: [
        { run: 'node --test' },
        { say: 'I tried to refute both claims and could not.\n\n===VERIFIER_COMPLETE===\n' },
      ],
    },
  ],
};
const plan = {
  summary: 'Greet by name, then greet the world.',
  tasks: [
    {
      id: 'T1',
      title: 'Write greet(name)',
      description: 'A function that greets by name.',
      exitCriteria: [{ text: 'it greets by name', check: 'node --test --test-name-pattern "by name"' }],
    },
    {
      id: 'T2',
      title: 'Greet the world without a name',
      description: 'A default for the name.',
      dependsOn: ['T1'],
      exitCriteria: [{ text: 'it greets the world', check: 'node --test' }],
    },
    {
      id: 'T3',
      title: 'Describe it in the README',
      description: 'One line of usage.',
      dependsOn: ['T1'],
      creates: ['README.md'],
      exitCriteria: [{ text: 'README.md names greet', check: 'grep -q greet README.md' }],
    },
  ],
};
const architect = {
  turns: [{ role: 'architect', actions: [{ say: `<plan>\n${JSON.stringify(plan)}\n</plan>\n` }] }],
};

const goal = 'Write greet(name): greet by name, or the world';
const run = `untildone run "${goal}" --check "node --test" --agent scripted:../script.json --allow-unsandboxed`;

/** Each picture: the commands that lead to it, the command that it shows, and how many of its lines. */
const screens = {
  preflight: { show: `${run} --dry-run` },
  run: { show: run, until: /^✅ Completed/m },
  summary: { before: [run], show: 'untildone show', from: /^✅ Completed/m },
  status: { before: [run], show: 'untildone status' },
  plan: {
    before: [`untildone plan "${goal}" --agent scripted:../architect.json --allow-unsandboxed`],
    show: 'untildone plan',
  },
  doctor: { show: 'untildone doctor' },
};

await buildWhenStale();
const folder = resolve(root, values.out);
mkdirSync(folder, { recursive: true });
for (const [name, screen] of Object.entries(screens)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const svg = ansiToSvg(await take(screen), { title: shortTitle(screen.show), columns });
  writeFileSync(join(folder, `${name}.svg`), svg);
  console.log(`${values.out}/${name}.svg`);
}

/** @type {(screen: { before?: string[], show: string, from?: RegExp, until?: RegExp }) => Promise<string>} */
async function take({ before = [], show, from, until }) {
  // As long as `/home/ada`, which replaces it in the picture, so that lines break as they would there.
  const home = join(tmpdir(), randomBytes(2).toString('hex'));
  mkdirSync(home, { mode: 0o700 });
  const socket = join(home, 'tmux.sock');
  const tmux = (/** @type {string[]} */ ...args) =>
    execFileSync('tmux', ['-S', socket, ...args], { encoding: 'utf8' });
  try {
    makeProject(home);
    const done = join(home, 'done');
    const quiet = before.map((command) => `${command} >/dev/null 2>&1 </dev/null`);
    writeFileSync(
      join(home, 'scene.sh'),
      [...environment(home), ...quiet, 'clear', show, `touch '${done}'`, 'sleep 60', ''].join('\n'),
    );
    tmux(
      '-f',
      '/dev/null',
      'new-session',
      '-d',
      '-x',
      String(columns),
      '-y',
      '50',
      `sh '${join(home, 'scene.sh')}'`,
    );
    tmux('set-option', '-g', 'history-limit', '5000');
    await exists(done);
    const text = tmux('capture-pane', '-e', '-p', '-S', '-').replaceAll(home, '/home/ada');
    return cut(text, from, until);
  } finally {
    try {
      tmux('kill-server');
    } catch {
      // It has ended already.
    }
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/** @type {(home: string) => string[]} */
function environment(home) {
  return [
    `export HOME='${home}' XDG_STATE_HOME='${home}/.local/state' XDG_CONFIG_HOME='${home}/.config'`,
    `untildone() { '${process.execPath}' '${join(root, 'bin/untildone.js')}' "$@"; }`,
    `cd '${home}/greeter'`,
  ];
}

/** @type {(home: string) => void} */
function makeProject(home) {
  const folder = join(home, 'greeter');
  mkdirSync(join(folder, 'test'), { recursive: true });
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(home, 'script.json'), JSON.stringify(script));
  writeFileSync(join(home, 'architect.json'), JSON.stringify(architect));
  writeFileSync(join(folder, 'package.json'), '{ "name": "greeter", "private": true, "type": "module" }\n');
  writeFileSync(join(folder, 'src/greet.js'), "export const greet = () => 'Hello!';\n");
  writeFileSync(
    join(folder, 'test/greet.test.js'),
    [
      "import assert from 'node:assert/strict';",
      "import { test } from 'node:test';",
      "import { greet } from '../src/greet.js';",
      "test('greets by name', () => assert.equal(greet('Ada'), 'Hello, Ada!'));",
      "test('greets the world', () => assert.equal(greet(), 'Hello, world!'));",
      '',
    ].join('\n'),
  );
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], {
      cwd: folder,
    });
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'Ada');
  git('config', 'user.email', 'ada@example.com');
  git('add', '.');
  git('commit', '-q', '-m', 'tests for greet');
}

/** @type {(file: string) => Promise<void>} */
async function exists(file) {
  const { existsSync } = await import('node:fs');
  for (let waited = 0; waited < screenMsMax; waited += 100) {
    if (existsSync(file)) return;
    await sleep(100);
  }
  throw new Error(`no end after ${screenMsMax / 1000} s`);
}

/** From the first line that matches, to the last that does. @type {(text: string, from?: RegExp, until?: RegExp) => string} */
function cut(text, from, until) {
  // oxlint-disable-next-line no-control-regex -- styles are not part of what is matched
  const plain = text.split('\n').map((line) => line.replaceAll(/\u001B\[[\d;]*m/g, ''));
  const first =
    from === undefined
      ? 0
      : Math.max(
          0,
          plain.findIndex((line) => from.test(line)),
        );
  const last =
    until === undefined ? plain.length : plain.findIndex((line) => until.test(line)) + 1 || plain.length;
  return text.split('\n').slice(first, last).join('\n');
}

/** @type {(command: string) => string} */
function shortTitle(command) {
  return command.replaceAll(/ --(agent|check|allow-unsandboxed)( "[^"]*"| \S*)?/g, '').slice(0, 80);
}
