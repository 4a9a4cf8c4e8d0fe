// A disk that is full while a run is parked loses only the hint that wakes the run.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createWakeEntry, readWakeRecords, wakeFolder } from '#adapters/waiting/wake-file.ts';
import { canMount, mountMemory, unmount, whereMounted } from '../support/file-system.ts';

it.skipIf(!canMount)(
  `A wake file that does not fit on the disk is lost without harm, and written when there is space again (${whereMounted}) [U2]`,
  async () => {
    const home = await mkdtemp(join(tmpdir(), 'untildone-wake-full-'));
    mountMemory(home, 'size=64k');
    try {
      await mkdir(wakeFolder(home), { recursive: true });
      await writeFile(join(home, 'ballast'), Buffer.alloc(1 << 20)).catch(() => undefined);
      const entry = createWakeEntry(home, {
        runId: 'run',
        repoId: 'repo',
        root: '/r',
        needs: [],
        mayWake: true,
      });
      entry.save({ awaited: [{ kind: 'limit', at: 5 }], waitingFor: 'later' });
      await entry.close();
      expect(await readWakeRecords(home)).toEqual([]);
      await rm(join(home, 'ballast'));
      entry.save({ awaited: [{ kind: 'limit', at: 6 }], waitingFor: 'later' });
      await entry.close();
      expect(await readWakeRecords(home)).toHaveLength(1);
    } finally {
      unmount(home);
      await rm(home, { recursive: true, force: true });
    }
  },
);
