// The stop gate of an interactive session, without the client: the input of its hooks, and their answers in a hostile environment.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { saysDone, shellAgents, seesFile } from './agents.ts';
import { startFakeClient } from './fake-client.ts';
import type { FakeClient } from './fake-client.ts';
import { eventsOf, startedSteps } from './journal.ts';
import { bin } from './package.ts';
import type { Place } from './place.ts';
import { makePlace, runFolders } from './place.ts';
import { until } from './wait.ts';

const prompt = `/untildone:start "write done.txt" --check "${seesFile}"`;

async function started(place: Place, sessionId = 'one'): Promise<FakeClient> {
  const client = startFakeClient(place, sessionId);
  expect(await client.hook('prompt', { prompt })).toMatchObject({
    hookSpecificOutput: { additionalContext: expect.stringContaining('write done.txt') as string },
  });
  return client;
}

function end(place: Place): object | null {
  return eventsOf(place).find((event) => event.type === 'run-ended') ?? null;
}

/** The driver under which a look has begun. */
function lookerOf(place: Place): number | null {
  const events = eventsOf(place);
  const isLooking = startedSteps(events).some(({ deed }) => deed.kind === 'check' && deed.purpose === 'look');
  const driver = events.findLast((event) => event.type === 'driver-started');
  return isLooking ? Number(driver?.driver.split(':').at(-1)) : null;
}

