import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { OperatorError } from '#base/operator-error.ts';
import { agentContract } from '#testing/contracts/agent.ts';
import { createCodexAgent } from './codex-agent.ts';
import { createTestBed } from '#test/agents/codex-bed.ts';
import { said } from '#test/agents/session-request.ts';

const bed = createTestBed();
afterAll(bed.dispose);

agentContract(() => createCodexAgent({ binary: bed.binary, via: 'app-server' }));

const thread = '01a1e173-0000-7000-8000-000000000001';
const line = (method: string, params: object): string =>
  `${JSON.stringify({ method, params: { threadId: '$THREAD', ...params } })}\n`;
const plays = (lines: string, env: object = {}) =>
  bed.run('scene plays', { env: { FAKE_CODEX_LINES: lines, ...env } });
const failed = (error: object): string =>
  line('turn/completed', { turn: { id: '$TURN', status: 'failed', error } });

describe('the codex agent through the app-server', () => {
  it('Codex opens a thread in the folder, in the sandbox of its role, with few retries [B7]', async () => {
    const { params, argv } = await bed.heardBy('scene finishes', { request: { model: 'gpt-5.5-mini' } });
    expect(argv.slice(0, 3)).toEqual(['app-server', '-c', 'check_for_update_on_startup=false']);
    expect(params('thread/start')).toEqual({
      cwd: bed.cwd,
      sandbox: 'workspace-write',
      approvalPolicy: 'never',
      model: 'gpt-5.5-mini',
      // What the user has set stays.
      config: {
        'model_providers.mock.stream_max_retries': 1,
        'model_providers.mock.stream_idle_timeout_ms': 180_000,
      },
    });
  });

  it('Codex is read-only by the system for a read-only role, whatever the options say [B7]', async () => {
    const { params } = await bed.heardBy('scene finishes', {
      options: { sandbox: 'danger-full-access', approvals: 'on-request' },
      request: { readOnly: true },
    });
    expect(params('thread/start')).toMatchObject({
      sandbox: 'read-only',
      approvalPolicy: 'never',
      config: { 'mcp_servers.notes.enabled': false, 'mcp_servers."odd.name".enabled': false },
    });
  });

  it('Codex gets the settings of the user as they are', async () => {
    const config = { model_provider: 'mock', 'features.apps': false, list: ['a', 1], table: { 'x y': 'z"' } };
    const { argv } = await bed.heardBy('scene finishes', { options: { config } });
    expect(argv.filter((word) => word !== '-c')).toEqual([
      'app-server',
      'check_for_update_on_startup=false',
      'model_provider="mock"',
      'features.apps=false',
      'list=["a", 1]',
      'table={ "x y" = "z\\"" }',
    ]);
  });

  it('A resumed codex session counts only its own usage [X1]', async () => {
    const fresh = await bed.run('scene tells-usage');
    const resumed = await bed.run('scene tells-usage', {
      request: { resume: thread },
    });
    expect(fresh.result.usage.tokens).toBe(150);
    expect(resumed.result.usage.tokens).toBe(150);
    expect(resumed.events.filter(({ type }) => type === 'usage')).toHaveLength(2);
  });

  it.each(['', 'tells-no-past'])(
    'Each of ten codex sessions of one thread counts only its own usage, also if codex %s [A1] [X1]',
    async (how) => {
      const told: (number | null)[] = [];
      for (let turn = 0; turn < 10; turn += 1) {
        const request = { resume: turn === 0 ? null : thread };
        const { result } = await bed.run('scene tells-usage', { request, env: { FAKE_CODEX: how } });
        told.push(result.usage.tokens);
      }
      expect(told).toEqual(Array.from({ length: 10 }, () => 150));
    },
  );

  it('Codex tokens are priced by the list, and the cost of an unlisted model is unknown [X1]', async () => {
    const prices = { 'gpt-5*': { input: 10, output: 1, cacheRead: 1, cacheWrite: 1 } };
    const request = { knowledge: { prices, usageLimitWordings: [] } };
    expect((await bed.run('scene tells-usage', { request })).result.usage.usd).toBeCloseTo(0.0015, 9);
    expect((await bed.run('scene tells-usage')).result.usage.usd).toBe(null);
  });

  it("The text of a codex subagent is not reported as the agent's own, but its tokens count [B3] [X1]", async () => {
    const { text, result } = await bed.run('scene has-a-helper');
    expect(text).not.toContain('DONE');
    expect(result).toMatchObject({ kind: 'finished', usage: { tokens: 40 } });
  });

  it('Codex does not wait for a command in the background, so that silence is noticed [Q6]', async () => {
    const { events } = await bed.run('scene works-behind');
    const kinds = events.map((event) => event.type);
    expect(kinds.indexOf('tool-result')).toBeLessThan(kinds.indexOf('text'));
    expect(said(events).notices).toContain('late');
    expect(events.filter(({ type }) => type === 'tool-result')).toHaveLength(1);
  });

  it('A message that arrives after the first codex turn starts another turn [Q5]', async () => {
    const session = await bed.start('scene ends-before-steer');
    const texts: string[] = [];
    let sent: Promise<void> | undefined;
    for await (const event of session.events) {
      if (event.type !== 'text') continue;
      texts.push(event.text);
      sent ??= session.send?.('and this');
    }
    await sent;
    expect(texts.join('')).toContain('next turn: and this');
    expect((await session.result).kind).toBe('finished');
    await expect(session.send?.('too late')).rejects.toThrow('over');
  });

  it('Codex reports its result only after the last event was read, however slowly', async () => {
    const session = await bed.start('scene uses-a-tool');
    let isSettled = false;
    void session.result.then(() => {
      isSettled = true;
    });
    for await (const _ of session.events) {
      await sleep(60);
      expect(isSettled).toBe(false);
    }
    expect((await session.result).kind).toBe('finished');
  });

  it('Codex is held back while its events are not read', async () => {
    const session = await bed.start('scene floods');
    // Long enough for all of it to arrive, if it were let in.
    const isOver = await Promise.race([session.result.then(() => true), sleep(1_500, false)]);
    const written = statSync(bed.goneFile, { throwIfNoEntry: false });
    expect([isOver, written]).toEqual([false, undefined]);
    for await (const _ of session.events);
    expect((await session.result).kind).toBe('finished');
    expect(statSync(bed.goneFile).isFile()).toBe(true);
  });

  it('A codex session is interrupted and can be resumed even if codex ignores the request [Q5]', async () => {
    const session = await bed.start('scene deaf');
    const reading = (async () => {
      for await (const event of session.events) if (event.type === 'text') void session.interrupt?.();
    })();
    expect(await session.result).toMatchObject({
      kind: 'interrupted',
      resumeId: expect.stringContaining('01a1') as string,
    });
    await reading;
  });

  it('A codex session is interrupted once, however often it is asked: codex never answers a second time [A5] [Q5]', async () => {
    const heard = await bed.heardBy('scene deaf', {}, async (session) => {
      void session.interrupt?.();
      await session.interrupt?.();
    });
    expect(heard.result.kind).toBe('interrupted');
    expect(heard.methods.filter((method) => method === 'turn/interrupt')).toHaveLength(1);
  });

  it('A message after the interrupt starts no codex turn [A5]', async () => {
    const heard = await bed.heardBy('scene deaf', {}, async (session) => {
      const stopped = session.interrupt?.();
      await expect(session.send?.('one more thing')).rejects.toThrow('over');
      await stopped;
    });
    expect(heard.methods.filter((method) => method === 'turn/start')).toHaveLength(1);
  });

  it('A missing codex thread is reported as gone, and no new thread starts without its past [A1]', async () => {
    const { result, params } = await bed.heardBy('scene finishes', { request: { resume: 'gone' } });
    expect(result).toMatchObject({
      kind: 'failed',
      errorClass: 'conversation-gone',
      detail: expect.stringContaining('gone') as string,
    });
    expect(params('turn/start')).toBe(undefined);
  });

  it.each([
    ['it never answers for', 'stuck', /no answer to "thread\/resume" within/],
    ['it forgets before the first turn', 'forgets', /thread not found/],
  ])('A thread that %s counts as gone [A1]', async (_, how, words) => {
    await bed.run('scene finishes');
    const { result } = await bed.run('scene finishes', {
      options: how === 'stuck' ? { resumeTimeoutMs: 1 } : {},
      request: { resume: thread },
      env: { FAKE_CODEX: how },
    });
    expect(result).toMatchObject({
      kind: 'failed',
      errorClass: 'conversation-gone',
      detail: expect.stringMatching(words) as string,
    });
  });

  it('A codex thread in which no turn ran is forgotten, because its id cannot be resumed [A1]', async () => {
    const fresh = await bed.run('scene finishes', { env: { FAKE_CODEX: 'forgets' } });
    expect(fresh.result).toMatchObject({ kind: 'failed', errorClass: 'other' });
    const { result } = await bed.run('scene finishes', { request: { resume: thread } });
    expect(result).toMatchObject({ errorClass: 'conversation-gone' });
  });
});

