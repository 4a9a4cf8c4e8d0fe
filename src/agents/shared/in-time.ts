/** Contract: as `answer`, or rejects with `tooLate()` once the time is up; a later answer is dropped. */
export async function inTime<T>(answer: Promise<T>, ms: number, tooLate: () => Error): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(tooLate()), ms);
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
    answer.catch(() => {});
  }
}
