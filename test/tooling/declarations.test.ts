import { expect, test } from 'vitest';
import { relativeSpecifiers } from '../../scripts/declarations.mjs';

test.each([
  ['index.d.ts', "from '#kernel/run.ts'", "from './kernel/run.js'"],
  ['runtime/drive.d.ts', "from '#kernel/run.ts'", "from '../kernel/run.js'"],
  ['kernel/run.d.ts', 'import("#kernel/events.ts")', 'import("./events.js")'],
  ['adapters/stores/journal.d.ts', "from '#compose.ts'", "from '../../compose.js'"],
  ['compose/run/run.d.ts', "from '#compose.ts'", "from '../../compose.js'"],
  ['kernel/run.d.ts', "from './events.ts'", "from './events.js'"],
  ['kernel/run.d.ts', "from 'node:fs'", "from 'node:fs'"],
])('in %s, %s becomes %s', (file, text, wanted) => {
  expect(relativeSpecifiers(file, text)).toBe(wanted);
});