describe('requests of codex', () => {
  const change = (path: string) => ({
    method: 'item/started',
    params: { item: { type: 'fileChange', id: path, changes: [{ path, kind: { type: 'add' } }] } },
  });
  const ask = (method: string, params: object = {}) => ({ id: 0, method, params });
  const asks = async (questions: readonly object[], told: object = {}) => {
    const { text, result } = await bed.run('scene asks', {
      ...told,
      env: { FAKE_CODEX_ASKS: JSON.stringify(questions) },
    });
    return {
      answers: text
        .trim()
        .split('\n')
        .map((one) => JSON.parse(one) as object),
      result,
    };
  };
  const command = ask('item/commandExecution/requestApproval', { itemId: 'c', command: 'rm -rf /' });
  const ownFile = (): object[] => [
    change(join(bed.cwd, 'a.txt')),
    ask('item/fileChange/requestApproval', { itemId: join(bed.cwd, 'a.txt') }),
  ];

  it('Codex may change files in the workspace, all other requests are declined, and none waits [B7]', async () => {
    const outside = ['/etc/passwd', join(bed.cwd, '../other/x'), join(bed.cwd, '.git/hooks/pre-commit')];
    const { answers, result } = await asks([
      command,
      ...ownFile(),
      ...outside.flatMap((path) => [change(path), ask('item/fileChange/requestApproval', { itemId: path })]),
      ask('item/fileChange/requestApproval', { itemId: 'never-heard-of' }),
    ]);
    const decline = { decision: 'decline' };
    expect(answers).toEqual([decline, { decision: 'accept' }, decline, decline, decline, decline]);
    expect(result.kind).toBe('finished');
  });

  it('Every change of a read-only codex role is declined [B7]', async () => {
    const { answers } = await asks([command, ...ownFile()], { request: { readOnly: true } });
    expect(answers).toEqual([{ decision: 'decline' }, { decision: 'decline' }]);
  });

  it('Codex gets no permissions and no form answers, and unknown requests get an error', async () => {
    const { answers, result } = await asks([
      ask('item/permissions/requestApproval'),
      ask('mcpServer/elicitation/request'),
      ask('item/tool/requestUserInput'),
      ask('something/of/tomorrow'),
    ]);
    expect(answers).toMatchObject([
      { permissions: {} },
      { action: 'decline' },
      { code: -32601 },
      { code: -32601 },
    ]);
    expect(result.kind).toBe('finished');
  });
});

