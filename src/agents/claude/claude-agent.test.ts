import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { createProcesses } from '#adapters/processes/create-processes.ts';
import type { AgentSession, SessionRequest } from '#ports/agent.ts';
import { agentContract } from '#testing/contracts/agent.ts';
import { withoutStartupNoise } from './startup-noise.ts';
import { createClaudeAgent } from './claude-agent.ts';
import { listenTo, plainEnv, sessionRequest } from '#test/agents/session-request.ts';

const folder = mkdtempSync(join(tmpdir(), 'untildone-claude-'));
const processes = createProcesses({ confine: 'marker' });
const fakes = makeFakes();

afterAll(async () => {
  await processes.sweep(`claude-${process.pid}`);
  rmSync(folder, { recursive: true, force: true });
});

describe.each(['cli', 'sdk'])('the agent contract by %s', (via) => {
  agentContract(() => createClaudeAgent({ ...fakes, via }));
});

describe('the claude agent', () => {
  it.each([
    ['cli', {}, 0.02],
    ['sdk', {}, 0.02],
    ['cli', { FAKE_CLAUDE: 'old' }, 0.02],
  ])(
    'The claude agent by %s with %j counts for each of ten sessions of one conversation only its own usage [A1] [X1]',
    async (via, env, usd) => {
      const price = { input: 100, output: 0, cacheRead: 0, cacheWrite: 0 };
      const knowledge = { prices: { 'claude-fake-1': price }, usageLimitWordings: [] };
      const told: unknown[] = [];
      for (let turn = 0; turn < 10; turn += 1) {
        const resume = turn === 0 ? null : '11111111-2222-4333-8444-555555555555';
        const { result } = await play('tells-usage', { via, env }, { resume, knowledge });
        expect(result.model).toBe('claude-fake-1');
        told.push(result.usage);
      }
      expect(told).toEqual(Array.from({ length: 10 }, () => ({ tokens: 230, usd })));
    },
  );

  it.each([
    ['cli', ''],
    ['cli', 'stderr'],
    ['cli', 'other-words'],
    ['sdk', ''],
    ['sdk', 'other-words'],
  ])(
    'The claude agent by %s ends as gone if the client lacks the conversation, as reported by %j [A1]',
    async (via, how) => {
      const { text, events, result } = await play(
        'finishes',
        { via, env: { FAKE_CLAUDE: how } },
        { resume: 'no-such-one' },
      );
      expect(result).toMatchObject({
        kind: 'failed',
        errorClass: 'conversation-gone',
        detail: expect.stringContaining('no-such-one') as string,
      });
      expect([text, events.filter(({ type }) => type === 'session-id')]).toEqual(['', []]);
    },
  );

  it('A session that began a new conversation has not lost one, whatever its client says [A1]', async () => {
    const { result } = await play('ends-badly', {});
    expect(result.kind).toBe('crashed');
    const { result: other } = await play('never-starts', {});
    expect(other).toMatchObject({ errorClass: 'invalid-request' });
  });

  it('The claude agent accepts no message after the interrupt, because it would start another turn [A5]', async () => {
    const { result } = await play('can-be-interrupted', {}, {}, async (session) => {
      const stopped = session.interrupt?.();
      await expect(session.send?.('one more thing')).rejects.toThrow('interrupted');
      await stopped;
    });
    expect(result.kind).toBe('interrupted');
  });

  it.each(['cli', 'sdk'])(
    'The claude agent by %s reads until messages sent during the session are answered too',
    async (via) => {
      const { text, result } = await play('two-turns', { via });
      expect(text).toBe('first\nsecond\n');
      expect(result).toMatchObject({ kind: 'finished', usage: { tokens: 230 } });
    },
  );

  it.each(['cli', 'sdk'])(
    'The claude agent by %s ends a client that stays after its final answer',
    async (via) => {
      const { result } = await play('stays', { via }, { graceMs: 200 });
      expect(result.kind).toBe('finished');
    },
  );

  it.each(['cli', 'sdk'])('The claude agent by %s lets a client exit by itself', async (via) => {
    const { result } = await play('finishes', { via }, { graceMs: 600_000 });
    expect(result.kind).toBe('finished');
  });

  it.each(['cli', 'sdk'])(
    'The claude agent by %s reports an exit without a result and the last error line',
    async (via) => {
      const { result } = await play('ends-badly', { via });
      expect(result).toMatchObject({
        kind: 'crashed',
        detail: expect.stringMatching(/exit 3.*out of luck/s) as string,
      });
    },
  );

  it.each(['cli', 'sdk'])(
    'The claude agent by %s omits the lines that a client prints at each start, and nothing else',
    async (via) => {
      const { events, result } = await play('misses-its-file', { via });
      expect(result.kind).toBe('finished');
      const notices = events.flatMap((event) => (event.type === 'notice' ? [event.text.trim()] : []));
      expect(notices.filter((text) => !text.startsWith('Claude Code '))).toEqual(['a true error']);
    },
  );

  it.each([
    'Claude configuration file at /h/.claude.json is corrupted: Unexpected token',
    'Claude configuration file not found at: /h/.claude.json: EACCES',
    'A backup file exists at: /h/.claude/backups/.claude.json.backup.17',
    'settings.json not found at: /h/.claude/settings.json',
  ])('The claude agent shows every other error about a file: %s', (complaint) => {
    expect(withoutStartupNoise(`${complaint}\n`)).toBe(`${complaint}\n`);
    expect(
      withoutStartupNoise(`Claude configuration file not found at: /h/.claude.json\n${complaint}\n`),
    ).toContain(complaint.startsWith('A backup') ? '' : complaint);
  });

  it('The claude agent says what was wrong with the call if the client never began', async () => {
    const { result } = await play('never-starts', {});
    expect(result).toMatchObject({
      kind: 'failed',
      errorClass: 'invalid-request',
      detail: expect.stringContaining("unknown option '--nonsense'") as string,
    });
  });

  it('The claude agent fails if a requested structured output is missing', async () => {
    const { result } = await play('finishes', { outputSchema: { type: 'object' } });
    expect(result).toMatchObject({
      kind: 'failed',
      detail: expect.stringContaining('no structured output') as string,
    });
  });

  it('The claude agent passes the documented flags, and limits retries and background work [B8]', async () => {
    const { argv, env } = await itself({}, {});
    expect(argv).toContain('--allow-dangerously-skip-permissions');
    expect(valueOf(argv, '--permission-mode')).toBe('bypassPermissions');
    expect(valueOf(argv, '--setting-sources')).toBe('user,project');
    expect(valueOf(argv, '--max-budget-usd')).toBe('1');
    expect(env).toMatchObject({ CLAUDE_CODE_MAX_RETRIES: '2', CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1' });
  });

  it('The user can override every default flag of the claude agent [B8]', async () => {
    const { argv, env } = await itself(
      {
        permissionMode: 'acceptEdits',
        settingSources: [],
        allowedTools: ['Bash(npm test)', 'Read'],
        maxTurns: 3,
        extraArgs: ['--effort', 'low'],
        env: { CLAUDE_CODE_MAX_RETRIES: '0' },
      },
      { model: 'opus' },
    );
    expect(argv).not.toContain('--allow-dangerously-skip-permissions');
    expect(valueOf(argv, '--permission-mode')).toBe('acceptEdits');
    expect(valueOf(argv, '--setting-sources')).toBe('');
    expect(valueOf(argv, '--allowedTools')).toBe('Bash(npm test),Read');
    expect(valueOf(argv, '--max-turns')).toBe('3');
    expect(valueOf(argv, '--model')).toBe('opus');
    expect(argv.slice(-2)).toEqual(['--effort', 'low']);
    expect(env).toMatchObject({ CLAUDE_CODE_MAX_RETRIES: '0' });
  });

  it('A read-only role of the claude agent gets few tools, no servers, and a hook against all others [B7]', async () => {
    const { argv } = await itself({ readOnlyTools: ['Read', 'Write', 'Bash'] }, { readOnly: true });
    expect(valueOf(argv, '--tools')).toBe('Read,Bash');
    expect(valueOf(argv, '--setting-sources')).toBe('user');
    expect(argv).toContain('--strict-mcp-config');
    const settings = JSON.parse(valueOf(argv, '--settings') ?? '') as {
      disableAllHooks: boolean;
      hooks: { PreToolUse: { matcher: string; hooks: { command: string }[] }[] };
    };
    expect(settings.disableAllHooks).toBe(false);
    const isRefused = (tool: string): boolean =>
      settings.hooks.PreToolUse.some(({ matcher }) => new RegExp(matcher).test(tool));
    expect(
      ['Write', 'Edit', 'NotebookEdit', 'Task', 'Readme', 'mcp__files__write'].filter(isRefused),
    ).toHaveLength(6);
    expect(['Read', 'Bash'].filter(isRefused)).toEqual([]);
    expect(settings.hooks.PreToolUse.every(({ hooks }) => hooks[0]?.command.includes('exit 2'))).toBe(true);
  });

  it.runIf(process.getuid?.() === 0)(
    'The claude agent asks for consent before it works as root [X6]',
    async () => {
      await expect(play('finishes', { asRoot: 'refuse' })).rejects.toMatchObject({
        name: 'OperatorError',
        message: expect.stringContaining('as root') as string,
        hint: expect.stringContaining('--allow-root') as string,
      });
      const { env } = await itself({ asRoot: 'allow' }, {});
      expect(env).toMatchObject({ IS_SANDBOX: '1' });
      const careful = await itself({ asRoot: 'refuse', permissionMode: 'acceptEdits' }, {});
      expect(careful.env['IS_SANDBOX']).toBe(undefined);
    },
  );

  it.runIf(process.getuid?.() === 0)(
    'A sandbox in which programs are another user than root needs no consent [X6]',
    async () => {
      const inside = { ...processes, isRoot: false };
      const { env } = await itself({ asRoot: 'refuse' }, { processes: inside });
      expect(env['IS_SANDBOX']).toBe(undefined);
    },
  );

  it('The claude agent names a missing program, a missing SDK and an invalid one [X6]', async () => {
    const broken = join(folder, 'broken');
    mkdirSync(broken, { recursive: true });
    writeFileSync(join(broken, 'package.json'), '{"main":"x.mjs"}');
    writeFileSync(join(broken, 'x.mjs'), 'export const nothing = 1;');
    for (const [options, words] of [
      [{ via: 'cli', binary: 'no-such-claude' }, /"no-such-claude" was not found/],
      [{ via: 'sdk', sdk: join(folder, 'nowhere') }, /SDK is not in/],
      [{ via: 'sdk', sdk: broken }, /no function "query"/],
    ] as const) {
      await expect(play('finishes', options)).rejects.toMatchObject({
        name: 'OperatorError',
        message: expect.stringMatching(words) as string,
        hint: expect.stringMatching(/[Ii]nstall/) as string,
      });
    }
  });

  it.each([
    ['an unknown option', { binray: 'x' }, /no option "binray"/],
    ['a wrong way', { via: 'telepathy' }, /"via" as one of auto, cli, sdk/],
    ['a wrong mode', { permissionMode: 'yolo' }, /"permissionMode" as one of/],
    ['a wrong source', { settingSources: ['global'] }, /"settingSources" as one of/],
    ['tools that are no list', { allowedTools: 'Bash' }, /"allowedTools" as a list/],
    ['no turns', { maxTurns: 0 }, /whole number from 1/],
    ['a wrong environment', { env: { A: 1 } }, /"A" is none/],
    ['a wrong consent', { asRoot: true }, /"asRoot" as one of/],
    ['an empty program', { binary: ' ' }, /"binary" as a text/],
  ])('The claude agent refuses %s in one sentence [X6]', (_, options, sentence) => {
    expect(() => createClaudeAgent(options)).toThrow(sentence);
  });
});

/** A program `claude` and a package of the SDK. */
function makeFakes() {
  const binary = join(folder, 'claude');
  const fake = (name: string): string =>
    fileURLToPath(new URL(`../../../test/support/agents/${name}`, import.meta.url));
  writeFileSync(binary, `#!/bin/sh\nexec '${process.execPath}' '${fake('fake-claude.ts')}' "$@"\n`);
  chmodSync(binary, 0o755);
  const sdk = join(folder, 'sdk');
  mkdirSync(sdk);
  writeFileSync(join(sdk, 'package.json'), '{"type":"module","exports":{".":{"default":"./sdk.mjs"}}}');
  writeFileSync(join(sdk, 'sdk.mjs'), `export { query } from ${JSON.stringify(fake('fake-sdk.ts'))};\n`);
  return { binary, sdk, asRoot: 'allow' };
}

type Options = { readonly [key: string]: unknown };

/** `act` is called once the agent has said something. */
async function play(
  scene: string,
  options: Options,
  more: Partial<SessionRequest> = {},
  act?: (session: AgentSession) => Promise<void>,
) {
  const session = await createClaudeAgent({ ...fakes, via: 'cli', ...options }).start(
    sessionRequest({
      cwd: folder,
      prompt: `scene ${scene}`,
      env: { ...plainEnv, HOME: folder },
      tokensMax: 1_000,
      mark: `claude-${process.pid}/1`,
      processes,
      ...more,
    }),
  );
  return listenTo(session, act);
}

async function itself(options: Options, more: Partial<SessionRequest>) {
  const { text } = await play('tells-itself', options, more);
  return JSON.parse(text) as { argv: string[]; env: { [name: string]: string } };
}

function valueOf(argv: readonly string[], flag: string): string | undefined {
  const at = argv.indexOf(flag);
  return at < 0 ? undefined : argv[at + 1];
}
