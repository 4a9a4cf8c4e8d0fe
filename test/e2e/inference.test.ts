import { expect, it } from 'vitest';
import { makePlace } from './place.ts';

const files = {
  'package.json': '{"scripts":{"test":"node --test"}}',
  'src/log.ts': 'export const logger = 1;\n',
  'src/app.py': 'def start():\n    pass\n',
};

it('The installed program understands sentences by the syntax of the files, with its own grammars [K6]', async () => {
  const place = makePlace({ files });
  const explained = await Promise.all(
    ['logger is used in src/app.py', 'start is used in src/log.ts', 'stop is used in src/log.ts'].map(
      async (text) => place.untildone(['criteria', 'explain', text, '--json']),
    ),
  );
  expect(explained.map(({ code }) => code)).toEqual([0, 0, 0]);
  const kinds = explained.map(({ stdout }) => (JSON.parse(stdout) as { kind: string }).kind);
  expect(kinds).toEqual(['checks', 'checks', 'ask']);
});

it('`criteria explain` prints the check for a sentence with its confidence and reason, and starts nothing [K6]', async () => {
  const place = makePlace({ files });
  const { stdout, code } = await place.untildone(['criteria', 'explain', 'All tests pass']);
  expect(code).toBe(0);
  expect(stdout).toContain('Check:    gate: npm test');
  expect(stdout).toContain('How sure: 95 %');
  expect(stdout).toContain('package.json has the script test');
  const asked = await place.untildone(['criteria', 'explain', 'Errors are handled gracefully']);
  expect(asked.stdout).toContain('a person would be asked');
});
