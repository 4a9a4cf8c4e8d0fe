import { expect, test } from 'vitest';
import { hasProcTable } from '#adapters/processes/proc-table.ts';
import { identify, isAlive } from './host-record.ts';

test.skipIf(!hasProcTable())(
  'A host does not count as alive if its pid belongs to another process now [X11]',
  () => {
    const record = identify(process.pid);
    expect(isAlive(record)).toBe(true);
    expect(isAlive({ ...record, startTime: `${record.startTime}1` })).toBe(false);
    expect(isAlive({ ...record, bootId: 'another boot' })).toBe(false);
  },
);
