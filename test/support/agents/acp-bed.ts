// A place for sessions with the fake agent, for the tests of this folder.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createProcesses } from '#adapters/processes/create-processes.ts';
import type { AgentEvent, SessionRequest } from '#ports/agent.ts';
import { createAcpAgent } from '#agents/acp/acp-agent.ts';

export const fake = join(import.meta.dirname, 'fake-acp-peer.ts');

export const commandFor = (scene: string, flags: object = {}): string[] => [
  process.execPath,
  fake,
  scene,
  JSON.stringify(flags),
];

export interface Told {
  readonly flags?: object;
  readonly options?: object;
  readonly request?: Partial<SessionRequest>;
}

export function createTestBed() {
  const base = mkdtempSync(join(tmpdir(), 'untildone-acp-'));
  const cwd = join(base, 'workspace');
  mkdirSync(cwd);
  const processes = createProcesses({ confine: 'marker' });

  const start = (scene: string, { flags, options, request }: Told = {}) =>
    createAcpAgent({ command: commandFor(scene, flags), ...options }).start({
      role: 'builder',
      model: null,
      cwd,
      prompt: 'do it',
      readOnly: false,
      resume: null,
      wallMs: 600_000,
      graceMs: 300,
      knowledge: { prices: {}, usageLimitWordings: [] },
      usdMax: 1,
      tokensMax: 1,
      mark: `acp-${process.pid}/1`,
      processes,
      env: {
        PATH: process.env['PATH'] ?? '',
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
        HOME: base,
      },
      ...request,
    });

  const run = async (scene: string, told: Told = {}) => {
    const session = await start(scene, told);
    const events: AgentEvent[] = [];
    for await (const event of session.events) events.push(event);
    const said = (type: 'text' | 'notice') =>
      events.map((event) => (event.type === type ? event.text : '')).join('');
    return { events, text: said('text'), notices: said('notice'), result: await session.result };
  };

  /** With what the agent was asked, by method. */
  const heardBy = async (scene: string, told: Told = {}) => {
    const heard = join(base, `heard-${Math.random().toString(36).slice(2)}`);
    const done = await run(scene, { ...told, flags: { ...told.flags, heard } });
    const messages = readFileSync(heard, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { method?: string; params?: { [name: string]: unknown } });
    const of = (method: string) =>
      messages.filter((message) => message.method === method).map(({ params }) => params);
    return { ...done, of, order: messages.flatMap(({ method }) => (method === undefined ? [] : [method])) };
  };

  const dispose = (): void => rmSync(base, { recursive: true, force: true });
  return { base, cwd, processes, start, run, heardBy, dispose };
}
