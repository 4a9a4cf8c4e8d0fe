// Runs the GitHub CLI without prompts, with limits on time and output.
import { spawn } from 'node:child_process';

export interface GhAnswer {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface GhPlace {
  readonly root: string;
  readonly env: { readonly [name: string]: string | undefined };
}

const ghMs = 120_000;
const errorMax = 65_536;

/** Null if `gh` is not installed. Keeps the last `charsMax` characters of the output. */
export function gh(
  { root, env }: GhPlace,
  args: readonly string[],
  { input = '', charsMax = errorMax }: { readonly input?: string; readonly charsMax?: number } = {},
): Promise<GhAnswer | null> {
  return new Promise((resolve) => {
    const child = spawn('gh', args, {
      cwd: root,
      env: { ...env, GH_PROMPT_DISABLED: '1', NO_COLOR: '1', GH_NO_UPDATE_NOTIFIER: '1' },
      stdio: 'pipe',
      timeout: ghMs,
      killSignal: 'SIGKILL',
    });
    const output = { stdout: '', stderr: '' };
    const keep = (stream: 'stdout' | 'stderr', max: number): void => {
      child[stream].setEncoding('utf8');
      child[stream].on('data', (text: string) => void (output[stream] = (output[stream] + text).slice(-max)));
    };
    keep('stdout', charsMax);
    keep('stderr', errorMax);
    child.stdin.on('error', () => undefined);
    child.on('error', () => resolve(null));
    child.on('close', (code) => resolve({ code, ...output }));
    child.stdin.end(input);
  });
}

export function firstLine(text: string): string {
  return (text.split('\n').find((line) => line.trim() !== '') ?? '').trim().slice(0, 300);
}
