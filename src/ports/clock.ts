export interface Clock {
  now(): number;
  /** Contract: resolves at `time` or when `signal` aborts, whichever is first; never rejects. */
  waitUntil(time: number, signal: AbortSignal): Promise<void>;
}
