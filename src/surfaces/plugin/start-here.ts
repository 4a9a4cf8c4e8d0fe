// Starts a run for the session in which a person asks for it: prepares it, checks the base, and lets it wait.
import type { Links } from '#app/attached.ts';
import { inferLazily } from '#app/run/infer-lazily.ts';
import type { ResolvedRun } from '#config/resolve/resolve-run.ts';
import { isMachineCheck } from '#kernel/model/check.ts';
import { attachedDriver } from '#kernel/decide/attached.ts';
import { withoutFullStop } from '#base/without-full-stop.ts';
import { OperatorError } from '#base/operator-error.ts';
import { briefing } from '#views/exit.ts';
import { noProofAhead } from '#views/preflight/proof-ahead.ts';
import type { HookAnswer, HookInput } from './hook.ts';
import { readWish } from './read-wish.ts';

const prepareMsMax = 540_000;

export async function startHere(
  { sessionId, cwd }: HookInput,
  text: string,
  links: Links,
  client: number,
): Promise<HookAnswer> {
  refuseSecond(links, sessionId);
  const { goal, flags } = readWish(text);
  const { openSite } = await import('#app/site.ts');
  const { resolveRun } = await import('#config/resolve/resolve-run.ts');
  const { startRun } = await import('#app/run/start-run.ts');
  const folder = process.env['CLAUDE_PROJECT_DIR'] ?? cwd;
  const site = await openSite(folder, process.env);
  const resolved = await resolveRun(site, { goal, flags, sanityCheck: false, infer: inferLazily(site) });
  const { config, tasks, notes } = resolved;
  refuseUndecidable(resolved);
  await (await import('#config/resolve/check-programs.ts')).refuseMissingPrograms(site, resolved);
  const runId = await startRun(site, {
    config: { ...config, foreign: { client: 'claude', sessionId } },
    tasks,
  });
  links.attach({ sessionId, runId, root: folder }, client);
  const { driveAndRead } = await import('#app/controls/preview.ts');
  const { run } = await driveAndRead(site, runId, AbortSignal.timeout(prepareMsMax));
  if (run.running.size === 0) {
    links.drop(sessionId);
    const why = run.outcome?.reason ?? run.trouble?.reason ?? 'it waits for another condition';
    throw new OperatorError(
      'not-started',
      `Run ${runId} did not start: ${withoutFullStop(why)}.`,
      `See: untildone show ${runId}`,
    );
  }
  const message = `Run ${runId} keeps this session open until its checks pass. Its branch ${run.base?.branch ?? ''} is checked out here.`;
  return {
    systemMessage: ['untildone:', message, ...notes, ...(noProofAhead(run) ?? [])].join(' '),
    hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: briefing(run) },
  };
}

function refuseUndecidable({ config, tasks }: ResolvedRun): void {
  if (tasks.length > 1)
    throw new OperatorError(
      'several-tasks',
      `There are ${tasks.length} tasks, but one session works on one task.`,
      'Run them from a terminal: untildone queue FILE',
    );
  const checks = tasks.flatMap((task) => task.criteria.map(({ check }) => check));
  if (!checks.some((check) => isMachineCheck(check)))
    throw new OperatorError(
      'no-check',
      'There is no check, so nothing decides when this session may end.',
      'Add one: /untildone:start "…" --check "npm test", or "checks" in .untildone/config.jsonc.',
    );
  for (const check of checks) {
    if (check.kind !== 'reviewer') continue;
    const name = config.roles[check.role]?.agent.name ?? '';
    if (config.agents[name]?.driver !== attachedDriver) continue;
    throw new OperatorError(
      'no-reviewer',
      `The ${check.role} must be another agent than this session.`,
      `Name an agent for it: /untildone:start "…" --agent ${check.role}=claude, or do without: --verifier none`,
    );
  }
}

function refuseSecond(links: Links, sessionId: string): void {
  const link = links.read(sessionId);
  if (link === null) return;
  throw new OperatorError(
    'has-a-run',
    `This session belongs to the run ${link.runId} already.`,
    'See /untildone:status; release it with /untildone:release.',
  );
}
