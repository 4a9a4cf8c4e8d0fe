// Counts how often simulated runs reach the cases of waiting, so that a missing case is noticed.

export interface WaitCounts {
  suspensions: number;
  ofTasks: number;
  byAgents: number;
  met: number;
  metLate: number;
  expired: number;
  forced: number;
  approved: number;
  rejected: number;
  reminded: number;
  limits: number;
  looks: number;
  slowLooks: number;
  /** A look that another process was making. */
  looksRefused: number;
  /** A driver died during a look. */
  looksCut: number;
  daysJumped: number;
  yearsJumped: number;
  sleeps: number;
  wakeUps: number;
  rescans: number;
  wakersDied: number;
  entriesLost: number;
  /** Times that a driver left with something that can end the wait by itself. */
  leftWaiting: number;
  /** Lives that ended in the middle of a wait, after everything that was waited for had come true or was over. */
  lastWaits: number;
}

export function noWaitCounts(): WaitCounts {
  return {
    suspensions: 0,
    ofTasks: 0,
    byAgents: 0,
    met: 0,
    metLate: 0,
    expired: 0,
    forced: 0,
    approved: 0,
    rejected: 0,
    reminded: 0,
    limits: 0,
    looks: 0,
    slowLooks: 0,
    looksRefused: 0,
    looksCut: 0,
    daysJumped: 0,
    yearsJumped: 0,
    sleeps: 0,
    wakeUps: 0,
    rescans: 0,
    wakersDied: 0,
    entriesLost: 0,
    leftWaiting: 0,
    lastWaits: 0,
  };
}

/** The least of each in a thousand lives: about a third of what is usual. */
const floors: { readonly [name in keyof WaitCounts]: number } = {
  suspensions: 110,
  ofTasks: 60,
  byAgents: 20,
  met: 50,
  metLate: 8,
  expired: 5,
  forced: 30,
  approved: 5,
  rejected: 6,
  reminded: 20,
  limits: 10,
  looks: 140,
  slowLooks: 12,
  looksRefused: 3,
  looksCut: 1,
  daysJumped: 22,
  yearsJumped: 4,
  sleeps: 70,
  wakeUps: 26,
  rescans: 1,
  wakersDied: 12,
  entriesLost: 7,
  leftWaiting: 40,
  lastWaits: 1,
};

/** What many lives met too seldom, in words; nothing for a handful of lives. */
export function missingWaits({
  lives,
  totals,
}: {
  readonly lives: number;
  readonly totals: { readonly [count: string]: number };
}): string[] {
  if (lives < 900) return [];
  return Object.entries(floors)
    .map(([name, perThousand]) => ({
      name,
      floor: Math.floor((perThousand * lives) / 1000),
      count: totals[name] ?? 0,
    }))
    .filter(({ floor, count }) => count < floor)
    .map(({ name, floor, count }) => `${lives} lives met ${count} ${name}; at least ${floor} are expected`);
}
