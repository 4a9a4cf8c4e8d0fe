import { execFileSync } from 'node:child_process';
import { lstatSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { baseReadsOf } from './base-reads.ts';
import { builds, keepBeds, liveThrough, passes } from '#test/app/proof-bed.ts';

const moves = movesAccessTimes();
const moveNote = moves ? '' : ' — NOT RUN: reading a file does not move its access time here';
const beds = keepBeds();
afterAll(() => beds.remove());

it.runIf(moves)(
  `The files that a check read on the base are kept beside its log [X8]${moveNote}`,
  async () => {
    const life = beds.keep(
      await liveThrough({
        files: {
          'rule.test.sh': 'cat data.txt; grep -q right done.txt\n',
          'data.txt': 'a\n',
          'free.txt': 'b\n',
        },
        turns: [builds({ write: { path: 'done.txt', text: 'right\n' } }), passes],
        flags: { check: ['sh rule.test.sh'] },
        config: { calibration: 'auto' },
      }),
    );
    expect(life.run.outcome?.outcome).toBe('completed');
    const found = await baseReadsOf(await life.site(), life.run, [...life.run.tasks.keys()][0] ?? '');
    expect(found).toEqual([{ command: 'sh rule.test.sh', paths: ['data.txt', 'rule.test.sh'] }]);
  },
);

function movesAccessTimes(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'untildone-atime-'));
  const file = join(folder, 'x');
  writeFileSync(file, 'x');
  execFileSync('touch', ['-a', '-d', '2001-01-01', file]);
  readFileSync(file);
  const moved = lstatSync(file).atimeMs > Date.parse('2002-01-01');
  rmSync(folder, { recursive: true });
  return moved;
}
