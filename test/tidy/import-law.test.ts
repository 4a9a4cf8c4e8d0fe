import { expect, test } from 'vitest';
import { importLaw } from './import-law.ts';

function problems(path: string, text: string): readonly string[] {
  return importLaw([{ path, text }]);
}

test.each([
  ['src/kernel/run.ts', `import { x } from '#ports/store.ts';`],
  ['src/kernel/run.ts', `import { readFileSync } from 'node:fs';`],
  ['src/kernel/run.ts', `import { z } from 'zod';`],
  ['src/kernel/run.ts', `import type { z } from 'zod';`],
  ['src/policies/looping/next.ts', `import { x } from '#views/status.ts';`],
  ['src/analysis/test-runners/python/pytest.ts', `import { x } from '#ports/store.ts';`],
  ['src/analysis/test-runners/python/pytest.ts', `import { join } from 'node:path';`],
  ['src/kernel/run.ts', `import { parse } from 'yaml';`],
  ['src/views/status.ts', `import { x } from '#policies/looping/next.ts';`],
  ['src/ports/store.ts', `import { x } from '#runtime/drive.ts';`],
  ['src/ports/store.ts', `import { Readable } from 'node:stream';`],
  ['src/runtime/drive.ts', `import { x } from '#adapters/stores/journal.ts';`],
  ['src/runtime/drive.ts', `const lazy = () => import('#adapters/stores/journal.ts');`],
  ['src/adapters/stores/journal.ts', `import { x } from '#runtime/drive.ts';`],
  ['src/adapters/stores/journal.ts', `import { readFileSync } from 'fs';`],
  ['src/config/load.ts', `import { x } from '#adapters/stores/journal.ts';`],
  ['src/compose.ts', `import { x } from '#testing/clock.ts';`],
  ['src/surfaces/cli/main.ts', `import { x } from '#adapters/stores/journal.ts';`],
  ['src/surfaces/cli/main.ts', `import { x } from '#runtime/drive.ts';`],
  ['src/surfaces/cli/main.ts', `import { x } from '#surfaces/web/server.ts';`],
  ['src/testing/clock.ts', `import { x } from '#surfaces/cli/main.ts';`],
  ['src/index.ts', `export { x } from '#surfaces/cli/main.ts';`],
  ['src/runtime/drive.test.ts', `import { x } from '#surfaces/cli/main.ts';`],
  ['src/kernel/run.ts', `type X = import('#ports/store.ts').X;`],
  ['src/kernel/run.ts', `export * from '#ports/store.ts';`],
  ['src/runtime/drive.ts', `import { x } from '../kernel/run.ts';`],
  ['src/runtime/drive.ts', `import { x } from './deep/run.ts';`],
  ['src/runtime/drive.ts', `import { x } from './adopt.js';`],
  ['src/runtime/drive.ts', `import { x } from '#runtime/adopt.ts';`],
  ['src/misc/thing.ts', `import { x } from '#kernel/run.ts';`],
  ['src/runtime/drive.ts', `import { x } from '#test/program.ts';`],
])('the import law rejects, in %s: %s', (path, text) => {
  expect(problems(path, text)).toHaveLength(1);
});

test.each([
  ['src/kernel/run.ts', `import type { Event } from './events.ts';`],
  ['src/policies/looping/next.ts', `import type { Run } from '#kernel/run.ts';`],
  ['src/policies/looping/next.ts', `import { prompt } from '#policies/prompts/builder.ts';`],
  ['src/ports/store.ts', `import type { Readable } from 'node:stream';`],
  ['src/runtime/drive.ts', `import { x } from '#analysis/test-runners/python/pytest.ts';`],
  ['src/analysis/tampering/toml.ts', `import { parse } from 'smol-toml';`],
  ['src/runtime/drive.ts', `import { decide } from '#kernel/decide.ts';`],
  ['src/adapters/stores/journal.ts', `import type { Store } from '#ports/store.ts';`],
  ['src/adapters/stores/journal.test.ts', `import { storeContract } from '#testing/contracts/store.ts';`],
  ['src/compose.ts', `const lazy = () => import('#adapters/stores/journal.ts');`],
  ['src/surfaces/cli/commands/run.ts', `import { compose } from '#compose.ts';`],
  ['src/surfaces/cli/commands/run.ts', `import { print } from '#surfaces/cli/terminal.ts';`],
  ['src/testing/clock.ts', `import { drive } from '#runtime/drive.ts';`],
  ['src/runtime/drive.test.ts', `import { x } from '#test/program.ts';`],
])('the import law allows, in %s: %s', (path, text) => {
  expect(problems(path, text)).toEqual([]);
});
