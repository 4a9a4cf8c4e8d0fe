// Wall-clock and inactivity limits of one program.
export interface LimitWatch {
  /** Restarts the inactivity limit. */
  touch(): void;
  stop(): void;
}

export interface LimitSpec {
  readonly wallMs: number;
  readonly idleMs: number | null;
  isBusy(): boolean;
  onLimit(limit: 'wall' | 'idle', afterMs: number): void;
}

/** The maximum of Node's timers; such a limit is practically none. */
const timerMsMax = 2 ** 31 - 1;

export function watchLimits(spec: LimitSpec): LimitWatch {
  let lastOutputAt = performance.now();
  let idleTimer: NodeJS.Timeout | null = null;
  const wallTimer = setTimeout(
    () => spec.onLimit('wall', spec.wallMs),
    Math.min(Math.max(spec.wallMs, 0), timerMsMax),
  );

  const checkIdleIn = (idleMs: number, waitMs: number): void => {
    idleTimer = setTimeout(
      () => {
        if (spec.isBusy()) lastOutputAt = performance.now();
        const silentMs = performance.now() - lastOutputAt;
        if (silentMs >= idleMs) spec.onLimit('idle', idleMs);
        // While busy, check often enough to notice the end.
        else checkIdleIn(idleMs, Math.min(idleMs - silentMs, idleMs / 4 + 1));
      },
      Math.min(Math.max(waitMs, 1), timerMsMax),
    );
  };
  if (spec.idleMs !== null) checkIdleIn(spec.idleMs, Math.min(spec.idleMs, spec.idleMs / 4 + 1));

  return {
    touch: () => {
      lastOutputAt = performance.now();
    },
    stop: () => {
      clearTimeout(wallTimer);
      if (idleTimer !== null) clearTimeout(idleTimer);
    },
  };
}
