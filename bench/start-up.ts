// Measures how long a person waits for the program itself.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { storePaths } from '#adapters/store/paths.ts';
import { ensureRepoId } from '#adapters/store/repo-id.ts';
import { createSnapshots } from '#adapters/store/snapshot.ts';
import { createEmbeddedStore } from '#adapters/store/store.ts';
import type { Benchmark } from './measure.ts';
import { inFolder, median, sizeAt, timeMs } from './measure.ts';
import type { Repository } from './program.ts';
import { makeRepository } from './program.ts';
import { startRun } from './sample-store.ts';

const roundsMax = 25;

export const startUp: Benchmark = ({ folder, program, scale }) =>
  inFolder(folder, async (place) => {
    const repository = makeRepository(place);
    await leaveRun(repository, sizeAt(scale, 10_000, 2_000) - 999);
    const rounds = sizeAt(scale, roundsMax, 1);
    const commands = {
      node: ['-e', '0'],
      help: [program, '--help'],
      status: [program, 'status'],
    } as const;
    const times = { node: [] as number[], help: [] as number[], status: [] as number[] };
    // The first round fills caches and does not count.
    for (let round = 0; round <= rounds; round += 1) {
      for (const name of ['node', 'help', 'status'] as const) {
        const ms = await timeMs(() => start(commands[name], repository));
        if (round > 0) times[name].push(ms);
      }
    }
    const raw = median(times.node);
    return [
      line('`untildone --help`, against `node -e 0`', median(times.help), raw, 2.5),
      line('`untildone status` on 10,000 events, against `node -e 0`', median(times.status), raw, 5),
    ];
  });

function line(name: string, measured: number, raw: number, gate: number) {
  return { name, measured, raw, unit: 'ms', gate } as const;
}

function start(args: readonly string[], { root, env }: Repository): void {
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
}

async function leaveRun({ root, stateHome }: Repository, events: number): Promise<void> {
  const commonDir = join(root, '.git');
  const repoId = await ensureRepoId(commonDir);
  const paths = storePaths({ stateHome, commonDir, repoId, viewsRoot: root });
  const store = createEmbeddedStore(paths);
  const { journal, run, grow } = await startRun(store, 'sample');
  await grow(events - run.events);
  // As a driver leaves it: up to a thousand events behind.
  const snapshots = createSnapshots(paths.run('sample').snapshot);
  snapshots.save(run, journal.position());
  await snapshots.close();
  await grow(999);
  await journal.close();
}
