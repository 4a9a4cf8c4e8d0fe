// Runs before the tests of a project whose tests start the built program.
import { buildWhenStale } from '../../scripts/build.mjs';

export async function setup(): Promise<void> {
  await buildWhenStale();
}
