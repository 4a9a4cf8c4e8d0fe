// A place for sessions with the fake codex, for the tests of this folder.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createProcesses } from '#adapters/processes/create-processes.ts';
import type { AgentSession, SessionRequest } from '#ports/agent.ts';
import { createCodexAgent } from '#agents/codex/codex-agent.ts';
import { listenTo, plainEnv, sessionRequest } from './session-request.ts';

export interface BedOptions {
  readonly options?: object;
  readonly request?: Partial<SessionRequest>;
  readonly env?: { readonly [name: string]: string };
}

export function createTestBed() {
  const base = mkdtempSync(join(tmpdir(), 'untildone-codex-'));
  const cwd = join(base, 'workspace');
  mkdirSync(cwd);
  const binary = join(base, 'codex');
  const goneFile = join(base, 'gone');
  const fake = join(import.meta.dirname, 'fake-codex.ts');
  writeFileSync(binary, `#!/bin/sh\nexec "${process.execPath}" "${fake}" "$@"\n`);
  chmodSync(binary, 0o755);
  const processes = createProcesses({ confine: 'marker' });
  const mark = `codex-${process.pid}-${Math.random().toString(36).slice(2)}`;
  let count = 0;

  const start = (prompt: string, { options, request, env }: BedOptions = {}): Promise<AgentSession> => {
    count += 1;
    return createCodexAgent({ binary, ...options }).start(
      sessionRequest({
        cwd,
        prompt,
        mark: `${mark}/${count}`,
        processes,
        ...request,
        env: { ...plainEnv, HOME: base, FAKE_CODEX_GONE: goneFile, ...env },
      }),
    );
  };
  /** `act` is called once the agent has said something. */
  const run = async (prompt: string, told: BedOptions = {}, act?: (session: AgentSession) => Promise<void>) =>
    listenTo(await start(prompt, told), act);
  /** Also returns the input of codex: its arguments, then each line. */
  const inputOfCodex = async (
    prompt: string,
    told: BedOptions = {},
    act?: (session: AgentSession) => Promise<void>,
  ) => {
    const file = join(base, `heard-${Math.random().toString(36).slice(2)}`);
    const { result } = await run(prompt, { ...told, env: { ...told.env, FAKE_CODEX_HEARD: file } }, act);
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    const argvs = lines
      .filter((line) => line.startsWith('argv '))
      .map((line) => JSON.parse(line.slice('argv '.length)) as string[]);
    const messages = lines
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as { method?: string; params?: unknown });
    return {
      result,
      /** Of each time that it was started. */
      argvs,
      argv: argvs[0] ?? [],
      methods: messages.flatMap(({ method }) => (method === undefined ? [] : [method])),
      params: (method: string): unknown => messages.find((message) => message.method === method)?.params,
    };
  };
  const dispose = async (): Promise<void> => {
    await processes.sweep(mark);
    rmSync(base, { recursive: true, force: true });
  };
  return { base, goneFile, binary, cwd, start, run, heardBy: inputOfCodex, dispose };
}
