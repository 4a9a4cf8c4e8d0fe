// A separate program that calls `run()` of the packed package.
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunResult } from '../../src/index.ts';
import type { Finished } from './package.ts';
import { packageFolder, startProgram } from './package.ts';
import type { Place } from './place.ts';

export interface CalledLibrary extends Finished {
  readonly result: RunResult;
}

/** Contract: fails where the call throws; what it said is in `stderr`. */
export async function callLibrary(place: Place, options: object): Promise<CalledLibrary> {
  const folder = join(place.folder, 'program');
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  symlinkSync(packageFolder(), join(folder, 'node_modules/untildone'));
  const answer = join(folder, 'answer.json');
  const program = join(folder, 'program.mjs');
  writeFileSync(
    program,
    `import { run } from 'untildone';\nimport { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(answer)}, JSON.stringify(await run(${JSON.stringify(options)})));\n`,
  );
  const { env, repo: cwd } = place;
  const started = startProgram(process.execPath, [program], {
    cwd,
    env,
    outputDir: join(place.folder, 'output'),
  });
  const finished = await started.ended;
  if (finished.code !== 0) throw new Error(`the call failed:\n${finished.stderr}`);
  return { ...finished, result: JSON.parse(readFileSync(answer, 'utf8')) as RunResult };
}
