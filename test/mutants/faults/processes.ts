// Programs, their limits, and the end of their process trees.
import type { Fault } from '../fault.ts';

export const processesFaults: readonly Fault[] = [
  {
    id: 'signal-is-success',
    breaks: 'A check that was killed exits with 0.',
    file: 'src/adapters/processes/start-process.ts',
    symbol: 'exitOf',
    find: "if (signal !== null) resolve({ kind: 'signalled', signal });\n      else if (code === null) resolve({ kind: 'signalled', signal: 'unknown' });\n      else resolve(isWrapped ? unwrapped(code) : { kind: 'exited', code });",
    replace: "resolve(isWrapped ? unwrapped(Number(code)) : { kind: 'exited', code: Number(code) });",
    test: {
      file: 'src/adapters/processes/create-processes.test.ts',
      title: 'The end of a program is reported as it happened, never as a default number [Q6]',
    },
  },
  {
    id: 'env-whole',
    breaks: 'Every program sees our whole environment.',
    file: 'src/adapters/processes/start-process.ts',
    symbol: 'startProcess',
    find: 'env: { ...wrapped.env, [markVariable]: mark }',
    replace: 'env: { ...process.env, ...wrapped.env, [markVariable]: mark }',
    test: {
      file: 'src/adapters/processes/create-processes.test.ts',
      title: 'A program gets exactly the given environment and the mark [B11]',
    },
  },
  {
    id: 'no-mark',
    breaks: 'Processes that leave their group are never found.',
    file: 'src/adapters/processes/start-process.ts',
    symbol: 'startProcess',
    find: ', [markVariable]: mark',
    replace: '',
    test: {
      file: 'src/adapters/processes/create-processes.test.ts',
      title: 'A program gets exactly the given environment and the mark [B11]',
    },
  },
  {
    id: 'leftovers-alive',
    breaks: 'What a check starts in the background lives on.',
    file: 'src/adapters/processes/start-process.ts',
    symbol: 'follow',
    find: 'await endTree(tree, Math.min(spec.graceMs, leftoverGraceMs));',
    replace: '',
    test: {
      file: 'src/adapters/processes/create-processes.test.ts',
      title: 'A normal exit leaves no process behind either [X11]',
    },
  },
  {
    id: 'limit-not-cause',
    breaks: 'A check that hung is reported as killed from outside.',
    file: 'src/adapters/processes/start-process.ts',
    symbol: 'follow',
    find: 'cause ??= isMissing',
    replace: 'cause = isMissing',
    test: {
      file: 'src/adapters/processes/create-processes.test.ts',
      title: 'A program that runs too long is ended, and the ending names the limit [Q6]',
    },
  },
  {
    id: 'setsid-escapes',
    breaks: 'A program that sets itself apart lives on.',
    file: 'src/adapters/processes/process-tree.ts',
    symbol: 'membersOf',
    find: 'for (const entry of marked.found) take(entry);',
    replace: '',
    test: {
      file: 'src/adapters/processes/create-processes.test.ts',
      title: 'A process that ignores TERM, detached itself or forked twice is killed [X11]',
    },
  },
  {
    id: 'mark-prefix',
    breaks: 'The end of step 1 kills the processes of step 10.',
    file: 'src/adapters/processes/proc-table.ts',
    symbol: 'isMarkedBy',
    find: "return mark.length === prefix.length || prefix.endsWith('/') || mark[prefix.length] === '/';",
    replace: 'return true;',
    test: {
      file: 'src/adapters/processes/create-processes.test.ts',
      title: 'A sweep reads marks as paths: step 1 is not step 10 [X11]',
    },
  },
  {
    id: 'no-back-pressure',
    breaks: 'A flooding program fills our memory.',
    file: 'src/adapters/processes/pump-output.ts',
    symbol: 'pump',
    find: 'stream.pause();',
    replace: '',
    test: {
      file: 'src/adapters/processes/create-processes.test.ts',
      title: 'A program waits while its reader is busy, so that its output does not fill our memory [B9]',
    },
  },
  {
    id: 'reader-failure-ignored',
    breaks: 'A program whose output cannot be stored runs on.',
    file: 'src/adapters/processes/start-process.ts',
    symbol: 'follow',
    find: 'onRefused: (reason) => cancel(`its output could not be taken: ${reason}`)',
    replace: 'onRefused: () => {}',
    test: {
      file: 'src/adapters/processes/create-processes.test.ts',
      title: 'A program whose output cannot be processed is ended, without a crash of the driver',
    },
  },
  {
    id: 'mark-ignored',
    breaks: 'A sweep finds no process that was left behind.',
    file: 'src/adapters/processes/process-tree.ts',
    symbol: 'sweepMark',
    find: 'findMarked({ table: readProcTable() }, prefix)',
    replace: 'findMarked({ table: [] }, prefix)',
    test: {
      file: 'src/adapters/processes/create-processes.test.ts',
      title: 'A sweep kills by mark even a process that dropped everything else, and returns the pids [X11]',
    },
  },
];
