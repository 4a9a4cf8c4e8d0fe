// Runs all programs, on node:child_process.
import { noSandbox } from './no-sandbox.ts';
import type { Processes } from '#ports/processes.ts';
import type { Sandbox } from '#ports/sandbox.ts';
import { createConfiner, type Confiner } from './confinement.ts';
import { sweepMark } from './process-tree.ts';
import { startProcess } from './start-process.ts';

export interface ProcessesOptions {
  /** `auto` uses a pid namespace where available; `marker` never does (20 ms less per program). */
  readonly confine: 'auto' | 'marker';
  /** Wraps every started program; none by default. */
  readonly sandbox?: Sandbox;
}

export function createProcesses(options: ProcessesOptions): Processes {
  let confiner: Confiner | null = null;
  // Created when the first program starts: most commands start none.
  const confined = (): Confiner =>
    (confiner ??= createConfiner(options.confine, options.sandbox ?? noSandbox));
  return {
    start: (spec) => startProcess(spec, confined()),
    sweep: sweepMark,
    isRoot: process.getuid?.() === 0 && options.sandbox?.fileOwner === undefined,
    get confinement() {
      return confined().confinement;
    },
  };
}
