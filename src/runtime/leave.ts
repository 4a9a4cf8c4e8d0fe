// The driver's last actions: it ends or releases its running steps, and closes everything it holds.
import type { Driver } from './drive.ts';

export async function leave(driver: Driver): Promise<void> {
  await endPerformances(driver, 'the driver is leaving');
  await driver.world.sessions.close();
  await driver.world.lookout.close();
  if (driver.run.outcome !== null) driver.world.wakeEntry?.remove();
  await driver.world.wakeEntry?.close();
  await driver.world.snapshots?.close();
  await driver.journal.close();
}

export async function endPerformances(driver: Driver, reason: string): Promise<void> {
  const running = [...driver.performing];
  for (const [stepId, performance] of running) {
    if (performance.leave === undefined) performance.steer({ stepId, kind: 'kill', reason });
    else performance.leave();
  }
  await Promise.allSettled(running.map(([, performance]) => performance.ended));
}
