// `doctor`: its lines about each agent, and the trial of an agent, through the real program.
import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtEntry } from '#test/program.ts';

const main = builtEntry('cli');
let folder = '';
let temporary = '';

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'untildone-doctor-test-')));
  temporary = join(folder, 'tmp');
  for (const name of ['tmp', 'bin', 'home/.claude', 'home/.codex', 'repo'])
    mkdirSync(join(folder, name), { recursive: true });
  const git = (...args: string[]): void => void execFileSync('git', args, { cwd: join(folder, 'repo') });
  git('init', '-q', '-b', 'main');
  const as = ['-c', 'user.name=t', '-c', 'user.email=t@localhost', '-c', 'commit.gpgsign=false'];
  git(...as, 'commit', '-q', '--allow-empty', '-m', 'base');
  git('config', 'user.name', 't');
  git('config', 'user.email', 't@localhost');
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

interface Said {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function untildone(args: readonly string[], env: { readonly [name: string]: string } = {}): Promise<Said> {
  const own = {
    PATH: process.env['PATH'] ?? '',
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
    HOME: join(folder, 'home'),
    TMPDIR: temporary,
    XDG_STATE_HOME: join(folder, 'state'),
    UNTILDONE_SANDBOX: 'none',
    ...env,
  };
  const options = { cwd: join(folder, 'repo'), env: own, timeout: 600_000 };
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...args], options, (error, out, err) => {
      resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : null, out, err });
    });
  });
}

