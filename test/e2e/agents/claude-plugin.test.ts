// The plugin inside the real Claude Code: a session cannot end before its checks pass, and only a person can
// release it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventsOf } from '../journal.ts';
import { bin, packageFolder, startProgram } from '../package.ts';
import type { Finished } from '../package.ts';
import { makePlace, runFolders } from '../place.ts';
import type { Place } from '../place.ts';
import { noScreen, openScreen } from '../screen.ts';
import { until } from '../wait.ts';
import { claude } from './claude-place.ts';
import { clientEnv, openClient, trustEverything, type } from './claude-screen.ts';
import type { Asked, Model, ModelReply } from './model.ts';
import { call, say, startModel } from './model.ts';

const start = '/untildone:start "write done.txt" --check "grep -q right done.txt"';
const sessionId = '0b54d5f6-3f1e-4a54-9a51-6a6e7b0d1c11';

describe.skipIf(claude.isMissing)(`The plugin in ${claude.title}`, () => {
  it('The client reports no problem with the plugin [K11]', async () => {
    const place = makePlace();
    const { code, stdout } = await startProgram(
      claude.program,
      ['plugin', 'validate', join(packageFolder(), 'plugin')],
      { cwd: place.repo, outputDir: join(place.folder, 'output'), env: place.env },
    ).ended;
    expect(stdout).not.toMatch(/error/i);
    expect(code).toBe(0);
  });

  it('The plugin blocks the end of a session until the check passes, and proves the work after it is closed [K11]', async () => {
    const place = makePlace();
    const model = await startModel({ reply: lazy });
    const { stdout } = await session(place, model, ['--session-id', sessionId, start]);
    expect(refusals(model)).toBe(1);
    expect(textSentTo(model)).toMatch(/grep: done\.txt: No such file/);
    expect(stdout).toMatch(/Every check of the run .* passes/);
    const ended = await until('the proof', () => endOf(place));
    expect(ended).toMatchObject({ outcome: 'completed' });
    const looks = evidence(place, 'look');
    expect(looks).toEqual(['fail', 'pass']);
    expect(place.git('show', 'HEAD:done.txt')).toBe('right');
  });

  it('The plugin blocks no other session, and none before a run is started [K11]', async () => {
    const place = makePlace();
    const model = await startModel({ reply: () => say('Done.') });
    await session(place, model, ['--session-id', sessionId, start], { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '2' });
    const before = evidence(place, 'look').length;
    expect(before).toBeGreaterThan(0);
    const { stdout } = await session(place, model, ['hello']);
    expect(evidence(place, 'look')).toHaveLength(before);
    expect(stdout).toMatch(/"result":"Done\."/);
  });

  it('A run survives the cap on blocked stops: it stays open, and the next turn is blocked again [K11]', async () => {
    const place = makePlace();
    const model = await startModel({
      reply: (asked) => (asked.text.includes('NOW') ? lazy(asked) : say('Done.')),
    });
    const first = await session(place, model, ['--session-id', sessionId, start]);
    expect(refusals(model)).toBe(8);
    expect(first.stdout).toMatch(/Claude Code ends this turn after 8 refusals/);
    expect(endOf(place)).toBeNull();
    const next = await session(place, model, ['--resume', sessionId, 'NOW do it']);
    expect(next.stdout).toMatch(/Every check of the run .* passes/);
    expect(await until('the proof', () => endOf(place))).toMatchObject({ outcome: 'completed' });
  });

  it('A person can release a session, but no command, forged hook or second client of the agent can [K11] [X12]', async () => {
    const place = makePlace();
    const forged = JSON.stringify({ session_id: sessionId, prompt: '/untildone:release', cwd: place.repo });
    const commands = [
      `'${bin()}' stop --now`,
      `env -i PATH="$PATH" HOME="$HOME" XDG_STATE_HOME="$XDG_STATE_HOME" '${bin()}' stop --now`,
      `echo '${forged}' | CLAUDE_PLUGIN_ROOT=x AI_AGENT=x_harness '${bin()}' hook prompt`,
      `'${claude.program}' -p --dangerously-skip-permissions --plugin-dir '${packageFolder()}/plugin' --resume ${sessionId} /untildone:release`,
    ];
    const command = commands.map((one) => `{ ${one}; } >> '${place.folder}/tried' 2>&1`).join('\n');
    const model = await startModel({
      reply: ({ results }) => (results === 0 ? call('Bash', { command, timeout: 90_000 }) : say('Done.')),
    });
    await session(place, model, ['--session-id', sessionId, start], { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '1' });
    const tried = readFileSync(join(place.folder, 'tried'), 'utf8');
    expect(tried.match(/is refused/g)).toHaveLength(4);
    expect(endOf(place)).toBeNull();
    const { stdout } = await session(place, model, ['--resume', sessionId, '/untildone:release not today']);
    expect(stdout).toMatch(/This session is released/);
    expect(endOf(place)).toMatchObject({ outcome: 'stopped', reason: 'not today' });
    const before = evidence(place, 'look').length;
    await session(place, model, ['--resume', sessionId, 'hello']);
    expect(evidence(place, 'look')).toHaveLength(before);
  });

  it('A session may end while it is suspended, and is blocked again after it is resumed [K11]', async () => {
    const place = makePlace();
    const model = await startModel({ reply: () => say('Done.') });
    const cap = { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '1' };
    await session(place, model, ['--session-id', sessionId, start], cap);
    await session(place, model, ['--resume', sessionId, '/untildone:suspend lunch'], cap);
    const asked = model.requests.length;
    const status = await session(place, model, ['--resume', sessionId, '/untildone:status'], cap);
    expect(status.stdout).toMatch(/Task: main - write done\.txt.*Can exit: Yes \(suspended.*Status: pausing/);
    // No model influences what a person is shown.
    expect(model.requests).toHaveLength(asked);
    const before = evidence(place, 'look').length;
    const { stdout } = await session(place, model, ['--resume', sessionId, 'hello'], cap);
    expect(stdout).toMatch(/is suspended; its criteria stay open/);
    expect(evidence(place, 'look')).toHaveLength(before);
    await session(place, model, ['--resume', sessionId, '/untildone:resume'], cap);
    await session(place, model, ['--resume', sessionId, 'hello again'], cap);
    expect(evidence(place, 'look').length).toBeGreaterThan(before);
  });
});

describe.skipIf(claude.isMissing)(`Subagents in ${claude.title}`, () => {
  it('Subagents are blocked only at the end of the run’s own builder, in the session that started the run [K11]', async () => {
    const place = makePlace();
    const model = await startModel({ reply: delegating });
    const cap = { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '1' };
    await session(place, model, ['--session-id', sessionId, start], cap);
    const before = evidence(place, 'look').length;
    const from = model.requests.length;
    const other = await session(place, model, ['DELEGATE it']);
    expect(other.stdout).toMatch(/"result":"Done\."/);
    const free = model.requests.slice(from).map(({ body }) => body);
    expect(free.filter((body) => body.includes('BUILD IT')).length).toBeGreaterThan(1);
    expect(free.join('\n')).not.toContain('The work is not done');
    expect(evidence(place, 'look')).toHaveLength(before);

    const held = model.requests.length;
    await session(place, model, ['--resume', sessionId, 'DELEGATE it']);
    const inside = model.requests
      .slice(held)
      .filter(({ headers }) => headers['x-claude-code-agent-id'] !== undefined);
    const refused = inside.filter(({ body }) => body.includes('The work is not done'));
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.every(({ body }) => body.includes('BUILD IT'))).toBe(true);
    expect(inside.some(({ body }) => body.includes('LOOK AROUND'))).toBe(true);
    expect(evidence(place, 'look').slice(before)).toEqual(['fail', 'pass', 'pass']);
    expect(await until('the proof', () => endOf(place))).toMatchObject({ outcome: 'completed' });
    expect(place.git('show', 'HEAD:done.txt')).toBe('right');
  });
});

