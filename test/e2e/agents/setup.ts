// The packed package comes from the script that started us, which made it while the network was still there.
import type { TestProject } from 'vitest/node';
import { setup as pack, teardown as unpack } from '../setup-package.ts';

const prefix = process.env['UNTILDONE_PACKAGE_PREFIX'];

export async function setup(project: TestProject): Promise<void> {
  if (prefix === undefined) await pack(project);
  else project.provide('packagePrefix', prefix);
}

export async function teardown(): Promise<void> {
  await unpack();
}
