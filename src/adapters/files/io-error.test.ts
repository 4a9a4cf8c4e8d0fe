import { expect, it } from 'vitest';
import { readError } from './io-error.ts';

it('An unreadable folder is reported in one sentence without the wording of the system [X6]', () => {
  const error = Object.assign(new Error("EACCES: permission denied, scandir '/state'"), { code: 'EACCES' });
  const { message, hint } = readError(error, 'The list of runs', '/state');
  expect(message).toBe('The list of runs could not be read from /state: reading there is not permitted.');
  expect(hint).toBe('Make it readable and try again. Nothing was changed.');
});
