import { describe, expect, it } from 'vitest';
import { OperatorError } from '#base/operator-error.ts';
import { readChoice } from './read-choice.ts';

describe('/untildone:choose', () => {
  it.each([
    ['', { action: null, text: '', run: null }],
    ['  ', { action: null, text: '', run: null }],
    ['develop', { action: 'DEVELOP', text: '', run: null }],
    ['Develop begin with the parser', { action: 'DEVELOP', text: 'begin with the parser', run: null }],
    ['debug "the --run flag" --run 2026', { action: 'DEBUG', text: 'the --run flag', run: '2026' }],
    ['--run 2026', { action: null, text: '', run: '2026' }],
    ['validate', { action: 'VALIDATE', text: '', run: null }],
    ['complete', { action: 'COMPLETE', text: '', run: null }],
  ])('A person who types %j is understood [A4]', (line, choice) => {
    expect(readChoice(line)).toEqual(choice);
  });

  it.each(['init', 'menu', 'develop --run', 'validate quickly', '"develop it"'])(
    'A person who types %j gets an error that names the choices [A4] [X6]',
    (line) => {
      const read = (): unknown => readChoice(line);
      expect(read).toThrow(OperatorError);
      expect(read).toThrow(/no action|needs the id|no text reaches it/);
    },
  );
});
