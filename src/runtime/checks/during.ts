import type { Activity } from '#kernel/model/activity.ts';
import type { CheckDeps } from '#ports/world.ts';

/** Reports the activity to the observers while the work runs. */
export async function during<Result>(
  { observers = [] }: Pick<CheckDeps, 'observers'>,
  activity: Activity,
  work: () => Promise<Result>,
): Promise<Result> {
  for (const observer of observers) observer.onActivity?.(activity, 'began');
  try {
    return await work();
  } finally {
    for (const observer of observers) observer.onActivity?.(activity, 'ended');
  }
}
