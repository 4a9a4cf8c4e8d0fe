import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { closedToOthers } from './closed-to-others.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'untildone-closed-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(process.platform === 'win32')('system files closed to others', () => {
  it('System files that only we may read are found, a closed folder as a whole; other files are not [C10]', () => {
    for (const path of ['wireguard/closed', 'program/open', 'deep/er/closed/x'])
      mkdirSync(join(folder, path), { recursive: true });
    for (const path of ['wireguard/wg0.conf', 'program/settings', 'deep/er/closed/key']) {
      writeFileSync(join(folder, path), 'planted');
      chmodSync(join(folder, path), path === 'program/settings' ? 0o644 : 0o600);
    }
    chmodSync(join(folder, 'deep/er/closed'), 0o700);
    symlinkSync(join(folder, 'wireguard/wg0.conf'), join(folder, 'program/link'));
    const uid = process.getuid?.() ?? 0;
    const found = closedToOthers(uid, [[folder, 4]]);
    expect(found.toSorted()).toEqual([join(folder, 'deep/er/closed'), join(folder, 'wireguard/wg0.conf')]);
    expect(closedToOthers(uid + 1, [[folder, 4]])).toEqual([]);
    expect(closedToOthers(uid, [[join(folder, 'nowhere'), 4]])).toEqual([]);
  });
});
