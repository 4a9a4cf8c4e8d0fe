// Finds which process would wake a run of this repository, as seen from its driver.
import { livingWatch } from '#adapters/waiting/watch-lock.ts';
import { isResumedByItself, type RunConfig } from '#kernel/model/config.ts';
import type { Site } from '#app/site.ts';
import type { Waker } from '#views/waiting/wake-words.ts';
import { neededVariables } from './run-waiting.ts';

export async function whoWakes(site: Site, config: RunConfig): Promise<Waker> {
  if (!isResumedByItself(config)) return { kind: 'person' };
  const watch = await livingWatch(site.stateHome);
  if (watch === null) return { kind: 'command' };
  const missing = neededVariables(config, site.ownEnv).filter((name) => !watch.variables.includes(name));
  return missing.length === 0
    ? { kind: 'watch', pid: watch.pid }
    : { kind: 'watch-without', pid: watch.pid, missing };
}
