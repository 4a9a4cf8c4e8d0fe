import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { packageFolder } from './package.ts';
import { makePlace } from './place.ts';

const files: Record<string, string> = {
  'src/upload.py': 'def retry_upload(times: int):\n    return times\n',
  'src/upload.test.ts': 'export const hidden = 1;\n',
};
for (let at = 0; at < 450; at += 1)
  files[`src/part${at % 9}/f${at}.ts`] = `export function f${at}(): void {}\n`;

describe('the map, as people ask for it [C2]', () => {
  it('shows what is near to the goal, and reads again only what changed', async () => {
    const place = makePlace({ files });
    const first = await place.untildone(['map', 'retry the upload', '--tokens', '1000']);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toContain('Nearest to the goal: src/upload.py');
    expect(first.stdout).toContain('  upload.py\n    def retry_upload(times: int)');
    expect(first.stdout).toContain('  upload.test.ts');
    expect(first.stdout).not.toMatch(/return times|hidden/);
    place.write('repo/src/upload.py', 'def retry_upload(times: int, wait: float):\n    return times\n');
    const second = await place.untildone(['map', 'retry the upload', '--tokens', '1000', '--json']);
    const { stats, markdown } = JSON.parse(second.stdout) as { stats: object; markdown: string };
    expect(stats).toMatchObject({ read: 1, known: 450, parsed: 1 });
    expect(markdown).toContain('def retry_upload(times: int, wait: float)');
    expect(place.git('status', '--porcelain')).toBe('M src/upload.py');
  });

  it('has its threads in the package', async () => {
    const { repo } = makePlace({ files: { 'a.ts': 'export const a = 1;\n' } });
    const thread = new Worker(join(packageFolder(), 'dist', 'map-reader.js'), {
      workerData: { root: repo, hash: 'sha1' },
    });
    expect(await once(thread, 'message')).toEqual(['ready']);
    for (const question of ['skim', 'outline']) {
      thread.postMessage({ question, files: [{ path: 'a.ts', blob: null }] });
      const [[answer]] = (await once(thread, 'message')) as [[{ found: object }]];
      const found = question === 'skim' ? { record: { chars: 20 } } : { signatures: 'export const a' };
      expect(answer.found).toMatchObject(found);
    }
    await thread.terminate();
  });
});
