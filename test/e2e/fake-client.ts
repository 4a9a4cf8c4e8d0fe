// Stands in for an interactive client: a process that starts hooks as Claude Code does, and tools as its agent would.
import { spawn } from 'node:child_process';
import { bin } from './package.ts';
import type { Place } from './place.ts';

export interface FakeClient {
  readonly pid: number;
  /** What our hook answers. */
  hook(event: string, input?: object): Promise<{ readonly [field: string]: unknown }>;
  /** A command of the agent, run by its shell tool. */
  tool(command: string): Promise<string>;
  close(): Promise<void>;
}

interface Said {
  readonly output: string;
  readonly errors: string;
}

/** Runs one shell command a line, each with an environment and an input of its own. */
const program = `
const { spawn } = require('node:child_process');
let rest = '';
process.stdin.on('data', (data) => {
  rest += data;
  for (let at = rest.indexOf('\\n'); at >= 0; at = rest.indexOf('\\n')) {
    const { id, command, env, input } = JSON.parse(rest.slice(0, at));
    rest = rest.slice(at + 1);
    const child = spawn('/bin/sh', ['-c', command + '; true'], { env: { ...process.env, ...env }, detached: true });
    let output = '';
    let errors = '';
    child.stdout.on('data', (more) => (output += more));
    child.stderr.on('data', (more) => (errors += more));
    child.on('close', () => process.stdout.write(JSON.stringify({ id, output, errors }) + '\\n'));
    child.stdin.end(input);
  }
});
process.stdin.on('end', () => process.exit(0));
`;

export function startFakeClient(place: Place, sessionId: string): FakeClient {
  const child = spawn(process.execPath, ['-e', program], { cwd: place.repo, env: place.env });
  const waiting = new Map<number, (said: Said) => void>();
  let asked = 0;
  let rest = '';
  child.stdout.on('data', (data: Buffer) => {
    rest += data.toString();
    for (let at = rest.indexOf('\n'); at >= 0; at = rest.indexOf('\n')) {
      const { id, ...said } = JSON.parse(rest.slice(0, at)) as Said & { id: number };
      rest = rest.slice(at + 1);
      waiting.get(id)?.(said);
    }
  });
  const pid = child.pid ?? 0;
  const common = { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: sessionId, CLAUDE_PID: String(pid) };
  const run = (command: string, env: object, input: string): Promise<Said> =>
    new Promise((resolve) => {
      asked += 1;
      waiting.set(asked, resolve);
      child.stdin.write(`${JSON.stringify({ id: asked, command, env: { ...common, ...env }, input })}\n`);
    });
  return {
    pid,
    hook: async (event, input = {}) => {
      const env = { CLAUDE_PLUGIN_ROOT: '/plugin', AI_AGENT: 'claude-code_x_harness' };
      const given = JSON.stringify({ session_id: sessionId, cwd: place.repo, ...input });
      const { output } = await run(`'${bin()}' hook ${event}`, env, given);
      // A killed hook prints nothing, and the client continues.
      return JSON.parse(output === '' ? '{}' : output) as { readonly [field: string]: unknown };
    },
    tool: async (command) => {
      const { output, errors } = await run(command, { AI_AGENT: 'claude-code_x_agent' }, '');
      return `${output}${errors}`;
    },
    close: () =>
      new Promise((resolve) => {
        child.once('close', () => resolve());
        child.stdin.end();
      }),
  };
}
