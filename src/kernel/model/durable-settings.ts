// Whether an unfinished run continues without a request from a person.
export interface DurableSettings {
  /** False: only `untildone resume` and `--resume` continue the run. */
  readonly enabled: boolean;
  /** False: the same command asks before it continues the run. */
  readonly autoResume: boolean;
}

interface WithDurable {
  /** Absent in runs whose user set nothing. */
  readonly durable?: DurableSettings;
}

/** Whether a start, a timer or a met condition may continue the run; a person always may. */
export function isResumedByItself({ durable }: WithDurable): boolean {
  return durable === undefined || (durable.enabled && durable.autoResume);
}
