// Adding a client needs a folder, a line in the list of clients, and a line in the table of known agents.
import { execFile } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as clients from '#agents/clients.ts';
import { linesMatching } from '../tidy/leftovers.ts';
import { repositoryFiles, root } from '../tidy/repository.ts';
import { isProduct } from '../tidy/source-file.ts';

interface Exception {
  readonly at: string;
  readonly names: readonly string[];
  readonly why: string;
}

/** Places besides those two lines that name a client. None of them has to name a further one. */
const exceptions: readonly Exception[] = [
  { at: 'src/surfaces/', names: ['claude', 'codex'], why: 'examples, and the plugin for Claude Code' },
  { at: 'src/app/', names: ['claude', 'codex'], why: 'examples, and the plugin for Claude Code' },
  { at: 'src/views/', names: ['claude', 'codex'], why: 'examples' },
  { at: 'src/tasks/', names: ['claude', 'codex'], why: 'examples' },
  { at: 'src/policies/', names: ['codex'], why: 'an example' },
  { at: 'src/config/agents/', names: ['claude', 'codex'], why: 'examples' },
  { at: 'src/config/schema/', names: ['claude', 'codex'], why: 'the drivers, in words' },
  { at: 'src/config/resolve/plan.ts', names: ['claude'], why: 'the name of a plan' },
  { at: 'src/agents/drivers.ts', names: ['claude', 'codex'], why: 'a client with a driver of its own' },
  { at: 'src/agents/opencode/', names: ['gemini'], why: 'it asks models of other makers' },
  { at: 'src/agents/shared/reset-time.ts', names: ['claude'], why: 'an example' },
  { at: 'src/kernel/model/allow-root.ts', names: ['claude'], why: 'a control that stands in journals' },
  { at: 'src/ports/workspace.ts', names: ['claude'], why: 'an example' },
  {
    at: 'src/adapters/machine/tool-folders.ts',
    names: ['claude'],
    why: 'one of the tools in a shared folder',
  },
  { at: 'src/adapters/sandbox/', names: ['claude', 'codex'], why: 'where a sandbox of a client meets ours' },
  {
    at: 'src/analysis/tampering/after-landing.ts',
    names: ['claude'],
    why: 'a client that runs hooks of a repository',
  },
];

describe.each(Object.keys(clients))('The client %s', (name) => {
  it('A client is named by two lines outside its folder, and by the listed exceptions', () => {
    const word = new RegExp(`(?<![a-z])${name}(?![a-z])`, 'i');
    const named = repositoryFiles()
      .filter((file) => isProduct(file) && !file.path.startsWith(`src/agents/${name}/`))
      .flatMap((file) => linesMatching(file, word));
    const allowed = exceptions.filter(({ names }) => names.includes(name));
    const isAllowed = (place: string): boolean => allowed.some(({ at }) => place.startsWith(at));
    expect(named.filter((place) => !isAllowed(place))).toEqual([
      expect.stringMatching(/^src\/agents\/clients\.ts:\d+$/),
      expect.stringMatching(/^src\/analysis\/tampering\/agent-files\.ts:\d+$/),
    ]);
    const needless = allowed.filter(({ at }) => !named.some((place) => place.startsWith(at)));
    expect(needless).toEqual([]);
  });
});

it.each(['clients', 'drivers'])(
  'The list of %s is in alphabetical order, as a module lists its exports',
  (list) => {
    const text = readFileSync(join(root, `src/agents/${list}.ts`), 'utf8');
    const names = [...text.matchAll(/^export \{ (\w+) \}/gm)].map(([, name]) => name ?? '');
    expect(names.length).toBeGreaterThan(3);
    expect(names).toEqual(names.toSorted((a, b) => (a < b ? -1 : 1)));
  },
);

describe('A client with a folder, facts and a line in the list', () => {
  const copy = mkdtempSync(join(tmpdir(), 'untildone-newcomer-'));
  const place = { repo: join(copy, 'repo'), home: join(copy, 'home'), bin: join(copy, 'bin') };

  beforeAll(async () => {
    cpSync(join(root, 'src'), join(copy, 'src'), { recursive: true });
    for (const name of ['package.json', 'docs', 'node_modules'])
      symlinkSync(join(root, name), join(copy, name));
    const facts = join(copy, 'src/agents/newcomer/facts.ts');
    mkdirSync(dirname(facts));
    cpSync(join(import.meta.dirname, 'newcomer-facts.ts'), facts);
    const line = "export { newcomer } from '#agents/newcomer/facts.ts';\n";
    appendFileSync(join(copy, 'src/agents/clients.ts'), line);
    for (const folder of Object.values(place)) mkdirSync(folder);
    const commit = '-c user.name=a -c user.email=a@b commit -q --allow-empty -m start'.split(' ');
    for (const args of [['init', '-q'], commit])
      await promisify(execFile)('git', ['-C', place.repo, ...args]);
  });
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  const install = (): void =>
    writeFileSync(join(place.bin, 'newcomer'), '#!/bin/sh\necho 1.2.3\n', { mode: 0o755 });

  async function untildone(args: readonly string[], env: { readonly [name: string]: string } = {}) {
    const path = [place.bin, dirname(process.execPath), '/usr/bin', '/bin'].join(':');
    const ended = promisify(execFile)(process.execPath, [join(copy, 'src/surfaces/cli/main.ts'), ...args], {
      cwd: place.repo,
      env: { PATH: path, HOME: place.home, UNTILDONE_SANDBOX: 'none', NO_COLOR: '1', ...env },
    });
    const { stdout, stderr } = await ended.catch((error: { stdout: string; stderr: string }) => error);
    return { stdout, stderr };
  }

  it('A new client is in the help of --agent and in the completion', async () => {
    expect((await untildone(['run', '--help'])).stdout.replaceAll(/\s+/g, ' ')).toContain(
      'gemini, newcomer, opencode',
    );
    expect((await untildone(['completion', 'bash'])).stdout).toContain('newcomer');
  });

  it('A new client that is not ready is refused with the command to install it and to log in', async () => {
    const run = ['run', 'x', '--check', 'test -e x', '--agent', 'newcomer', '--dry-run'];
    expect((await untildone(run)).stderr).toContain('Install it (npm install -g newcomer-cli)');
    install();
    expect((await untildone(run)).stderr).toContain(
      'Log in: newcomer login. Or pay by a key: export NEWCOMER_API_KEY=…',
    );
  });

  it('A new client is in the report of doctor with its payer, also as the output format of a command', async () => {
    install();
    const own = { driver: 'command', command: 'newcomer -p', output: 'newcomer' };
    mkdirSync(join(place.repo, '.untildone'));
    writeFileSync(join(place.repo, '.untildone/config.jsonc'), JSON.stringify({ agents: { own } }));
    const { stdout } = await untildone(['doctor', '--json'], { NEWCOMER_API_KEY: 'k' });
    const { agents } = JSON.parse(stdout) as { agents: { name: string }[] };
    expect(agents.find(({ name }) => name === 'newcomer')).toMatchObject({
      title: 'Newcomer CLI',
      version: '1.2.3',
      state: 'ready',
      payer: { kind: 'key', name: 'NEWCOMER_API_KEY' },
      refusal: null,
    });
    expect(agents.find(({ name }) => name === 'own')).toMatchObject({ state: 'ready', refusal: null });
  });
});
