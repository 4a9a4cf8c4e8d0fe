import { expect, it } from 'vitest';
import { platformLines, platformSupport } from './platform.ts';

it('Linux gets no note, and every other system is labelled as untested', () => {
  expect(platformLines('linux')).toEqual([]);
  for (const platform of ['darwin', 'win32', 'freebsd']) {
    expect(platformSupport(platform).isTried).toBe(false);
    expect(platformLines(platform)[0]).toContain('not tested');
    expect(platformLines(platform).at(-1)).toContain('untildone help platforms');
  }
  expect(platformLines('win32')[0]).toContain('WSL 2');
});
