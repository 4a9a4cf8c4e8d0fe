// `untildone mcp` asked by a real client of the protocol, and by a real agent inside a run.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { eventsOf } from '../journal.ts';
import { bin, pathWithNode } from '../package.ts';
import { makePlace } from '../place.ts';
import type { Place } from '../place.ts';
import { sandboxHere } from '../sandboxed.ts';
import { builderDone, claude, claudePlace, honest, isVerifier, seesFile } from './claude-place.ts';
import { call, say, startModel } from './model.ts';
import type { Asked, Model, ModelReply } from './model.ts';

const clients = createRequire(join(import.meta.dirname, 'clients/package.json'));
const sdk = join(import.meta.dirname, 'clients/node_modules/@modelcontextprotocol/sdk');

/** As most people have it: the state of the run is hidden from the agent, and the tools answer all the same. */
const sandbox = ['--sandbox', sandboxHere()];

interface McpClient {
  connect(transport: object): Promise<void>;
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  callTool(order: { readonly name: string; readonly arguments: object }): Promise<{
    readonly isError?: boolean;
    readonly content: readonly { readonly text: string }[];
  }>;
  close(): Promise<void>;
}

describe.skipIf(!existsSync(sdk))('The real MCP client', () => {
  it('The MCP client completes the handshake, lists the tools, and is refused every verdict [X14]', async () => {
    const place = makePlace();
    const { Client } = (await load('client/index.js')) as { Client: new (who: object) => McpClient };
    const { StdioClientTransport } = (await load('client/stdio.js')) as {
      StdioClientTransport: new (order: object) => object;
    };
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StdioClientTransport({ command: bin(), args: ['mcp'], env: place.env, cwd: place.repo }),
    );
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual([
      'read_task',
      'run_checks',
      'ask_person',
      'suspend_task',
      'report_progress',
      'propose_criterion',
    ]);
    for (const name of ['approve', 'skip', 'write_verdict', 'raise_budget', 'constructor', '']) {
      const { isError, content } = await client.callTool({ name, arguments: {} });
      expect(isError).toBe(true);
      expect(content[0]?.text).toMatch(/Agents cannot give verdicts, approvals, skips or budgets/);
    }
    await client.close();
  });
});

