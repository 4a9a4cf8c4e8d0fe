import { describe, expect, it } from 'vitest';
import { makePlace } from './place.ts';

const files: Record<string, string> = {
  'src/upload.py': 'def retry_upload(times: int):\n    return times\n',
  'src/upload.test.ts': 'export const hidden = 1;\n',
};
for (let at = 0; at < 450; at += 1)
  files[`src/part${at % 9}/f${at}.ts`] = `export function f${at}(): void {}\n`;

describe('The map command [C2]', () => {
  it('The map shows the code nearest to the goal, and reads only changed files again', async () => {
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
});