describe('failures of codex', () => {
  it.each([
    [
      'a rejected key',
      {
        message: 'unexpected status 401 Unauthorized: bad',
        codexErrorInfo: { httpConnectionFailed: { httpStatusCode: 401 } },
      },
      'authentication',
    ],
    [
      'a missing key',
      { message: 'Missing environment variable: `KEY`.', codexErrorInfo: 'other' },
      'authentication',
    ],
    [
      'a full context',
      { message: 'ran out of room', codexErrorInfo: 'contextWindowExceeded' },
      'context-overflow',
    ],
    ['an unknown model', { message: 'no', codexErrorInfo: 'modelNotFound' }, 'unknown-model'],
    [
      'a bad request',
      {
        message: '{"error":{"message":"Invalid value","type":"invalid_request_error"}}',
        codexErrorInfo: 'other',
      },
      'invalid-request',
    ],
    [
      'too many requests',
      {
        message: 'exceeded retry limit, last status: 429 Too Many Requests',
        codexErrorInfo: { responseTooManyFailedAttempts: { httpStatusCode: 429 } },
      },
      'overloaded',
    ],
    ['a busy server', { message: 'high demand', codexErrorInfo: 'internalServerError' }, 'overloaded'],
    [
      'a stream that stopped',
      {
        message: 'stream disconnected before completion: idle timeout waiting for SSE',
        codexErrorInfo: 'other',
      },
      'network',
    ],
    [
      'no connection',
      { message: 'gone', codexErrorInfo: { httpConnectionFailed: { httpStatusCode: null } } },
      'network',
    ],
    ['a refusal', { message: 'blocked', codexErrorInfo: 'cyberPolicy' }, 'refusal'],
    ['an error of tomorrow', { message: 'what?', codexErrorInfo: { brandNew: {} } }, 'other'],
  ])('A failure of codex is classified: %s [Q6]', async (_, error, errorClass) => {
    const { result } = await plays(failed(error));
    expect(result).toMatchObject({ kind: 'failed', errorClass });
  });

  it('A codex usage limit ends when the window says, else when the text says', async () => {
    const limit = failed({
      message: 'You’ve hit your usage limit. Try again in 3 hours.',
      codexErrorInfo: 'usageLimitExceeded',
    });
    const words = await plays(limit);
    const resetsAt = Math.floor(Date.now() / 1000) + 7_777;
    const windows = {
      primary: { usedPercent: 100, resetsAt },
      secondary: { usedPercent: 40, resetsAt: resetsAt + 9_999 },
    };
    const window = await plays(line('account/rateLimits/updated', { rateLimits: windows }) + limit);
    expect(words.result).toMatchObject({ kind: 'failed', errorClass: 'usage-limit' });
    const inThreeHours = words.result.kind === 'failed' ? (words.result.resetAt ?? 0) - Date.now() : 0;
    expect(Math.round(inThreeHours / 600_000)).toBe(18);
    expect(window.result).toMatchObject({ errorClass: 'usage-limit', resetAt: resetsAt * 1000 });
  });

  it('A key that the provider rejects is not retried ten times by codex', async () => {
    const retry = (count: number): string =>
      line('error', {
        willRetry: true,
        error: {
          message: `Reconnecting... ${count}/5`,
          codexErrorInfo: { responseStreamDisconnected: { httpStatusCode: 401 } },
          additionalDetails: 'unexpected status 401 Unauthorized',
        },
      });
    const { result, notices } = await plays(`${retry(1)}${retry(2)}turn/completed is not said\n`);
    expect(result).toMatchObject({
      kind: 'failed',
      errorClass: 'authentication',
      detail: expect.stringContaining('codex login') as string,
    });
    expect(notices).toContain('Reconnecting');
  });

  it('A missing codex login is reported with its fix before the model is called', async () => {
    const { result, events } = await bed.run('scene finishes', { env: { FAKE_CODEX: 'logged-out' } });
    expect(result).toMatchObject({
      kind: 'failed',
      errorClass: 'authentication',
      detail: expect.stringContaining('codex login') as string,
    });
    expect(said(events).text).toBe('');
  });

  it('Codex uses the given key, without a login and without writing one', async () => {
    const told = { options: { config: { model_provider: 'openai' } }, env: { OPENAI_API_KEY: 'sk-x' } };
    const { result, params, argvs } = await bed.heardBy('scene finishes', told);
    expect(result.kind).toBe('finished');
    const [, again = []] = argvs;
    expect(argvs).toHaveLength(2);
    expect(again).toContain('model_provider="untildone-openai"');
    expect(again).toContain('model_providers.untildone-openai.env_key="OPENAI_API_KEY"');
    expect(params('account/login/start')).toBe(undefined);
    // Another provider has a key of its own.
    const other = await bed.heardBy('scene finishes', { env: { OPENAI_API_KEY: 'sk-x' } });
    expect(other.argvs).toHaveLength(1);
  });

  it('Invalid lines and unknown messages of codex do not end the session', async () => {
    const strange = [
      'not json\n[1,2]\n"text"\nnull\n',
      line('thread/of/tomorrow', { x: 1 }),
      line('item/completed', { item: null }),
      line('item/completed', { item: { type: 'hologram', id: 'h', status: 'completed' } }),
      line('thread/tokenUsage/updated', { tokenUsage: 'many' }),
      `${JSON.stringify({ id: 4_711, result: {} })}\n`,
      line('turn/completed', { turn: { id: 'another', status: 'completed' } }).replace(
        'turn/completed',
        'turn/finished',
      ),
    ].join('');
    const { result, notices } = await plays(strange);
    expect(result.kind).toBe('finished');
    expect(notices).toContain('not json');
  });

  it('An answer of megabytes in one line is read', async () => {
    const text = 'é'.repeat(50_000);
    const { result, text: heard } = await plays(
      line('item/completed', { item: { type: 'agentMessage', id: 'm', text } }),
    );
    expect(heard).toBe(`${text}\n`);
    expect(result.kind).toBe('finished');
  });

  it('A missing codex, and one that is not set up, are named with what to do [X6]', async () => {
    await expect(bed.start('x', { options: { binary: 'no-such-codex' } })).rejects.toMatchObject({
      name: 'OperatorError',
      message: expect.stringContaining('was not found') as string,
      hint: expect.stringContaining('npm install -g @openai/codex') as string,
    });
    await expect(bed.start('x', { env: { FAKE_CODEX: 'bad-config' } })).rejects.toMatchObject({
      name: 'OperatorError',
      message: expect.stringContaining('unknown model provider') as string,
    });
  });
});