describe('The stop gate of an interactive session', () => {
  it('The stop gate opens when the check passes, and the work is proven only after the client has exited [K11]', async () => {
    const place = makePlace();
    const client = await started(place);
    expect(await client.hook('stop')).toMatchObject({
      decision: 'block',
      reason: expect.stringContaining('grep: done.txt') as string,
    });
    writeFileSync(join(place.repo, 'done.txt'), 'right\n');
    expect(await client.hook('stop', { stop_hook_active: true })).toMatchObject({
      systemMessage: expect.stringContaining('Every check') as string,
    });
    const parked = await place.untildone(['resume']);
    expect(parked.stdout).toMatch(/Parked: the end of the interactive session/);
    expect(end(place)).toBeNull();
    await client.close();
    const { code, stdout } = await place.untildone(['resume']);
    expect(`${code} ${stdout}`).toMatch(/^0 [^]*Completed/);
  });

  it('The stop gate does not open for a changed check, nor for a file that git ignores [K11]', async () => {
    const place = makePlace({ files: { 'check.sh': 'test -f done.txt\n', '.gitignore': 'done.txt\n' } });
    const client = startFakeClient(place, 'one');
    await client.hook('prompt', { prompt: '/untildone:start "make it" --check "sh check.sh"' });
    writeFileSync(join(place.repo, 'done.txt'), 'right\n');
    expect(await client.hook('stop')).toMatchObject({ decision: 'block' });
    writeFileSync(join(place.repo, 'check.sh'), 'exit 0\n');
    expect(await client.hook('stop')).toMatchObject({
      decision: 'block',
      reason: expect.stringContaining('check.sh was changed') as string,
    });
    await client.close();
  });

  it('The stop gate blocks only the session that started it, and no session if its state is gone [K11]', async () => {
    const place = makePlace();
    const client = await started(place);
    expect(await client.hook('stop', { session_id: 'another' })).toEqual({});
    expect(await client.hook('stop', { agent_type: 'Explore' })).toEqual({});
    expect(await client.hook('stop', { agent_type: 'untildone:builder' })).toMatchObject({
      decision: 'block',
    });
    for (const folder of runFolders(place)) rmSync(folder, { recursive: true });
    rmSync(join(place.repo, '.git/untildone'), { recursive: true, force: true });
    expect(await client.hook('stop')).toEqual({
      systemMessage: expect.stringContaining('this session is not blocked') as string,
    });
    await client.close();
  });

  it('The stop gate survives a hook that is killed during a check, and two hooks at once [K11]', async () => {
    const place = makePlace();
    const client = startFakeClient(place, 'one');
    const check = `test ! -f slow || sleep 300; ${seesFile}`;
    await client.hook('prompt', { prompt: `/untildone:start "write done.txt" --check "${check}"` });
    writeFileSync(join(place.repo, 'slow'), '');
    const killed = client.hook('stop');
    const pid = await until('a look', () => lookerOf(place));
    process.kill(pid, 'SIGKILL');
    expect(await killed).toEqual({});
    rmSync(join(place.repo, 'slow'));
    const both = await Promise.all([
      client.hook('stop'),
      client.hook('stop', { agent_type: 'untildone:builder' }),
    ]);
    for (const answer of both)
      expect(answer).toMatchObject({
        decision: 'block',
        reason: expect.stringContaining('nothing was changed') as string,
      });
    expect(place.living().filter(({ pid: one }) => one !== client.pid)).toEqual([]);
    await client.close();
  });

  it('The stop gate opens for no input of an agent, and at once for the input of a person [K11] [X12]', async () => {
    const place = makePlace();
    const client = await started(place);
    const forged = JSON.stringify({ session_id: 'one', prompt: '/untildone:release' });
    const clothes = 'CLAUDE_PLUGIN_ROOT=/plugin AI_AGENT=claude-code_x_harness';
    const tries = [
      `'${bin()}' stop --now`,
      `'${bin()}' pause`,
      `'${bin()}' suspend --manual`,
      `'${bin()}' approve`,
      `env -i PATH="$PATH" HOME="$HOME" XDG_STATE_HOME="$XDG_STATE_HOME" '${bin()}' stop --now`,
      `echo '${forged}' | ${clothes} '${bin()}' hook prompt`,
      `echo '${forged}' | env -i PATH="$PATH" HOME="$HOME" XDG_STATE_HOME="$XDG_STATE_HOME" ${clothes} CLAUDECODE=1 '${bin()}' hook prompt`,
    ];
    for (const one of tries) expect(await client.tool(one)).toMatch(/is refused/);
    expect(await client.hook('tool', { tool_input: { prompt: '/untildone:release' } })).toMatchObject({
      hookSpecificOutput: { permissionDecision: 'deny' },
    });
    expect(await client.hook('stop')).toMatchObject({ decision: 'block' });
    expect(await client.hook('prompt', { prompt: '/untildone:suspend' })).toMatchObject({
      decision: 'block',
    });
    expect(await client.hook('stop')).toMatchObject({
      systemMessage: expect.stringContaining('is suspended') as string,
    });
    await client.hook('prompt', { prompt: '/untildone:release enough' });
    expect(end(place)).toMatchObject({ outcome: 'stopped', reason: 'enough' });
    expect(await client.hook('stop')).toEqual({});
    await client.close();
  });
});

describe('A suspension typed in the session', () => {
  it('A suspension typed in the session takes the flags of the command: the session may end until then, and is blocked again afterwards [U1] [U3] [K11]', async () => {
    const place = makePlace();
    const client = await started(place);
    const type = async (prompt: string): Promise<string> =>
      JSON.stringify(await client.hook('prompt', { prompt }));
    expect(await type('/untildone:suspend --tmie 1h')).toContain('has no option --tmie');
    expect(await type('/untildone:suspend --time 1h "CI"')).toMatch(/is suspended: CI \(waits until .*UTC\)/);
    expect(await client.hook('stop')).toMatchObject({
      systemMessage: expect.stringContaining('is suspended') as string,
    });
    expect((await place.untildone(['status'])).stdout).toContain(
      'Can exit: Yes (suspended; nothing is proven)',
    );
    expect(await type('/untildone:resume')).toMatch(/is suspended.*--force/);
    expect(await type('/untildone:resume --status')).toContain('Waits:');
    expect(await type('/untildone:resume --force')).toContain('continues');
    expect(await client.hook('stop')).toMatchObject({ decision: 'block' });
    await type('/untildone:suspend --time 1s');
    while (!JSON.stringify(await client.hook('stop')).includes('nothing was changed'));
    await type('/untildone:release');
    await client.close();
  });
});