describe.skipIf(claude.isMissing)(`The tools of a run in ${claude.title}`, () => {
  it('The tools of a run inform its agent while it works, and prove nothing [X14]', async () => {
    const heard: string[] = [];
    const model = await startModel({
      reply: (asked) => {
        if (isVerifier(asked)) return honest(asked);
        heard.push(asked.text);
        if (asked.results === 0) return call('ToolSearch', { query: 'select:mcp__untildone__run_checks' });
        if (asked.results === 1) return call('mcp__untildone__run_checks', {});
        if (asked.results === 2) return call('Write', { file_path: 'done.txt', content: 'right\n' });
        return honest(asked);
      },
    });
    const place = placeWithTools(model);
    const { code } = await place.untildone(
      ['run', 'write done.txt', '--agent', 'claude', ...sandbox, ...seesFile],
      withProgram(),
    );
    expect(heard.join('\n')).toMatch(/grep: done\.txt: No such file[^]*It proves nothing/);
    expect(code).toBe(0);
    const purposes = eventsOf(place).flatMap((event) =>
      event.type === 'evidence-recorded' ? [`${event.evidence.purpose} ${event.evidence.verdict}`] : [],
    );
    expect(purposes).toContain('look fail');
    expect(purposes).toContain('acceptance pass');
  });

  it('The tools let the agent read, report, propose and ask; a person decides, and no tool accepts a verdict [X14] [X12] [Q10] [K5]', async () => {
    const heard: string[] = [];
    const model = await startModel({
      reply: (asked) => {
        if (isVerifier(asked)) return honest(asked);
        heard.push(asked.text);
        return asked.text.includes('call it right') ? afterAnswer(asked) : beforeAnswer(asked);
      },
    });
    const place = placeWithTools(model);
    const run = await place.untildone(
      ['run', 'write done.txt', '--agent', 'claude', ...sandbox, ...seesFile],
      withProgram(),
    );
    const first = heard.join('\n');
    expect(first).toMatch(
      /Task main of the run .*write done\.txt.*grep-q-right-done-txt: .*fail before the work/,
    );
    expect(first).toMatch(/No such tool available: mcp__untildone__(approve|write_verdict)/);
    // It asked, so it waits, though its file is right; and nothing that it wanted has come to pass.
    expect(`${run.code} ${run.stdout}`).toMatch(/^6 [^]*Which word/);
    const events = eventsOf(place);
    expect(events.find((event) => event.type === 'progress-reported')).toMatchObject({ text: 'half of it' });
    const types = events.map(({ type }) => type);
    for (const never of ['criteria-changed', 'proposal-settled', 'task-proven', 'task-skipped'])
      expect(types).not.toContain(never);

    const { stdout: screen } = await place.untildone(['status']);
    expect(screen).toMatch(/Which word shall it be\?[^]*untildone answer/);
    const [signed = '', skipped = ''] = proposalsOf(place);
    const { stdout: list } = await place.untildone(['criteria']);
    expect(list).toMatch(new RegExp(`${signed}.*It is signed[^]*${skipped}.*grep-q-right-done-txt`));
    for (const [args, said] of [
      [['answer', 'call it right'], 'Answered the question of task main'],
      [['criteria', 'accept', signed], `Accepted the proposal ${signed}`],
      [['criteria', 'reject', skipped, '--why', 'it is what we want'], `Rejected the proposal ${skipped}`],
    ] as const) {
      const { code, stdout } = await place.untildone(args);
      expect(`${code} ${stdout}`).toMatch(new RegExp(`^0 ${said}`));
    }
    const resumed = await place.untildone(['resume'], withProgram());
    expect(`${resumed.code} ${resumed.stdout}`).toMatch(/^0 [^]*✅ Completed/);
    // The tool tells the next session what the person said and wants.
    expect(heard.at(-1)).toMatch(/The person answered: call it right/);
    expect(heard.at(-1)).toMatch(/It is signed \(decided by grep -q signed done\.txt/);
  });
});

/** Everything that an agent can reach for, one after the other; then it says that it is done. */
const tries: readonly ModelReply[] = [
  call('ToolSearch', {
    query: `select:${toolNames('read_task', 'report_progress', 'propose_criterion', 'ask_person')}`,
  }),
  call('mcp__untildone__read_task', {}),
  call('mcp__untildone__report_progress', { text: 'half of it' }),
  call('mcp__untildone__propose_criterion', { text: 'It is signed', check: 'grep -q signed done.txt' }),
  call('mcp__untildone__propose_criterion', { skip: 'grep-q-right-done-txt', why: 'tired' }),
  call('mcp__untildone__approve', { criterion: 'verifier' }),
  call('mcp__untildone__write_verdict', { criterion: 'grep-q-right-done-txt', verdict: 'pass' }),
  call('mcp__untildone__report_progress', {
    text: 'done',
    verdict: 'pass',
    task: 'main',
    outcome: 'completed',
  }),
  call('Bash', { command: 'untildone approve; untildone criteria accept x; untildone skip main; true' }),
  call('Write', { file_path: 'done.txt', content: 'right\n' }),
  call('mcp__untildone__ask_person', { question: 'Which word shall it be?' }),
];

function beforeAnswer({ results }: Asked): ModelReply {
  return tries[results] ?? say(builderDone);
}

function afterAnswer({ results }: Asked): ModelReply {
  const steps = [
    call('ToolSearch', { query: `select:${toolNames('read_task')}` }),
    call('mcp__untildone__read_task', {}),
    call('Bash', { command: 'echo right signed > done.txt' }),
  ];
  return steps[results] ?? say(builderDone);
}

function toolNames(...names: string[]): string {
  return names.map((name) => `mcp__untildone__${name}`).join(',');
}

function withProgram(): { readonly env: { readonly PATH: string } } {
  return { env: { PATH: `${dirname(bin())}:${pathWithNode()}` } };
}

function proposalsOf(place: Place): string[] {
  return eventsOf(place).flatMap((event) => (event.type === 'criterion-proposed' ? [event.proposalId] : []));
}

/** By its name: in a sandbox it is found where PATH leads. */
function placeWithTools(model: Model): Place {
  const servers = JSON.stringify({ mcpServers: { untildone: { command: 'untildone', args: ['mcp'] } } });
  return claudePlace({ model, options: { extraArgs: ['--mcp-config', servers] } });
}

async function load(path: string): Promise<unknown> {
  return import(pathToFileURL(clients.resolve(`@modelcontextprotocol/sdk/${path}`)).href);
}