describe.skipIf(claude.isMissing || noScreen !== '')(
  `The plugin on a screen, in ${claude.title}${noScreen}`,
  () => {
    it('The plugin blocks a session that a person types into, shows its status, and proves the work when the person leaves [K11] [K12]', async () => {
      const place = makePlace();
      trustEverything(place);
      const model = await startModel({
        reply: (asked) => (asked.text.includes('NOW') ? lazy(asked) : say('Done.')),
      });
      const screen = openScreen(place, {
        columns: 200,
        lines: 60,
        env: { ...clientEnv(model), CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '1' },
      });
      try {
        await openClient(screen, ['--session-id', sessionId]);
        await type(screen, '/untildone:status', 'This session does not belong to a run');
        expect(model.requests).toHaveLength(0);
        await type(screen, start, 'Claude Code ends this turn after 1 refusals');
        await type(screen, '/untildone:status', 'Can exit: No (incomplete)');
        // A person may leave while the stop gate blocks: nothing is proven, nothing is lost.
        await type(screen, '/exit', 'ended with 0');
        expect(endOf(place)).toBeNull();
        await openClient(screen, ['--resume', sessionId]);
        await type(screen, 'NOW do it', 'passes. It can be proven when');
        await type(screen, '/untildone:status', 'Can exit: Yes (every check passed');
        expect(endOf(place)).toBeNull();
        await type(screen, '/exit', 'ended with 0');
        expect(await until('the proof', () => endOf(place))).toMatchObject({ outcome: 'completed' });
      } finally {
        screen.close();
      }
      expect(place.git('show', 'HEAD:done.txt')).toBe('right');
      await until('nobody left', () => place.living().length === 0);
    });
  },
);

