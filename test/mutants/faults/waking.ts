// How parked runs are woken.
import type { Fault } from '../fault.ts';

export const wakingFaults: readonly Fault[] = [
  {
    id: 'leaves-unwatched',
    breaks: 'A driver leaves a run that nothing will wake.',
    file: 'src/policies/waiting/leave-or-stay.ts',
    symbol: 'leaveOrStay',
    find: "if (!isWatched) return { kind: 'stay', why: 'not-woken' };",
    replace: '',
    test: {
      file: 'src/policies/waiting/leave-or-stay.test.ts',
      title: 'A driver without a terminal stays when no watch would wake the run',
    },
  },
  {
    id: 'leaves-when-due',
    breaks: 'A woken driver leaves again at once, and the run is woken without end.',
    file: 'src/policies/waiting/leave-or-stay.ts',
    symbol: 'leaveOrStay',
    find: "if (awaited.some((one) => isReached(one, now))) return { kind: 'look' };",
    replace: '',
    test: {
      file: 'src/policies/waiting/leave-or-stay.test.ts',
      title: 'A driver does not leave a wait whose time has come',
    },
  },
  {
    id: 'woken-without-pause',
    breaks: 'A run that cannot go on is woken again and again without a pause.',
    file: 'src/policies/waiting/wake-again.ts',
    symbol: 'wakeAgainAfterMs',
    find: 'leastMs * 2 ** Math.min(tries, 20)',
    replace: '0',
    test: {
      file: 'src/policies/waiting/due.test.ts',
      title: 'The pause between wake-ups doubles with each try, up to ten minutes',
    },
  },
];
