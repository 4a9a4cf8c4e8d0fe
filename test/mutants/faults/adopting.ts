// Receipts, and what the next driver adopts.
import type { Fault } from '../fault.ts';

export const adoptingFaults: readonly Fault[] = [
  {
    id: 'receipt-not-synced',
    breaks: 'A power loss empties a receipt, and its session is paid for twice.',
    file: 'src/adapters/sessions/receipt-file.ts',
    symbol: 'write',
    find: '    fsyncSync(descriptor);\n',
    replace: '',
    test: {
      file: 'src/adapters/sessions/receipt-file.test.ts',
      title: 'A receipt that was saved survives a power loss, so that its session is not paid for twice [D4]',
    },
  },
  {
    id: 'receipt-folder-not-synced',
    breaks: 'A power loss removes a receipt, and its session is paid for twice.',
    file: 'src/adapters/sessions/receipt-file.ts',
    symbol: 'write',
    find: '  syncFolder(dirname(file));\n',
    replace: '',
    test: {
      file: 'src/adapters/sessions/receipt-file.test.ts',
      title: 'A receipt that was saved survives a power loss, so that its session is not paid for twice [D4]',
    },
  },
  {
    id: 'receipt-needs-log',
    breaks: 'A good receipt beside a damaged log is ignored, and its session is paid for twice.',
    file: 'src/adapters/sessions/host-process.ts',
    symbol: 'adopt',
    find: "if ('receipt' in read) return",
    replace:
      "if ('receipt' in read && record !== null && readLog(join(options.logsDir, record.log), stepId).result !== null) return",
    test: {
      file: 'src/adapters/sessions/adopt-receipt.test.ts',
      title: 'A session with a good receipt is adopted as finished, though its log %s [D4]',
    },
  },
  {
    id: 'adopt-receipt-ignored',
    breaks: 'Receipts are not read, and finished sessions are paid for twice.',
    file: 'src/adapters/sessions/host-process.ts',
    symbol: 'adopt',
    find: "if ('receipt' in read) return withTree(read.receipt.result, options, step);",
    replace: '',
    test: {
      file: 'src/adapters/sessions/adopt-receipt.test.ts',
      title:
        'A session with a good receipt is adopted as finished, though nothing says which host served it [D4]',
    },
  },
  {
    id: 'adopt-log-ignored',
    breaks: 'Without a receipt a finished session is paid for twice.',
    file: 'src/adapters/sessions/host-process.ts',
    symbol: 'adopt',
    find: 'if (result === null) return',
    replace: 'if (result === null || usage !== undefined) return',
    test: {
      file: 'src/adapters/sessions/adopt-receipt.test.ts',
      title: 'A session with a damaged receipt is adopted from the end in its log [D4]',
    },
  },
  {
    id: 'adopt-lost-free',
    breaks: 'A session that left nothing costs nothing.',
    file: 'src/adapters/sessions/host-process.ts',
    symbol: 'adopt',
    find: 'usage: null }',
    replace: 'usage: { usd: 0, tokens: 0 } }',
    test: {
      file: 'src/adapters/sessions/host-process.test.ts',
      title: 'If the kill comes before any host was started, the session is lost, and not for free [X1]',
    },
  },
  {
    id: 'receipt-other-step',
    breaks: 'The receipt of another session is believed.',
    file: 'src/adapters/sessions/receipt-file.ts',
    symbol: 'readReceipt',
    find: 'if (receipt.stepId !== stepId) return',
    replace: 'if (receipt.stepId === "") return',
    test: {
      file: 'src/adapters/sessions/receipt-file.test.ts',
      title: 'A receipt that is cut off, or of another step, is not accepted [D4]',
    },
  },
  {
    id: 'verdict-not-checked',
    breaks: 'A damaged verdict of a reviewer is believed.',
    file: 'src/adapters/sessions/session-result.ts',
    symbol: 'hasVerdict',
    find: "verdict['blockers'].every(isBlocker)",
    replace: 'true',
    test: {
      file: 'src/adapters/sessions/session-result.test.ts',
      title: 'A session result with a damaged verdict is rejected: %j [Q10]',
    },
  },
  {
    id: 'host-pid-reused',
    breaks: 'An unrelated process that got the pid of a dead host is killed.',
    file: 'src/adapters/sessions/host-record.ts',
    symbol: 'isAlive',
    find: 'readProcEntry(record.pid)?.startTime === record.startTime',
    replace: 'readProcEntry(record.pid) !== null',
    test: {
      file: 'src/adapters/sessions/host-record.test.ts',
      title: 'A host does not count as alive if its pid belongs to another process now [X11]',
    },
  },
  {
    id: 'adopt-no-sweep',
    breaks: 'Processes of a killed session work on beside the next one.',
    file: 'src/adapters/sessions/host-process.ts',
    symbol: 'adopt',
    find: 'await options.processes.sweep(`${options.runId}/${stepId}`);',
    replace: '',
    test: {
      file: 'src/adapters/sessions/host-process.test.ts',
      title:
        'If driver and host are killed, the next driver sweeps the rest and does not wait for a host in vain [X11]',
    },
  },
];
