// Resolves a run. If the payer is unclear, a person is asked; without one, an error names the flags.
import type { Site } from '#app/site.ts';
import type { ResolvedRun, RunRequest } from '#config/resolve/resolve-run.ts';
import { OperatorError } from '#base/operator-error.ts';
import { ask } from '#surfaces/cli/ask.ts';
import { busy } from '#surfaces/cli/render/busy.ts';
import { inferLazily } from '#app/run/infer-lazily.ts';

export async function resolveAsking(site: Site, asked: RunRequest, mayAsk: boolean): Promise<ResolvedRun> {
  const { resolveRun } = await import('#config/resolve/resolve-run.ts');
  const request = { infer: inferLazily(site), ...asked };
  // Reads logins and may search the repository for checks.
  const resolve = (wanted: RunRequest): Promise<ResolvedRun> =>
    busy('reading settings, agents and logins', () => resolveRun(site, wanted));
  try {
    return await resolve(request);
  } catch (error) {
    if (!(error instanceof OperatorError) || error.code !== 'who-pays' || !mayAsk) throw error;
    const answer = await ask(`${error.message} Pay by (l)ogin or by (k)ey?`, ['l', 'k', 'q']);
    if (answer === 'q') throw error;
    const pay = answer === 'l' ? 'login' : 'key';
    return resolve({ ...request, flags: { ...request.flags, pay } });
  }
}
