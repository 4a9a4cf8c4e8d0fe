import { expect, test } from 'vitest';
import { relativeSpecifiers } from '../../scripts/declarations.mjs';

test.each([
  ['index.d.ts', "from '#kernel/fold/run.ts'", "from './kernel/fold/run.js'"],
  ['runtime/drive.d.ts', "from '#kernel/fold/run.ts'", "from '../kernel/fold/run.js'"],
  ['kernel/events/control.d.ts', 'import("#kernel/events/events.ts")', 'import("./events.js")'],
  ['adapters/store/journal.d.ts', "from '#app/world.ts'", "from '../../app/world.js'"],
  ['app/run/run.d.ts', "from '#app/world.ts'", "from '../world.js'"],
  ['kernel/run.d.ts', "from './events.ts'", "from './events.js'"],
  ['kernel/run.d.ts', "from 'node:fs'", "from 'node:fs'"],
])('In %s, %s becomes %s', (file, text, wanted) => {
  expect(relativeSpecifiers(file, text)).toBe(wanted);
});