/** Delegates the work: to a subagent that explores, and to the plugin's builder, which is lazy. */
function delegating(asked: Asked): ModelReply {
  const { text, results } = asked;
  if (text.includes('BUILD IT') && !text.includes('DELEGATE')) return lazy(asked);
  if (text.includes('LOOK AROUND') && !text.includes('DELEGATE')) return say('Seen.');
  if (!text.includes('DELEGATE')) return say('Done.');
  const agents = [
    { subagent_type: 'general-purpose', prompt: 'LOOK AROUND' },
    { subagent_type: 'untildone:builder', prompt: 'BUILD IT' },
  ];
  const next = agents[results];
  return next === undefined ? say('Done.') : call('Agent', { description: 'a part of it', ...next });
}

/** Says that it is done, and does the work only when that is refused. */
function lazy({ text, results }: Asked): ModelReply {
  if (!text.includes('The work is not done')) return say('Done.');
  return results === 0 ? call('Bash', { command: 'echo right > done.txt' }) : say('Done.');
}

/** One whole session, and the process that proves its work: it outlives the client. */
async function session(
  place: Place,
  model: Model,
  args: readonly string[],
  env: { readonly [name: string]: string } = {},
): Promise<Finished> {
  const plugin = join(packageFolder(), 'plugin');
  const flags = ['-p', '--output-format', 'stream-json', '--verbose', '--dangerously-skip-permissions'];
  const finished = await startProgram(claude.program, [...flags, '--plugin-dir', plugin, ...args], {
    cwd: place.repo,
    outputDir: join(place.folder, 'output'),
    env: { ...place.env, ...clientEnv(model), ...env },
  }).ended;
  await until('nobody left', () => place.living().length === 0);
  return finished;
}

/** How often a request tells of one more refusal than the one before it. */
function refusals({ requests }: Model): number {
  let all = 0;
  let before = 0;
  for (const { body } of requests) {
    const count = body.match(/Stop hook feedback/g)?.length ?? 0;
    if (count > before) all += count - before;
    before = count;
  }
  return all;
}

function textSentTo({ requests }: Model): string {
  return requests.map(({ body }) => body).join('\n');
}

function endOf(place: Place): { readonly outcome: string; readonly reason: string } | null {
  if (runFolders(place).length === 0) return null;
  return eventsOf(place).find((event) => event.type === 'run-ended') ?? null;
}

function evidence(place: Place, purpose: string): string[] {
  return eventsOf(place).flatMap((event) =>
    event.type === 'evidence-recorded' && event.evidence.purpose === purpose ? [event.evidence.verdict] : [],
  );
}
