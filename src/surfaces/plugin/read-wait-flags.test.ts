import { describe, expect, it } from 'vitest';
import { readResume, readSuspend } from './read-wait-flags.ts';

describe('the flags after /untildone:suspend and /untildone:resume', () => {
  it('The plugin accepts the flags of suspend and resume, and text without a flag is the reason [U1] [K11]', () => {
    expect(readSuspend('--any --time 1h --file a --file "b c" "CI is slow" today')).toEqual({
      any: true,
      time: '1h',
      file: ['a', 'b c'],
      why: 'CI is slow today',
    });
    expect(readSuspend('--poll --command "gh run watch --exit-status"')).toEqual({
      poll: true,
      command: ['gh run watch --exit-status'],
      why: '',
    });
    expect(readSuspend('"--time" is a word')).toEqual({ why: '--time is a word' });
    expect(readResume('--reject "the export is empty" --task one')).toEqual({
      reject: 'the export is empty',
      task: 'one',
    });
    expect(readResume('--status')).toEqual({ status: true });
  });

  it('An unknown flag, a flag without its value and a word for resume are refused [U1] [K11]', () => {
    expect(() => readSuspend('--tmie 1h')).toThrow('/untildone:suspend has no option --tmie');
    expect(() => readSuspend('--time')).toThrow('--time has no value');
    expect(() => readResume('now')).toThrow('/untildone:resume cannot read "now"');
  });
});
