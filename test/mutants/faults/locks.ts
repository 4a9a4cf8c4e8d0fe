// Locks, the inbox and snapshots.
import type { Fault } from '../fault.ts';

export const locksFaults: readonly Fault[] = [
  {
    id: 'lock-not-taken',
    breaks: 'Two drivers drive one run.',
    file: 'src/adapters/files/lock.ts',
    symbol: 'takeLock',
    find: "database.exec('BEGIN EXCLUSIVE');",
    replace: '',
    test: {
      file: 'src/adapters/files/lock.test.ts',
      title: 'A second driver is refused with the name of the holder, in this process and in another [Q4]',
    },
  },
  {
    id: 'lock-kept',
    breaks: 'A run that could not be opened stays locked.',
    file: 'src/adapters/store/store.ts',
    symbol: 'openRun',
    find: 'await release(lock, run);\n    throw error;',
    replace: 'throw error;',
    test: {
      file: 'src/adapters/files/lock.test.ts',
      title: 'The lock is released when opening the run fails [Q4]',
    },
  },
  {
    id: 'run-overwritten',
    breaks: 'A new run replaces one that only its mirror remembers.',
    file: 'src/adapters/store/store.ts',
    symbol: 'createRun',
    find: 'if (await exists(run, paths)) throw runExists(run);',
    replace: '',
    test: {
      file: 'src/adapters/store/store.test.ts',
      title:
        'An existing run id is refused, also when only its mirror is left, and nothing of it is lost [D5]',
    },
  },
  {
    id: 'settle-keeps',
    breaks: 'A request is obeyed again by the next driver.',
    file: 'src/adapters/store/inbox/inbox.ts',
    symbol: 'createInbox',
    find: 'if (file !== null) await unlink(file).catch(ignoreMissing);',
    replace: '',
    test: {
      file: 'src/adapters/store/inbox/inbox.test.ts',
      title: 'The inbox delivers controls once, oldest first, and drops them when they are settled [Q5]',
    },
  },
  {
    id: 'half-written-taken',
    breaks: 'A request is read while it is being written.',
    file: 'src/adapters/store/inbox/inbox.ts',
    symbol: 'namesIn',
    find: "names.filter((name) => !name.startsWith('.')).sort()",
    replace: 'names.sort()',
    test: {
      file: 'src/adapters/store/inbox/inbox.test.ts',
      title: 'The inbox sets garbage aside with a note, ignores unfinished files, and continues [Q5]',
    },
  },
  {
    id: 'old-touch-counts',
    breaks: 'A stop that was meant for an earlier run stops this one.',
    file: 'src/adapters/store/inbox/inbox.ts',
    symbol: 'freshTouches',
    find: 'options.since',
    replace: '0',
    test: {
      file: 'src/adapters/store/inbox/inbox.test.ts',
      title: 'A touch does not reach a driver that started later [Q5]',
    },
  },
  {
    id: 'taken-twice',
    breaks: 'A request that was dropped twice is obeyed twice.',
    file: 'src/adapters/store/inbox/inbox.ts',
    symbol: 'readTaken',
    find: '} else if (taken.has(arrival.id)) {',
    replace: '} else if (arrival.id === "") {',
    test: {
      file: 'src/adapters/store/inbox/inbox.test.ts',
      title: 'A control that was dropped twice under one id is delivered once [Q5]',
    },
  },
  {
    id: 'snapshot-crc',
    breaks: 'A damaged snapshot is shown as the state of the run.',
    file: 'src/adapters/store/snapshot.ts',
    symbol: 'readSnapshot',
    find: 'if (bytes.readUInt32BE(0) !== crc32(body)) return null;',
    replace: '',
    test: {
      file: 'src/adapters/store/snapshot.test.ts',
      title: 'A snapshot that is damaged, cut or of another format is not used',
    },
  },
  {
    id: 'snapshot-other-make',
    breaks: 'A snapshot of another version is shown as the state of the run.',
    file: 'src/adapters/store/snapshot.ts',
    symbol: 'readSnapshot',
    find: 'found.make === make ? found : null',
    replace: 'found',
    test: {
      file: 'src/adapters/store/snapshot.test.ts',
      title: 'A snapshot that another version of the program wrote is not used [D1]',
    },
  },
];
