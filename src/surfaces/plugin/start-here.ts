// Starts a run for the very session in which a person asks for it: prepared, its base checked, and then it waits.
import type { Links } from '#compose/foreign.ts';
import type { RunFlags } from '#config/flags.ts';
import type { ResolvedRun } from '#config/resolve-run.ts';
import type { MakeInfer } from '#config/written-criteria.ts';
import { isMachineCheck } from '#kernel/check.ts';
import { foreignDriver } from '#kernel/foreign.ts';
import { OperatorError } from '#ports/operator-error.ts';
import { briefing } from '#views/exit.ts';
import type { HookAnswer } from './hook-answer.ts';
import type { HookInput } from './hook-input.ts';
import { splitWords } from './split-words.ts';

const prepareMsMax = 540_000;

export async function startHere(
  { sessionId, cwd }: HookInput,
  text: string,
  links: Links,
  client: number,
): Promise<HookAnswer> {
  refuseSecond(links, sessionId);
  const { goal, flags } = readWish(text);
  const { openSite, loadRun } = await import('#compose/site.ts');
  const { resolveRun } = await import('#config/resolve-run.ts');
  const { startRun } = await import('#compose.ts');
  const folder = process.env['CLAUDE_PROJECT_DIR'] ?? cwd;
  const site = await openSite(folder, process.env);
  const infer: MakeInfer = (timeoutMs) => async (sentence) =>
    (await import('#compose/infer-checks.ts')).createInfer(site, timeoutMs)(sentence);
  const resolved = await resolveRun(site, { goal, flags, sanityCheck: false, infer });
  const { config, tasks, notes } = resolved;
  refuseUndecidable(resolved);
  const runId = await startRun(site, {
    config: { ...config, foreign: { client: 'claude', sessionId } },
    tasks,
  });
  links.attach({ sessionId, runId, root: folder }, client);
  const { driveQuietly } = await import('#compose/look.ts');
  await driveQuietly(site, runId, AbortSignal.timeout(prepareMsMax));
  const { run } = await loadRun(site, runId);
  if (run.running.size === 0) {
    links.drop(sessionId);
    const why = run.outcome?.reason ?? run.trouble?.reason ?? 'it waits for something else';
    throw new OperatorError(
      'not-started',
      `The run ${runId} did not begin: ${why}.`,
      `See: untildone show ${runId}`,
    );
  }
  const said = `The run ${runId} holds this session until its checks pass. Its branch ${run.base?.branch ?? ''} is checked out here.`;
  return {
    systemMessage: ['untildone:', said, ...notes].join(' '),
    hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: briefing(run) },
  };
}

function refuseUndecidable({ config, tasks }: ResolvedRun): void {
  if (tasks.length > 1)
    throw new OperatorError(
      'several-tasks',
      `There are ${tasks.length} tasks, and one session works on one.`,
      'Let fresh sessions work on them, from a terminal: untildone queue FILE',
    );
  const checks = tasks.flatMap((task) => task.criteria.map(({ check }) => check));
  if (!checks.some((check) => isMachineCheck(check)))
    throw new OperatorError(
      'no-check',
      'Nothing would decide when this session may end: there is no check.',
      'Add one: /untildone:start "…" --check "npm test", or "checks" in .untildone/config.jsonc.',
    );
  for (const check of checks) {
    if (check.kind !== 'reviewer') continue;
    const name = config.roles[check.role]?.agent.name ?? '';
    if (config.agents[name]?.driver !== foreignDriver) continue;
    throw new OperatorError(
      'no-reviewer',
      `The ${check.role} has to be somebody else than this session.`,
      `Name an agent for it: /untildone:start "…" --agent ${check.role}=claude`,
    );
  }
}

function refuseSecond(links: Links, sessionId: string): void {
  const link = links.read(sessionId);
  if (link === null) return;
  throw new OperatorError(
    'has-a-run',
    `This session belongs to the run ${link.runId} already.`,
    'See /untildone:status; let it go with /untildone:release.',
  );
}

/** Words that are no options are the goal. */
function readWish(text: string): { readonly goal: string; readonly flags: RunFlags } {
  const goal: string[] = [];
  const given = new Map<string, string[]>();
  const words = splitWords(text);
  for (let at = 0; at < words.length; at += 1) {
    const { text: word = '', isQuoted } = words[at] ?? { isQuoted: true };
    const name = isQuoted ? undefined : takes[word];
    if (name === undefined && !isQuoted && word.startsWith('--')) throw unknownOption(word);
    if (name === undefined) goal.push(word);
    else given.set(name, [...(given.get(name) ?? []), words[(at += 1)]?.text ?? '']);
  }
  const [taskFile] = given.get('taskFile') ?? [];
  if (goal.length === 0 && taskFile === undefined)
    throw new OperatorError('no-goal', 'It does not say what is wanted.', example);
  const agents = (given.get('agent') ?? []).map((one) => (one.includes('=') ? one : `verifier=${one}`));
  const hasVerifier = agents.some((one) => one.startsWith('verifier='));
  const flags: RunFlags = {
    preset: given.get('preset')?.[0] ?? 'criteria',
    // The builder is the session itself; a reviewer, where one is asked for, is a session of ours.
    agent: ['builder=interactive', ...agents, ...(hasVerifier ? [] : ['verifier=interactive'])],
    inPlace: true,
    ...(given.has('check') ? { check: given.get('check') ?? [] } : {}),
    ...(given.has('mayChange') ? { mayChange: given.get('mayChange') ?? [] } : {}),
    ...(taskFile === undefined ? {} : { taskFile }),
  };
  return { goal: goal.join(' '), flags };
}

const takes: { readonly [option: string]: string | undefined } = {
  '--check': 'check',
  '--task-file': 'taskFile',
  '--may-change': 'mayChange',
  '--preset': 'preset',
  '--agent': 'agent',
};

const example = 'For example: /untildone:start "add a /health endpoint" --check "npm test"';

function unknownOption(word: string): OperatorError {
  return new OperatorError(
    'usage',
    `/untildone:start has no option ${word}.`,
    `It has ${Object.keys(takes).join(', ')}. ${example}`,
  );
}
