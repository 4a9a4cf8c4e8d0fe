// Settings of test runners, and what runs before every test without being named, by their paths. Pure.
import { factsOf } from '#analysis/ecosystems/ecosystems.ts';

export const runnerSettings: readonly RegExp[] = factsOf('pins').flatMap((each) => each.runnerSettings ?? []);
