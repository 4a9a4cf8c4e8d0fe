import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const program = new URL('../../../test/support/agents/fake-flood.ts', import.meta.url).pathname;

it('A stream of 100 MB is passed on in constant memory [B9]', async () => {
  // A heap that cannot hold what flows through: keeping it would end the program.
  const flags = ['--max-old-space-size=48', '--max-semi-space-size=4'];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, program, '100']);
  const { kind, length } = JSON.parse(stdout) as { readonly kind: string; readonly length: number };
  expect(kind).toBe('finished');
  expect(length).toBeGreaterThan(33_000_000);
});