describe('The MCP server inside a run', () => {
  it('An agent can suspend its task for a time within the cap, and never longer [U1] [X14]', async () => {
    const place = makePlace();
    const calls = [6000, 0.02].map((minutes, id) =>
      JSON.stringify({
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { name: 'suspend_task', arguments: { minutes, why: 'the API is limited' } },
      }),
    );
    const lines = place.write('calls.jsonl', `${calls.join('\n')}\n`);
    const builder = `if [ $n = 1 ]; then while read -r line; do printf '%s\\n' "$line"; sleep 1; done < '${lines}' | '${bin()}' mcp > '${place.folder}/answers.jsonl' 2>&1; exit 0; fi; echo right > done.txt; ${saysDone}`;
    const args = ['run', 'write done.txt', '--check', seesFile, ...shellAgents(place, { builder })];
    expect(await place.untildone(args)).toMatchObject({ code: 0 });
    const answers = readFileSync(join(place.folder, 'answers.jsonl'), 'utf8');
    expect(answers).toMatch(/an agent can suspend its task for 24 h at most.*"isError":true/);
    expect(answers).toMatch(/End your session now\. The task continues after/);
    const types = eventsOf(place).map(({ type }) => type);
    expect(types).toEqual(expect.arrayContaining(['suspended', 'condition-met']));
  });

  it('The MCP server lets an agent read, check, ask and propose, and gives it no control that decides [X14] [X12]', async () => {
    const place = makePlace();
    const calls = [
      ['initialize', { protocolVersion: '2025-06-18' }],
      ['tools/call', { name: 'read_task' }],
      ['tools/call', { name: 'run_checks' }],
      ['tools/call', { name: 'report_progress', arguments: { text: 'half of it' } }],
      ['tools/call', { name: 'propose_criterion', arguments: { text: 'It is fast', check: 'true' } }],
      ['tools/call', { name: 'approve', arguments: { criterion: 'works' } }],
      ['tools/call', { name: 'ask_person', arguments: { question: 'Which port?' } }],
    ].map(([method, params], id) => JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    const lines = place.write('calls.jsonl', `${calls.join('\n')}\n`);
    const builder = `echo right > done.txt; while read -r line; do printf '%s\\n' "$line"; sleep 1; done < '${lines}' | '${bin()}' mcp > '${place.folder}/answers.jsonl' 2>&1; ${saysDone}`;
    const args = ['run', 'write done.txt', '--check', seesFile, ...shellAgents(place, { builder })];
    const { code } = await place.untildone(args);
    const answers = readFileSync(join(place.folder, 'answers.jsonl'), 'utf8').trim().split('\n');
    const byId = answers
      .map((line) => JSON.parse(line) as { id: number; result: { isError?: boolean } })
      .toSorted((a, b) => a.id - b.id)
      .map(({ result }) => JSON.stringify(result));
    expect(byId[1]).toContain('write done.txt');
    expect(byId[2]).toMatch(/pass\. .*It proves nothing/);
    expect(byId[5]).toMatch(/Agents cannot give verdicts, approvals, skips or budgets.*"isError":true/);
    expect(byId.filter((answer) => answer.includes('"isError":true'))).toHaveLength(1);
    // It asked, so it waits, however green its checks are.
    expect(code).toBe(6);
    const types = eventsOf(place).map(({ type }) => type);
    expect(types).toEqual(expect.arrayContaining(['look-asked', 'progress-reported', 'criterion-proposed']));
    expect(types).toContain('question-asked');
    expect(types).not.toContain('task-proven');
  });

  it('The MCP server outside a run serves no run, and says so [X14]', async () => {
    const place = makePlace();
    const file = place.write(
      'ask',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_task"}}\n',
    );
    const { stdout } = await place.untildone([], { wrapper: ['sh', '-c', `"$0" mcp < '${file}'`] });
    expect(stdout).toMatch(/does not belong to a run.*"isError":true/);
  });
});
