import { spawn, spawnSync } from 'node:child_process';
import { afterEach, describe, expect, it } from 'vitest';
import { succeeds } from '#test/store/store-bed.ts';
import { withRunMarker, hasRunMarker } from './run-marker.ts';
import { createProcesses } from './create-processes.ts';
import { hasProcTable } from './proc-table.ts';

const canBrand = hasProcTable() && withRunMarker({ file: 'true', args: [] }).file !== 'true';

let left: number[] = [];
afterEach(() => {
  for (const pid of left) process.kill(pid, 'SIGKILL');
  left = [];
});

/** What a session started, after it shed everything that can be shed; and the session itself is over. */
async function escapee(how: string): Promise<number> {
  let said = '';
  const { ended } = createProcesses({ confine: 'marker' }).start({
    command: `(${how} sh -c 'echo $$; exec sleep 600' < /dev/null 2> /dev/null &) | head -n 1`,
    cwd: '/',
    env: { PATH: process.env['PATH'] ?? '' },
    mark: 'brand-test/1',
    wallMs: 600_000,
    idleMs: null,
    graceMs: 100,
    input: null,
    onOutput: (chunk) => {
      said += chunk.toString();
    },
  });
  expect(await ended).toEqual({ kind: 'exited', code: 0 });
  const pid = Number(said);
  left.push(pid);
  return pid;
}

describe.runIf(canBrand)('the run marker of started processes', () => {
  it('The run marker stays on a process without environment, session and parent [X12]', async () => {
    expect(hasRunMarker(await escapee('setsid env -i'))).toBe(true);
  });

  it('The run marker stays when its limit is lowered further, and only the superuser raises it [X12]', async () => {
    const isSuper = succeeds('prlimit', '--locks=8', 'prlimit', '--locks=9', 'true');
    const raise = isSuper ? ':' : 'prlimit --pid $$ --locks=unlimited';
    const pid = await escapee(`setsid env -i prlimit --locks=5 sh -c '${raise}; exec "$@"' sh`);
    expect(hasRunMarker(pid)).toBe(true);
  });

  it('A process recognises its own run marker without a process to compare with [X12]', () => {
    const script = `import { hasOwnRunMarker } from '#adapters/processes/run-marker.ts'; process.exit(hasOwnRunMarker() ? 7 : 8);`;
    const node = { file: process.execPath, args: ['--input-type=module', '-e', script] };
    for (const [{ file, args }, code] of [[withRunMarker(node), 7] as const, [node, 8] as const])
      expect(spawnSync(file, args).status).toBe(code);
  });

  it('A process that no run started has no run marker [X12]', () => {
    const { pid = 0 } = spawn('sleep', ['600'], { stdio: 'ignore', detached: true });
    left.push(pid);
    expect(hasRunMarker(pid)).toBe(false);
    expect(hasRunMarker(process.pid)).toBe(false);
  });
});