describe('agents in doctor', () => {
  let server: Server;
  beforeAll(async () => {
    server = createServer((request, response) => {
      const models = request.url === '/api/tags' ? [{ name: 'qwen3:4b' }, { name: 'big' }] : [];
      response.end(JSON.stringify({ models }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    for (const [name, version] of [
      ['claude', '9.8.7 (Claude Code)'],
      ['codex', 'codex-cli 1.2.3'],
      ['gemini', ''],
    ]) {
      const program = join(folder, 'bin', name ?? '');
      writeFileSync(program, `#!/bin/sh\necho '${version ?? ''}'\n`);
      chmodSync(program, 0o755);
    }
    writeFileSync(join(folder, 'home/.claude/.credentials.json'), '{"claudeAiOauth":{}}');
  });
  afterAll(() => server.close());

  const around = (): { [name: string]: string } => ({
    PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`,
    OLLAMA_HOST: `127.0.0.1:${(server.address() as AddressInfo).port}`,
  });

  it("Doctor shows each agent's version, payment, abilities, login command and name", async () => {
    const { code, out } = await untildone(['doctor', '--allow-root'], around());
    expect(code).toBe(0);
    expect(out).toMatch(/^Ready\. Agents: claude \(subscription\), ollama \(local model\)\.\n\n/);
    // Nothing that stops a run is missing.
    expect(out).not.toContain('❌');
    expect(out).toMatch(
      /✅ claude +Claude Code 9\.8\.7 · paid by your Claude subscription\n +resumes, receives messages while it works, reports USD, no own sandbox\n/,
    );
    expect(out).toMatch(/⚠️ {2}codex +Codex 1\.2\.3 · no login found: codex login\n.*has its own sandbox/);
    expect(out).toMatch(/⚠️ {2}gemini +Gemini CLI · no login found/);
    expect(out).toMatch(
      /✅ ollama +Ollama · 2 models: qwen3:4b, big · free \(a local model\)\n.*--agent ollama:qwen3:4b/,
    );
    // A screen: the agents, and a line for each promise of the sandbox.
    expect(out.split('\n').length).toBeLessThanOrEqual(40);
  });

  it.runIf(process.getuid?.() === 0)(
    'Doctor reports Claude Code as root without a sandbox as not ready, with the flag that run names',
    async () => {
      const { out } = await untildone(['doctor'], around());
      expect(out).toMatch(/^Ready\. Agents: ollama \(local model\)\.\n\n/);
      expect(out).toMatch(/⚠️ {2}claude +Claude Code 9\.8\.7 · .* as root\. .*--allow-root/);
    },
  );

  it('Doctor says how to install missing agents, and prints one document with --json', async () => {
    const { out } = await untildone(['doctor', '--json', '--allow-root'], {
      ...around(),
      OLLAMA_HOST: '127.0.0.1:1',
    });
    const { agents } = JSON.parse(out) as { agents: { name: string; state: string; next: string | null }[] };
    expect(Object.fromEntries(agents.map(({ name, state, next }) => [name, [state, next]]))).toEqual({
      claude: ['ready', null],
      codex: ['unsure', 'codex login'],
      gemini: ['unsure', expect.stringContaining('gemini')],
      opencode: ['missing', 'npm install -g opencode-ai'],
      ollama: ['missing', expect.stringContaining('ollama')],
      lmstudio: ['missing', expect.stringContaining('lmstudio')],
      vllm: ['missing', 'pip install vllm'],
      llamacpp: ['missing', expect.stringContaining('llama.cpp')],
      openai: ['missing', expect.stringContaining('export OPENAI_API_KEY=')],
      openrouter: ['missing', expect.stringContaining('export OPENROUTER_API_KEY=')],
    });
  });

  it('Doctor shows for a missing agent how to install it, how to log in and what it could do', async () => {
    const { out } = await untildone(['doctor'], {
      ...around(),
      OPENAI_API_KEY: 'sk-0',
      OLLAMA_HOST: '127.0.0.1:1',
    });
    expect(out).toMatch(
      /➖ opencode +OpenCode is not installed · install: npm install -g opencode-ai · log in: opencode auth login\n +resumes, receives messages after its turn, reports USD, no own sandbox\n/,
    );
    expect(out).toMatch(/✅ openai +OpenAI · paid by .*OPENAI_API_KEY.*\n.*--agent openai:MODEL\n/);
    const block = out.slice(out.indexOf('Endpoints that are not ready'));
    expect(block).toMatch(
      / ollama +http:\/\/127\.0\.0\.1:1\/v1 · ollama serve, then ollama pull MODEL · get it: https:/,
    );
    expect(block).toMatch(
      / vllm +http:\/\/127\.0\.0\.1:8000\/v1 · vllm serve MODEL · get it: pip install vllm\n/,
    );
    expect(block).toMatch(/ openrouter +https:.*export OPENROUTER_API_KEY=…\n/);
    expect(block).toMatch(
      /resumes, receives messages while it works, reports tokens.*check one: curl ADDRESS\/models\n/,
    );
  });

  it('Doctor shows the agents of the configuration too, which replace known ones of the same name', async () => {
    const port = (server.address() as AddressInfo).port;
    const agents = {
      absent: { driver: 'acp', command: ['no-such-agent', '--acp'] },
      box: { driver: 'openai', provider: 'ollama', baseUrl: `http://127.0.0.1:${port}/v1`, model: 'big' },
      down: { driver: 'openai', baseUrl: 'http://127.0.0.1:1/v1' },
      mine: { driver: 'command', command: 'cat' },
      claude: { driver: 'claude', model: 'opus' },
    };
    const file = join(folder, 'home/.config/untildone/config.jsonc');
    mkdirSync(dirname(file), { recursive: true });
    try {
      writeFileSync(file, JSON.stringify({ agents }));
      const { out } = await untildone(['doctor', '--allow-root'], around());
      expect(out).toMatch(
        /❌ absent +acp: no-such-agent --acp · there is no program "no-such-agent" on PATH/,
      );
      expect(out).toMatch(/✅ box +openai: .*, model big · 2 models: qwen3:4b, big/);
      expect(out).toMatch(
        /❌ down +openai: .* · nothing answers at http:\/\/127\.0\.0\.1:1\/v1: check it with curl/,
      );
      expect(out).toMatch(/✅ mine +command: cat .*\n +does not resume, receives no messages while it works/);
      expect(out).toMatch(/✅ claude +claude, model opus 9\.8\.7 · paid by your Claude subscription/);
      expect(out).not.toContain('Claude Code 9.8.7');
      writeFileSync(file, '{ "agents": { "x": 5 } }');
      const broken = await untildone(['doctor', '--allow-root'], around());
      expect([broken.code, broken.out]).toEqual([
        2,
        expect.stringMatching(
          /^Not ready: the configuration cannot be read\. .*config\.jsonc:1:20: [^]*✅ claude/,
        ),
      ]);
    } finally {
      rmSync(file);
    }
  });
});

describe('doctor with a trial of an agent [B12]', () => {
  const done = { say: '===WIGGUM_COMPLETE===\n' };
  const passes = { say: '===VERIFIER_COMPLETE===\n' };
  const writes = (): object => ({ write: { path: 'wiggum-sanity-test.txt', text: 'wiggum-ok' } });
  const agent = (
    name: string,
    builder: readonly object[],
    verifier: readonly object[] = [passes],
  ): string => {
    const file = join(folder, `${name}.json`);
    const turns = [
      { role: 'builder', actions: builder },
      { role: 'verifier', actions: verifier },
    ];
    writeFileSync(file, JSON.stringify({ turns }));
    return `scripted:${file}`;
  };
  const failed = (out: string): unknown =>
    (JSON.parse(out) as { findings: { isGood: boolean | null }[] }).findings.find(
      (one) => one.isGood === false,
    );

  it('The trial of an agent exits with 0 when everything works, and leaves nothing behind', async () => {
    const { code, out } = await untildone(['doctor', '--agent', agent('good', [writes(), done])]);
    expect(out).toContain('✅ the verifier prints the marker');
    expect(out).toContain('It works.');
    expect(code).toBe(0);
    expect(readdirSync(temporary).filter((name) => name.startsWith('untildone-doctor'))).toEqual([]);
    expect(readdirSync(join(folder, 'repo'))).toEqual(['.git']);
  });

  it('The trial of an agent says in plain words what failed, exits with 1 and keeps the logs', async () => {
    const refused = agent('refused', [{ fail: { errorClass: 'authentication', detail: '401 bad key' } }]);
    const one = await untildone(['doctor', '--agent', refused, '--json']);
    expect([one.code, failed(one.out)]).toEqual([
      1,
      {
        name: 'the builder answers',
        isGood: false,
        text: 'It is not logged in, or its key is refused: 401 bad key',
        fix: expect.stringContaining('Log in') as string,
      },
    ]);
    const { logsDir } = JSON.parse(one.out) as { logsDir: string };
    expect(readdirSync(logsDir).some((name) => name.startsWith('builder_001'))).toBe(true);
    const meddles = agent('meddles', [writes(), done], [{ write: { path: 'x', text: 'x' } }, passes]);
    const two = await untildone(['doctor', '--agent', meddles, '--json']);
    expect([two.code, failed(two.out)]).toMatchObject([1, { name: 'the verifier changes nothing' }]);
  });

  it('The trial of an agent does not wait as a run would: a usage limit is its answer', async () => {
    const limited = agent('limited', [
      { fail: { errorClass: 'usage-limit', detail: 'come back later', resetAt: Date.now() + 3_600_000 } },
    ]);
    const { code, out } = await untildone(['doctor', '--agent', limited]);
    expect(code).toBe(1);
    expect(out).toMatch(/Its usage limit is reached until \d{4}-.* UTC: come back later/);
  });

  it('The sanity check of a run tries the local agents in its own repository, and leaves nothing behind', async () => {
    const flags = ['run', '--sanity-check', '--json', '--cooldown', '0'];
    const good = await untildone([...flags, '--agent', agent('sane', [writes(), done])]);
    const lines = good.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string });
    expect(lines.at(-1)).toMatchObject({ type: 'result', outcome: 'completed', exitCode: 0 });
    expect(good.code).toBe(0);
    expect(readdirSync(temporary).filter((name) => name.startsWith('untildone-sanity'))).toEqual([]);
    expect(readdirSync(join(folder, 'repo'))).toEqual(['.git']);
    const asks = agent('asks', [{ say: '\n===NEEDS_INPUT===\nWhich file?\n' }]);
    const parked = await untildone(['run', '--sanity-check', '--cooldown', '0', '--agent', asks]);
    expect([parked.code, parked.out]).toEqual([6, expect.stringContaining('Its files are in ')]);
    expect(parked.out).toContain('Parked: an answer to "Which file?"');
    // The trial is not resumed, so no resume command is printed.
    expect(parked.out).not.toMatch(/untildone (?:resume|answer)/);
  });

  it('A client that is not installed is a finding of the trial, and a mistyped name is a usage error [X6]', async () => {
    const absent = await untildone(['doctor', '--agent', 'opencode']);
    expect(absent.code).toBe(1);
    expect(absent.out).toMatch(
      /there is no program "opencode" on PATH\.\nHint: Install it: npm install -g opencode-ai/,
    );
    mkdirSync(join(folder, 'own'), { recursive: true });
    writeFileSync(join(folder, 'own/codex'), '#!/bin/sh\n', { mode: 0o755 });
    const loggedOut = await untildone(['doctor', '--agent', 'codex'], {
      PATH: `${join(folder, 'own')}:${process.env['PATH'] ?? ''}`,
    });
    expect([loggedOut.code, loggedOut.out]).toEqual([
      1,
      expect.stringMatching(
        /Codex is not logged in, and no key was found\.\nHint: Log in: codex login\. Or pay/,
      ),
    ]);
    const mistyped = await untildone(['doctor', '--agent', 'opncode']);
    expect([mistyped.code, mistyped.err]).toEqual([2, expect.stringContaining('Did you mean "opencode"?')]);
  });
});
