// `untildone mcp` asked by a real client of the protocol, and by a real agent inside a run.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findBubblewrap } from '#adapters/sandboxes/bubblewrap/find-bubblewrap.ts';
import { eventsOf } from '../journal.ts';
import { bin, pathWithNode } from '../package.ts';
import { makePlace } from '../place.ts';
import { claude, claudePlace, honest, isVerifier, seesFile } from './claude-place.ts';
import { call, startModel } from './model.ts';

const clients = createRequire(join(import.meta.dirname, 'clients/package.json'));
const sdk = join(import.meta.dirname, 'clients/node_modules/@modelcontextprotocol/sdk');

/** As most people have it: the state of the run is hidden from the agent, and the tools answer all the same. */
const sandbox = 'path' in findBubblewrap() ? ['--sandbox', 'bubblewrap'] : [];

interface McpClient {
  connect(transport: object): Promise<void>;
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  callTool(order: { readonly name: string; readonly arguments: object }): Promise<{
    readonly isError?: boolean;
    readonly content: readonly { readonly text: string }[];
  }>;
  close(): Promise<void>;
}

describe.skipIf(!existsSync(sdk))('the real MCP client', () => {
  it('shakes hands, lists the tools, and is refused every verdict [X14]', async () => {
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
    expect(names).toEqual(['read_task', 'run_checks', 'ask_person', 'report_progress', 'propose_criterion']);
    for (const name of ['approve', 'skip', 'write_verdict', 'raise_budget', 'constructor', '']) {
      const { isError, content } = await client.callTool({ name, arguments: {} });
      expect(isError).toBe(true);
      expect(content[0]?.text).toMatch(/not for agents/);
    }
    await client.close();
  });
});

describe.skipIf(claude.isMissing)(`the tools of a run in ${claude.title}`, () => {
  it('inform its agent while it works, and prove nothing [X14]', async () => {
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
    // By its name: in a sandbox it is found where PATH leads.
    const servers = JSON.stringify({ mcpServers: { untildone: { command: 'untildone', args: ['mcp'] } } });
    const place = claudePlace({ model, options: { extraArgs: ['--mcp-config', servers] } });
    const { code } = await place.untildone(
      ['run', 'write done.txt', '--agent', 'claude', ...sandbox, ...seesFile],
      { env: { PATH: `${dirname(bin())}:${pathWithNode()}` } },
    );
    expect(heard.join('\n')).toMatch(/grep: done\.txt: No such file[^]*It proves nothing/);
    expect(code).toBe(0);
    const purposes = eventsOf(place).flatMap((event) =>
      event.type === 'evidence-recorded' ? [`${event.evidence.purpose} ${event.evidence.verdict}`] : [],
    );
    expect(purposes).toContain('look fail');
    expect(purposes).toContain('acceptance pass');
  });
});

async function load(path: string): Promise<unknown> {
  return import(pathToFileURL(clients.resolve(`@modelcontextprotocol/sdk/${path}`)).href);
}
