// The `suspension.*` settings of a run: polls, reminders, and what agents may ask for.
export interface SuspensionSettings {
  /** False: the run accepts no suspension. */
  readonly isEnabled: boolean;
  /** Between the end of one poll and the start of the next. */
  readonly pollEveryMs: number;
  /** Polls at most. */
  readonly pollLooksMax: number;
  /** Time limit of one poll command. */
  readonly pollTimeoutMs: number;
  readonly remindAfterMs: number;
  readonly byAgents: {
    /** The longest suspension by time that an agent may ask for. */
    readonly hoursMax: number;
    /** Suspensions that the agents of one run may ask for. */
    readonly perRunMax: number;
  };
}

/** For a run whose user set nothing, and for every journal without the field. */
export const defaultSuspension: SuspensionSettings = {
  isEnabled: true,
  // Continuous integration takes minutes: one poll a minute is soon enough and no load.
  pollEveryMs: 60_000,
  // Two hours of polls. A condition that takes longer needs a person, or a time.
  pollLooksMax: 120,
  // A poll asks one question. A command that needs longer hangs.
  pollTimeoutMs: 60_000,
  // One reminder a working day: earlier is noise, later is forgotten.
  remindAfterMs: 24 * 3_600_000,
  byAgents: {
    // Overnight limits end within a day; an agent that wants longer asks a person.
    hoursMax: 24,
    // More than an honest run needs, too few to spend a week of waiting.
    perRunMax: 10,
  },
};
