// Measures what the sandbox adds to the start of a program: a session is one start, and so is every check.
import { dirname, join, resolve } from 'node:path';
import { createProcesses } from '#adapters/processes/create-processes.ts';
import { createBubblewrapSandbox } from '#adapters/sandbox/bubblewrap/bubblewrap-sandbox.ts';
import { findBubblewrap } from '#adapters/sandbox/bubblewrap/find-bubblewrap.ts';
import { makeTrialGround } from '#adapters/sandbox/trial-ground.ts';
import type { Processes } from '#ports/processes.ts';
import type { Benchmark, Line } from './measure.ts';
import { median, sizeAt, timeMs } from './measure.ts';

const name = 'start and end of a program in the sandbox, with its network, against one without';

export const sandboxStart: Benchmark = async ({ program, scale }) => {
  const found = findBubblewrap();
  if ('problem' in found) return [lineOf(null, null, found.problem)];
  const root = resolve(dirname(program), '..');
  const dist = join(root, 'dist');
  const ground = await makeTrialGround([process.execPath, dist, join(root, 'package.json')]);
  const bridge = [process.execPath, join(dist, 'host.js'), 'bridge'] as const;
  const sandbox = createBubblewrapSandbox({ bubblewrap: found.path, rules: ground.rules, bridge, env: {} });
  const outside = createProcesses({ confine: 'auto' });
  const inside = createProcesses({ confine: 'auto', sandbox });
  const [ours, theirs]: [number[], number[]] = [[], []];
  try {
    for (let n = 0; n < sizeAt(scale, 40, 1) + 3; n += 1) {
      const times = [
        await timeMs(() => start(outside, ground.worktree)),
        await timeMs(() => start(inside, ground.worktree)),
      ];
      if (n < 3) continue; // Warming up.
      theirs.push(times[0] ?? 0);
      ours.push(times[1] ?? 0);
    }
  } finally {
    sandbox.close();
    await ground.dispose();
  }
  const added = median(ours) - median(theirs);
  return [
    lineOf(
      median(ours),
      median(theirs),
      `adds ${Math.round(added)} ms a start; the program is \`node -e 0\``,
    ),
  ];
};

async function start(processes: Processes, cwd: string): Promise<void> {
  const { ended } = processes.start({
    command: [process.execPath, '-e', '0'],
    cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: cwd },
    mark: `bench/${process.pid}`,
    wallMs: 60_000,
    idleMs: null,
    graceMs: 500,
    input: null,
    onOutput: () => {},
  });
  const ending = await ended;
  if (ending.kind !== 'exited' || ending.code !== 0) throw new Error(JSON.stringify(ending));
}

/** Two starts of Node, the mounts and a copy of the git folder, instead of one start. */
function lineOf(measured: number | null, raw: number | null, note: string): Line {
  return { name, measured, raw, unit: 'ms', aim: 4, note };
}
