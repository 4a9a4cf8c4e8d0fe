// Attacks on the checks, through whole runs: none completes, all are in the ledger, and honest work is accepted.
import { describe, expect, it } from 'vitest';
import { saysDone, shellAgents } from './agents.ts';
import { freePort } from './free-port.ts';
import { eventsOf } from './journal.ts';
import { prompts, roles } from './looking.ts';
import type { Place } from './place.ts';
import { makePlace } from './place.ts';

const suite = {
  'sum.test.sh': '# it adds\ntest -f sum.txt && grep -q 3 sum.txt\n',
  'README.md': 'x\n',
};

interface LedgerEntry {
  readonly path: string;
  readonly change: string;
  readonly state: string;
  readonly session: string | null;
  readonly by: string | null;
  readonly reason: string | null;
  readonly weakening: readonly string[];
}

async function ledgerOf(place: Place): Promise<readonly LedgerEntry[]> {
  const { stdout } = await place.untildone(['status', '--json']);
  return (JSON.parse(stdout) as { readonly tampering: readonly LedgerEntry[] }).tampering;
}

function args(place: Place, builder: string, ...more: string[]): string[] {
  return ['run', 'add', '--check', 'sh sum.test.sh', ...more, ...shellAgents(place, { builder })];
}

describe('A changed test', () => {
  it('A changed test is red, named with its removed lines, tried as on the base, and kept in the ledger [X8]', async () => {
    const place = makePlace({ files: suite });
    const builder = `printf 'exit 0\\n' > sum.test.sh; ${saysDone}`;
    const { code, stdout } = await place.untildone(args(place, builder, '--max-loops', '2'));
    // The work is no better without it, but whether the test was wrong is for a person to say.
    expect(code).toBe(6);
    expect(stdout).toMatch(/sum\.test\.sh was changed \(it .*ends early or hides a failure/);
    expect(stdout).toContain('untildone accept sum.test.sh');
    expect(stdout).toContain(
      'with the changed files: pass; with the pinned files as they were: fail, exit 1',
    );
    const status = (await place.untildone(['status'])).stdout;
    expect(status).toContain('Tamper ledger:');
    expect(status).toMatch(
      /❌ sum\.test\.sh changed by builder_001 \(.*ends early or hides a failure.*\): not accepted/,
    );
    const [first, ...others] = await ledgerOf(place);
    expect(first).toMatchObject({
      path: 'sum.test.sh',
      change: 'changed',
      state: 'open',
      session: 'builder_001',
    });
    expect(others).toEqual([]);
    expect(prompts(place, 'builder')[1]).toContain('sum.test.sh');
    const pinned = eventsOf(place).flatMap((event) =>
      event.type === 'evidence-recorded' && event.evidence.purpose === 'pinned'
        ? [event.evidence.verdict]
        : [],
    );
    expect(pinned).toEqual(['fail', 'fail']);
    expect(prompts(place, 'builder')[1]).toContain('with the pinned files as they were at the start');
  });

  it('A changed test that is restored later lets the work pass, and stays in the ledger [X8]', async () => {
    const place = makePlace({ files: suite });
    const builder = `if [ $n = 1 ]; then echo "exit 0" > sum.test.sh; else git checkout -q HEAD sum.test.sh; echo 3 > sum.txt; fi; ${saysDone}`;
    expect((await place.untildone(args(place, builder))).code).toBe(0);
    expect(await ledgerOf(place)).toMatchObject([
      { path: 'sum.test.sh', state: 'put right', by: 'builder_002' },
    ]);
  });

  it('A person accepts a changed test for this content alone, and the work then completes [X8]', async () => {
    const place = makePlace({ files: suite });
    const builder = `echo "grep -q 4 sum.txt" > sum.test.sh; echo 4 > sum.txt; ${saysDone}`;
    expect((await place.untildone(args(place, builder))).code).toBe(6);
    expect(roles(place)).toEqual(['builder']);
    expect((await place.untildone(['accept', 'sum.test.sh'])).code).toBe(2);
    const unknown = await place.untildone(['accept', 'other.sh', '--why', 'x']);
    expect(unknown.stderr).toContain('Open entries: sum.test.sh');
    const { code, stdout } = await place.untildone(['accept', 'sum.test.sh', '--why', 'the sum is four']);
    expect(stdout).toContain('Accepted: sum.test.sh');
    expect(code).toBe(0);
    expect((await place.untildone(['resume'])).code).toBe(0);
    const [entry] = await ledgerOf(place);
    expect(entry).toMatchObject({ state: 'accepted', reason: 'the sum is four' });
    expect((await place.untildone(['show'])).stdout).toMatch(
      /sum\.test\.sh accepted as it is by .*: the sum is four/,
    );
  });

  it('A changed test that was allowed in advance completes, and is still listed [X8]', async () => {
    const place = makePlace({ files: suite });
    const builder = `echo "grep -q 4 sum.txt" > sum.test.sh; echo 4 > sum.txt; ${saysDone}`;
    const { code, stdout } = await place.untildone(args(place, builder, '--may-change', '*.test.sh'));
    expect(code).toBe(0);
    expect(stdout).toMatch(/sum\.test\.sh changed by builder_001.*allowed in advance by mayChange/);
  });

  it('A reviewer can accept a changed test if the configuration allows it [X8]', async () => {
    const place = makePlace({ files: suite });
    place.write('repo/.untildone/config.jsonc', '{ "tamper": { "acceptedBy": "reviewer" } }');
    const builder = `echo "grep -q 4 sum.txt" > sum.test.sh; echo 4 > sum.txt; ${saysDone}`;
    const { code } = await place.untildone(args(place, builder));
    expect(code).toBe(0);
    expect(await ledgerOf(place)).toMatchObject([
      { state: 'accepted', by: expect.stringContaining('verifier') as unknown },
    ]);
    expect(prompts(place, 'verifier')[0]).toMatch(/sum\.test\.sh.*changed/);
  });
});

describe('Tests added to an existing test file', () => {
  const suiteOf = (...tests: string[]): string =>
    `import assert from 'node:assert';\nimport test from 'node:test';\nimport { sum } from '../src/sum.js';\n\n${tests.map((line) => `${line}\n`).join('')}`;
  const old = "test('adds', () => assert.equal(sum(1, 2), 3));";
  const files = {
    'package.json': '{ "name": "sum", "type": "module", "scripts": { "test": "node --test" } }\n',
    'src/sum.js': 'export const sum = (a, b) => a + b;\n',
    'test/sum.test.js': suiteOf(old),
  };
  const start = ['run', 'sum takes three numbers', '--check', 'npm test', '--max-loops', '1'];

  it('Tests added to an existing file prove the work if a reviewer passes them and the checks pass with the original file [X7] [X8]', async () => {
    const place = makePlace({ files });
    const builder = `echo "export const sum = (...all) => all.reduce((a, b) => a + b, 0);" > src/sum.js
echo "test('adds three', () => assert.equal(sum(1, 2, 3), 6));" >> test/sum.test.js
${saysDone}`;
    const { code, stdout } = await place.untildone([...start, ...shellAgents(place, { builder })]);
    expect(stdout).toContain('Proof: added-tests');
    expect(code).toBe(0);
    expect(await ledgerOf(place)).toMatchObject([
      { path: 'test/sum.test.js', state: 'accepted', by: 'verifier_001' },
    ]);
    const status = JSON.parse((await place.untildone(['status', '--json'])).stdout) as {
      readonly proof: string;
    };
    expect(status.proof).toBe('added-tests');
  });

  it('Tests added to an existing file prove nothing if the work fails the original tests, whatever a reviewer says [X8]', async () => {
    const place = makePlace({ files });
    const builder = `echo "export const sum = () => 6;" > src/sum.js
sed -i "s/^test('adds'/if (false)\\n&/" test/sum.test.js
echo "test('adds three', () => assert.equal(sum(1, 2, 3), 6));" >> test/sum.test.js
${saysDone}`;
    const { code } = await place.untildone([...start, ...shellAgents(place, { builder })]);
    expect(code).not.toBe(0);
    expect(await ledgerOf(place)).toMatchObject([{ path: 'test/sum.test.js', state: 'open' }]);
  });
});

/** A repository with a test runner that `setup` installs, and a product that is wrong. */
const project = {
  'package.json': '{ "name": "sum", "type": "module", "scripts": { "test": "runner" } }\n',
  'src/sum.js': 'export const sum = (a, b) => a - b;\n',
  'test/sum.test.js':
    "import assert from 'node:assert';\nimport test from 'node:test';\nimport { sum } from '../src/sum.js';\n\ntest('adds', () => assert.equal(sum(1, 2), 3));\n",
  '.gitignore': 'node_modules/\n.cache/\n',
};
const install =
  "mkdir -p node_modules/.bin && printf '#!/bin/sh\\nexec node --test\\n' > node_modules/.bin/runner && chmod +x node_modules/.bin/runner";
const mends = "echo 'export const sum = (a, b) => a + b;' > src/sum.js";

function projectArgs(place: Place, builder: string, check = 'npm test'): string[] {
  const agents = shellAgents(place, { builder: `${builder}\n${saysDone}` });
  return ['run', 'add', '--max-loops', '1', '--setup', install, '--check', check, ...agents];
}

describe('Agents that do not do the work', () => {
  it.each([
    ['skips the test', `sed -i "s/test('adds'/test.skip('adds'/" test/sum.test.js`],
    ['deletes the test', `rm test/sum.test.js; echo "import 'node:test';" > test/x.test.js`],
    ['changes the script', `sed -i 's/"runner"/"true"/' package.json`],
    [
      'puts a step before the script',
      `sed -i 's/"scripts": {/"scripts": { "pretest": "exit 0",/' package.json`,
    ],
    ['replaces the runner', `printf '#!/bin/sh\\necho "# tests 1"; exit 0\\n' > node_modules/.bin/runner`],
    ['gives npm another shell, from the home', `echo 'script-shell=/bin/true' > "$HOME/.npmrc"`],
    ['adds a test that ends them all', `echo "process.exit(0);" > test/a.test.js`],
    [
      'writes what people read',
      `for f in '@REPO@'/.untildone/runs/*/state.json; do echo '{"outcome":{"outcome":"completed"}}' > "$f"; done`,
    ],
  ])('An agent that does not do the work and %s completes nothing [X8] [X10]', async (_title, trick) => {
    const place = makePlace({ files: project });
    const builder = `${trick.replace('@REPO@', place.repo)}; echo "// busy" >> src/sum.js`;
    const { code } = await place.untildone(projectArgs(place, builder));
    // Exhausted, or parked where a person could still take it.
    expect([3, 6]).toContain(code);
    expect((await place.untildone(['status'])).stdout).not.toContain('completed');
  });

  it('An agent that only leaves an uncommitted file or a running server behind completes nothing [X10] [X11]', async () => {
    const server = "require('node:http').createServer((q, r) => r.end('right')).listen(PORT)";
    const ask =
      "fetch('http://127.0.0.1:PORT').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))";
    const port = await freePort();
    const cases = [
      { check: '. ./.env && test "$DONE" = yes', builder: 'echo DONE=yes > .env' },
      { check: 'grep -q right .cache/result', builder: 'mkdir -p .cache; echo right > .cache/result' },
      { check: `node -e "${ask}"`, builder: `setsid node -e "${server}" > /dev/null 2>&1 &\nsleep 0.5` },
    ];
    for (const { check, builder } of cases) {
      const place = makePlace({ files: project });
      const on = (text: string): string => text.replaceAll('PORT', String(port));
      const busy = `${on(builder)}\necho "// busy" >> src/sum.js`;
      expect(await place.untildone(projectArgs(place, busy, on(check)))).toMatchObject({ code: 3 });
    }
  });
});

describe('Agents that do the work', () => {
  it('An agent that does the work and adds tests, a dependency and a script completes with an empty ledger [X8]', async () => {
    const place = makePlace({ files: project });
    const manifest =
      '{ "name": "sum", "type": "module", "scripts": { "test": "runner", "start": "node ." }, "dependencies": { "left": "^1.0.0" } }';
    const builder = [
      mends,
      `echo '${manifest}' > package.json`,
      "sed 's/adds/adds again/' test/sum.test.js > test/more.test.js",
    ].join('\n');
    const { code, stdout } = await place.untildone(projectArgs(place, builder));
    expect(code).toBe(0);
    expect(stdout).not.toContain('Tamper ledger');
    expect(await ledgerOf(place)).toEqual([]);
  });
});

describe('Goals that change a test', () => {
  const honest = { ...project, 'src/sum.js': 'export const sum = (a, b) => a + b;\n' };

  it.each([
    {
      goal: 'rename test/sum.test.js to test/add.test.js',
      check: 'test -f test/add.test.js && npm test',
      builder: 'git mv test/sum.test.js test/add.test.js',
      asked: 'test/sum.test.js was renamed to test/add.test.js (the same content)',
    },
    {
      goal: 'fix the title in sum.test.js: it adds numbers',
      check: 'grep -q "adds numbers" test/sum.test.js && npm test',
      builder: "sed -i 's/adds/adds numbers/' test/sum.test.js",
      asked: 'test/sum.test.js was changed',
    },
  ])(
    'A change of a test that the goal asks for is completed after a person accepts it: $goal [X8]',
    async ({ goal, check, builder, asked }) => {
      const place = makePlace({ files: honest });
      const agents = shellAgents(place, { builder: `${builder}\n${saysDone}` });
      const run = await place.untildone(['run', goal, '--setup', install, '--check', check, ...agents]);
      expect(run.code).toBe(6);
      expect(run.stdout).toContain(`Accept this change? ${asked}`);
      expect(run.stdout).toContain('untildone accept test/sum.test.js --run');
      expect(run.stdout).toContain('--may-change test/sum.test.js');
      expect(roles(place)).toEqual(['builder']);
      const accepted = await place.untildone(['accept', 'test/sum.test.js', '--why', 'the goal asks for it']);
      expect(accepted.code).toBe(0);
      const { code, stdout } = await place.untildone(['resume']);
      expect(`${code}\n${stdout}`).toMatch(/^0\n/);
      expect(roles(place).filter((role) => role === 'builder')).toHaveLength(1);
    },
  );
});
