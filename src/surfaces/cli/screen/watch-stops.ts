// Ctrl-Z and `fg`: the process stops like any other, and notices when it continues.

export interface Stops {
  /** Contract: `beforeStop` runs first. If no shell could continue the process, it does not stop. */
  stop(): void;
  dispose(): void;
}

export interface StopListener {
  beforeStop(): void;
  /** `isUnannounced` after a SIGSTOP, which no code can precede: the cursor has moved. */
  afterStop(isUnannounced: boolean): void;
}

export function watchStops(listener: StopListener): Stops {
  let isStopped = false;
  /** Until all signals of one continuation have arrived; `bg` and then `fg` sends two of them. */
  let isComingBack = false;
  let isDisposed = false;
  const onStop = (): void => stop(process.pid);
  const onContinue = (): void => {
    if (isStopped) comeBack(false);
    else if (!isComingBack) comeBack(true);
  };
  function stop(target: number): void {
    if (isStopped) return;
    listener.beforeStop();
    isStopped = true;
    // Without our listener the signal has its default effect, before `kill` returns.
    process.off('SIGTSTP', onStop);
    process.kill(target, 'SIGTSTP');
    setImmediate(() => isStopped && comeBack(false));
  }
  function comeBack(isUnannounced: boolean): void {
    if (isDisposed) return;
    if (isStopped) process.on('SIGTSTP', onStop);
    isStopped = false;
    isComingBack = true;
    listener.afterStop(isUnannounced);
    setImmediate(() => setImmediate(() => (isComingBack = false)));
  }
  process.on('SIGTSTP', onStop).on('SIGCONT', onContinue);
  return {
    // The whole process group, as the terminal does it: a program that started us stops with us.
    stop: () => stop(0),
    dispose() {
      isDisposed = true;
      process.off('SIGTSTP', onStop).off('SIGCONT', onContinue);
    },
  };
}
