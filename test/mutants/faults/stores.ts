// Journal, mirror, lock and inbox.
import type { Fault } from '../fault.ts';

export const storesFaults: readonly Fault[] = [
  {
    id: 'append-not-synced',
    breaks: 'A power loss takes back what was acknowledged.',
    file: 'src/adapters/store/journal/journal.ts',
    symbol: 'openTail',
    find: 'if (sync) await handle.datasync();',
    replace: '',
    test: {
      file: 'src/adapters/store/fault.test.ts',
      title: 'The store syncs before it acknowledges only if asked',
    },
  },
  {
    id: 'sync-not-awaited',
    breaks: 'An event counts before the disk has it.',
    file: 'src/adapters/store/journal/journal.ts',
    symbol: 'openTail',
    find: 'if (sync) await handle.datasync();',
    replace: 'if (sync) void handle.datasync();',
    test: {
      file: 'src/adapters/store/fault.test.ts',
      title:
        'A failed sync rejects the append and all later ones, because the content of the disk is unknown',
    },
  },
  {
    id: 'append-after-failure',
    breaks: 'A journal is written on after a failed sync.',
    file: 'src/adapters/store/journal/journal.ts',
    symbol: 'openJournal',
    find: 'if (failure !== null) throw failure;',
    replace: '',
    test: {
      file: 'src/adapters/store/fault.test.ts',
      title:
        'A failed sync rejects the append and all later ones, because the content of the disk is unknown',
    },
  },
  {
    id: 'short-write',
    breaks: 'Half a line is taken for a whole one.',
    file: 'src/adapters/store/journal/journal.ts',
    symbol: 'openTail',
    find: 'if (writeSync(handle.fd, line) !== line.length) throw diskFull(what, file);',
    replace: 'writeSync(handle.fd, line);',
    test: {
      file: 'src/adapters/store/fault.test.ts',
      title: 'A short write is rejected with all later ones, and the next driver cuts its remains',
    },
  },
  {
    id: 'foreign-writer',
    breaks: 'Two drivers write over each other.',
    file: 'src/adapters/store/journal/journal.ts',
    symbol: 'openTail',
    find: 'refuseReplacedFile(file, ino, size);',
    replace: '',
    test: {
      file: 'src/adapters/store/journal/journal.test.ts',
      title: 'A journal that another driver wrote to refuses writes, and nothing is overwritten [Q4]',
    },
  },
  {
    id: 'epoch-on-disk',
    breaks: 'An old driver writes under a new epoch.',
    file: 'src/adapters/store/journal/journal.ts',
    symbol: 'nextEpoch',
    find: 'assert(event.epoch > now, `a new driver has a higher epoch than ${now}, not ${event.epoch}`);',
    replace: '',
    test: {
      file: 'src/adapters/store/journal/journal.test.ts',
      title: 'An epoch that is not higher than the one on disk is refused [Q4]',
    },
  },
  {
    id: 'append-order',
    breaks: 'Events are written in another order than they happened.',
    file: 'src/adapters/store/journal/journal.ts',
    symbol: 'openJournal',
    find: 'const done = last.then(() => write(events, sync));',
    replace: 'const done = write(events, sync);',
    test: {
      file: 'src/adapters/store/journal/journal.test.ts',
      title: 'Appends that are not awaited keep their order',
    },
  },
  {
    id: 'crc-ignored',
    breaks: 'A flipped bit in the journal is believed.',
    file: 'src/adapters/store/journal/line.ts',
    symbol: 'soundCrc',
    find: 'crc === readHex(bytes, start) ? crc : -1',
    replace: 'crc',
    test: {
      file: 'src/adapters/store/journal/heal.test.ts',
      title:
        'A flipped bit in a middle line is healed, the damaged file is kept, and the user is informed [Q7]',
    },
  },
  {
    id: 'unknown-event-skipped',
    breaks: 'An event of a newer version is silently left out.',
    file: 'src/adapters/store/journal/scan.ts',
    symbol: 'readEvents',
    find: 'if (!(error instanceof UnreadableEventError)) throw error;',
    replace: 'if (error instanceof UnreadableEventError) return;',
    test: {
      file: 'src/adapters/store/journal/journal.test.ts',
      title: 'An unknown event is refused, never skipped',
    },
  },
  {
    id: 'mac-ignored',
    breaks: 'An agent forges the history of a run in the mirror.',
    file: 'src/adapters/store/journal/mirror.ts',
    symbol: 'createSeal',
    find: "mac(json) === line.toString('latin1', 0, macDigits) ? json : null",
    replace: 'json',
    test: {
      file: 'src/adapters/store/journal/heal.test.ts',
      title: 'A forged mirror line is never used, however well it is made [Q7]',
    },
  },
  {
    id: 'seal-any-run',
    breaks: 'The mirror of another run is taken for this one.',
    file: 'src/adapters/store/journal/mirror.ts',
    symbol: 'createSeal',
    find: '.update(runId)',
    replace: ".update('')",
    test: {
      file: 'src/adapters/store/journal/heal.test.ts',
      title: 'A line of another run is not accepted, though the key is the same [Q7]',
    },
  },
  {
    id: 'disagreement-ignored',
    breaks: 'A journal that was rewritten is believed.',
    file: 'src/adapters/store/journal/recover.ts',
    symbol: 'recover',
    find: 'refuseDisagreement(firstDisagreement(scan.crcs, reading), run);',
    replace: '',
    test: {
      file: 'src/adapters/store/journal/heal.test.ts',
      title:
        'A rewritten journal line with a valid checksum is refused, because its sealed copy disagrees [Q7]',
    },
  },
  {
    id: 'damaged-not-kept',
    breaks: 'A damaged journal is overwritten when it is healed.',
    file: 'src/adapters/store/journal/recover.ts',
    symbol: 'healOnDisk',
    find: "problem === 'damaged' ? await keepDamaged(run) : null",
    replace: 'null',
    test: {
      file: 'src/adapters/store/journal/heal.test.ts',
      title:
        'A flipped bit in a middle line is healed, the damaged file is kept, and the user is informed [Q7]',
    },
  },
  {
    id: 'mirror-lag',
    breaks: 'The mirror of a killed driver stays behind.',
    file: 'src/adapters/store/journal/mirror.ts',
    symbol: 'openMirror',
    find: 'if (reading.isClean && isBehind) {',
    replace: 'if (reading.isClean && isBehind && seal === null) {',
    test: {
      file: 'src/adapters/store/journal/heal.test.ts',
      title: 'A mirror that lags behind, or was torn, is brought up to date at the next open [Q7]',
    },
  },
  {
    id: 'hopeless-healed',
    breaks: 'A journal that lost several lines is cut and goes on.',
    file: 'src/adapters/store/journal/heal.ts',
    symbol: 'cutAtEnd',
    find: 'unsound > 1 || ',
    replace: '',
    test: {
      file: 'src/adapters/store/journal/heal.test.ts',
      title: 'A journal with more than its last line damaged and no copy left is refused [Q7]',
    },
  },
  {
    id: 'rename-not-synced',
    breaks: 'A power loss takes back a healed journal.',
    file: 'src/adapters/files/files.ts',
    symbol: 'replaceFile',
    find: 'await syncFolder(dirname(file));',
    replace: '',
    test: {
      file: 'src/adapters/store/power-loss.test.ts',
      title: 'A journal that was healed from its mirror stays healed after a power loss [D1]',
    },
  },
  {
    id: 'write-not-synced',
    breaks: 'A power loss leaves an empty journal or request.',
    file: 'src/adapters/files/files.ts',
    symbol: 'writeSynced',
    find: 'await handle.sync();',
    replace: '',
    test: {
      file: 'src/adapters/store/power-loss.test.ts',
      title: 'A control that was dropped survives a power loss, whole [Q5]',
    },
  },
  {
    id: 'create-not-synced',
    breaks: 'A power loss forgets a run that was created.',
    file: 'src/adapters/store/store.ts',
    symbol: 'createRun',
    find: 'await syncFolder(paths.root);',
    replace: '',
    test: {
      file: 'src/adapters/store/power-loss.test.ts',
      title: 'A created run survives a power loss [D1]',
    },
  },
  {
    id: 'inbox-not-synced',
    breaks: 'A power loss forgets a request that was acknowledged.',
    file: 'src/adapters/store/inbox/inbox.ts',
    symbol: 'writeRequest',
    find: '    await syncFolder(run.inbox);\n',
    replace: '',
    test: {
      file: 'src/adapters/store/power-loss.test.ts',
      title: 'A control that was dropped survives a power loss, whole [Q5]',
    },
  },
];