describe('the codex agent through exec', () => {
  const options = { via: 'exec' };

  it('Exec is used if there is no app-server, and the agent says so', async () => {
    const { result, text, notices } = await bed
      .run('do it', { env: { FAKE_CODEX: 'old' } })
      .catch((error: unknown) => {
        throw error;
      });
    expect(result.kind).toBe('finished');
    expect(notices).toContain('codex exec');
    expect(text).toContain('do it');
    const refused = bed.start('x', { options: { via: 'app-server' }, env: { FAKE_CODEX: 'old' } });
    await expect(refused).rejects.toMatchObject({
      code: 'codex-too-old',
      hint: expect.stringContaining('"exec"') as string,
    });
  });

  it('Exec gets the prompt by standard input and reports text, tokens and the thread', async () => {
    const { result, text, events } = await bed.run('it\'s "quoted"\n$(id)', { options });
    expect(text).toBe('hello from the agent: it\'s "quoted"\n$(id)\n');
    expect(result).toMatchObject({ kind: 'finished', usage: { tokens: 120 } });
    expect(events.map(({ type }) => type).filter((type) => type !== 'notice')).toEqual([
      'session-id',
      'text',
      'usage',
    ]);
  });

  it('Exec gets the sandbox of the role, the model, the thread and the profile', async () => {
    const request = { readOnly: true, model: 'm', resume: 'thread-1' };
    const { argv } = await bed.heardBy('x', { options: { profile: 'work' }, request });
    expect(argv.join(' ')).toBe(
      'exec --json --skip-git-repo-check -s read-only -p work -m m -c check_for_update_on_startup=false resume thread-1 -',
    );
  });

  it('An exec session fails by what codex reports, and has crashed if codex dies or reports no end', async () => {
    expect((await bed.run('fails', { options })).result).toMatchObject({
      kind: 'failed',
      errorClass: 'authentication',
    });
    expect((await bed.run('crashes', { options })).result).toMatchObject({
      kind: 'crashed',
      detail: 'killed by SIGKILL',
    });
    expect((await bed.run('says nothing more', { options })).result).toMatchObject({ kind: 'crashed' });
  });

  it('An exec session resumes its thread, and ends as gone if codex does not have it [A1]', async () => {
    const began = await bed.run('can-be-resumed', { options });
    const again = await bed.run('can-be-resumed', { options, request: { resume: thread } });
    expect([began.text, again.text]).toEqual(['began\n', 'went on\n']);
    const { result } = await bed.run('can-be-resumed', { options, request: { resume: 'gone' } });
    expect(result).toMatchObject({
      kind: 'failed',
      errorClass: 'conversation-gone',
      detail: expect.stringContaining('no rollout found') as string,
      usage: { usd: 0, tokens: 0 },
    });
  });

  it('Each of ten exec sessions of one thread counts only its own usage, although codex reports sums [A1] [X1]', async () => {
    const told: (number | null)[] = [];
    for (let turn = 0; turn < 10; turn += 1) {
      const request = { resume: turn === 0 ? null : thread };
      told.push((await bed.run('do it', { options, request })).result.usage.tokens);
    }
    expect(told).toEqual(Array.from({ length: 10 }, () => 120));
  });

  it('An exec session can be closed while it hangs [Q6]', async () => {
    const session = await bed.start('hangs', { options });
    await session.close('enough');
    for await (const _ of session.events);
    expect((await session.result).kind).toBe('crashed');
  });
});

describe('the options of the codex agent', () => {
  it.each([
    ['an unknown option', { binry: 'x' }, /no option "binry"/],
    [
      'a wrong sandbox',
      { sandbox: 'none' },
      /"workspace-write", "read-only", "danger-full-access" as "sandbox"/,
    ],
    ['a wrong way', { via: 'sdk' }, /as "via"/],
    ['wrong approvals', { approvals: 'always' }, /as "approvals"/],
    ['no time to resume', { resumeTimeoutMs: 1.5 }, /"resumeTimeoutMs"/],
    ['an empty binary', { binary: ' ' }, /"binary"/],
    ['settings that are none', { config: ['a=b'] }, /"config"/],
    ['a setting without a value', { config: { a: null } }, /"a"/],
    ['a profile of the app-server', { via: 'app-server', profile: 'x' }, /"profile"/],
  ])('The options of the codex agent refuse %s in one sentence [X6]', (_, options, sentence) => {
    expect(() => createCodexAgent(options)).toThrow(OperatorError);
    expect(() => createCodexAgent(options)).toThrow(sentence);
  });
});
