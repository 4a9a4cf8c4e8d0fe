import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { resolveRun } from '#config/resolve-run.ts';
import { exitCodes } from '#kernel/outcome.ts';
import { OperatorError } from '#ports/operator-error.ts';
import { driveHere } from '#surfaces/cli/drive-here.ts';
import { print, printJsonLine } from '#surfaces/cli/output.ts';
import { headerLines } from '#surfaces/cli/render/header.ts';

export interface DemoOptions {
  readonly json?: boolean;
  readonly keep?: boolean;
}

const git = promisify(execFile);

export async function demoCommand(options: DemoOptions): Promise<number> {
  const isJson = options.json === true;
  const folder = await mkdtemp(join(tmpdir(), 'untildone-demo-'));
  const say = (text: string): void => (isJson ? undefined : print(text));
  let isKept = options.keep === true;
  try {
    say(
      `A demonstration in ${folder}: a small repository whose test fails, and an agent that plays a script.`,
    );
    say('Its first attempt will claim to be done. Watch what our own check makes of that.\n');
    const root = await makeRepository(folder);
    const exitCode = await runIn(folder, root, isJson);
    // What failed is there to be looked at.
    if (exitCode !== exitCodes.completed) isKept = true;
    if (isKept) say(`\nThe repository is kept: cd ${root} && git log -p untildone/*`);
    else
      say('\n(The repository of the demonstration is removed again; --keep leaves it for you to look at.)');
    say(closing);
    return exitCode;
  } finally {
    if (!isKept) await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

async function runIn(folder: string, root: string, isJson: boolean): Promise<number> {
  const { openSite } = await import('#compose/site.ts');
  const { startRun } = await import('#compose.ts');
  // Kept apart from the person's own runs and settings, and gone with the folder.
  const env = {
    ...process.env,
    XDG_STATE_HOME: join(folder, 'state'),
    XDG_CONFIG_HOME: join(folder, 'config'),
  };
  for (const name of Object.keys(env)) if (name.startsWith('WIGGUM_')) delete env[name as keyof typeof env];
  const site = await openSite(root, env);
  await mkdir(join(folder, 'config/untildone'), { recursive: true });
  const agents = { demo: { driver: 'scripted', script: demoScript } };
  await writeFile(join(folder, 'config/untildone/config.jsonc'), JSON.stringify({ agents }));
  // Its agent plays our own script, so that it may be seen on every machine.
  const flags = { agent: ['demo'], check: ['node --test'], cooldown: '0', allowUnsandboxed: true };
  const resolved = await resolveRun(site, { goal: demoGoal, flags, sanityCheck: false });
  const { settleSandbox } = await import('#compose/sandbox.ts');
  const settled = { ...resolved, config: settleSandbox(resolved.config) };
  const runId = await startRun(site, settled);
  if (isJson) printJsonLine({ type: 'run', runId, isResumed: false, folder: root });
  else {
    const { readPreflight } = await import('#compose/run/preflight.ts');
    const items = await readPreflight(site, settled);
    for (const line of headerLines({ runId, preset: settled.config.preset, items })) print(line);
  }
  return driveHere(site, runId, { isJson, isPassing: true });
}

async function makeRepository(folder: string): Promise<string> {
  const root = join(folder, 'greeter');
  await mkdir(join(root, 'test'), { recursive: true });
  await writeFile(
    join(root, 'package.json'),
    `${JSON.stringify({ name: 'greeter', private: true, type: 'module' }, null, 2)}\n`,
  );
  await writeFile(join(root, 'test/greet.test.js'), demoTest);
  const run = (...args: string[]) =>
    git(
      'git',
      ['-c', 'user.name=demo', '-c', 'user.email=demo@localhost', '-c', 'commit.gpgsign=false', ...args],
      { cwd: root },
    );
  try {
    await run('init', '-q', '-b', 'main');
    await run('config', 'user.name', 'demo');
    await run('config', 'user.email', 'demo@localhost');
    await run('config', 'commit.gpgsign', 'false');
    await run('add', '.');
    await run('commit', '-q', '-m', 'a test that nothing fulfils yet');
  } catch (error) {
    throw new OperatorError(
      'no-git',
      `The demonstration needs git, and it failed: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : ''}`,
      'Install git 2.38 or newer; `untildone doctor` says what is there.',
    );
  }
  return root;
}

const demoGoal =
  'Write greet(name) in src/greet.js: it greets by name, and says "Hello, world!" without one.';

const demoTest = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { greet } from '../src/greet.js';

test('greets by name', () => assert.equal(greet('Ada'), 'Hello, Ada!'));
test('greets the world without a name', () => assert.equal(greet(), 'Hello, world!'));
`;

const demoScript = {
  turns: [
    {
      role: 'builder',
      actions: [
        { say: 'I will write the function.\n' },
        {
          write: {
            path: 'src/greet.js',
            text: 'export function greet(name) {\n  return `Hello, ${name}!`;\n}\n',
          },
        },
        { usage: { usd: 0, tokens: 900 } },
        { say: 'All done, everything works!\n\n===WIGGUM_COMPLETE===\n' },
      ],
    },
    {
      role: 'builder',
      actions: [
        { say: 'The check says that greet() without a name is wrong. Correcting it.\n' },
        {
          write: {
            path: 'src/greet.js',
            text: "export function greet(name = 'world') {\n  return `Hello, ${name}!`;\n}\n",
          },
        },
        { run: 'node --test' },
        { usage: { usd: 0, tokens: 1100 } },
        { say: 'Both tests pass now.\n\n===WIGGUM_COMPLETE===\n' },
      ],
    },
    {
      role: 'verifier',
      actions: [
        { tool: 'Read', summary: 'src/greet.js' },
        { run: 'node --test' },
        { say: 'I tried to refute both claims and could not.\n\n===VERIFIER_COMPLETE===\n' },
        { usage: { usd: 0, tokens: 700 } },
      ],
    },
  ],
};

const closing = `
That was a script. With a real agent, in a repository of yours:
  untildone doctor                                     which agents are here
  untildone run "what you want" --check "a command that fails today" --check "npm test" --agent claude`;
