// A place for sessions with the fake agent, for the tests of this folder.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createProcesses } from '#adapters/processes/create-processes.ts';
import type { SessionRequest } from '#ports/agent.ts';
import { createAcpAgent } from '#agents/acp/acp-agent.ts';
import { listenTo, plainEnv, sessionRequest } from './session-request.ts';

export const fake = join(import.meta.dirname, 'fake-acp-peer.ts');

export const commandFor = (scene: string, flags: object = {}): string[] => [
  process.execPath,
  fake,
  scene,
  JSON.stringify(flags),
];

export interface BedOptions {
  readonly flags?: object;
  readonly options?: object;
  readonly request?: Partial<SessionRequest>;
}

export function createTestBed() {
  const base = mkdtempSync(join(tmpdir(), 'untildone-acp-'));
  const cwd = join(base, 'workspace');
  mkdirSync(cwd);
  const processes = createProcesses({ confine: 'marker' });

  const start = (scene: string, { flags, options, request }: BedOptions = {}) =>
    createAcpAgent({ command: commandFor(scene, flags), ...options }).start(
      sessionRequest({
        cwd,
        mark: `acp-${process.pid}/1`,
        processes,
        env: { ...plainEnv, HOME: base },
        ...request,
      }),
    );

  const run = async (scene: string, told: BedOptions = {}) => listenTo(await start(scene, told));

  /** With what the agent was asked, by method. */
  const messagesTo = async (scene: string, told: BedOptions = {}) => {
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
  return { base, cwd, processes, start, run, heardBy: messagesTo, dispose };
}
