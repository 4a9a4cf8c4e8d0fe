// Refuses a run early if Claude Code cannot start here.
import { OperatorError } from '#base/operator-error.ts';
import type { Beginning } from '#agents/shared/driver-facts.ts';
import { needsConsentAsRoot, refusedAsRoot } from './claude-call.ts';
import { parseClaudeOptions } from './claude-options.ts';
import { claude } from './facts.ts';
import { findSdk, noSdk } from './find-sdk.ts';

export async function refuseClaude({ name, env, isRoot, isProgramHere, ...agent }: Beginning): Promise<void> {
  const options = parseClaudeOptions(agent.options);
  const hasSdk = options.via !== 'cli' && findSdk(options.sdk, env) !== null;
  if (options.via === 'sdk' && !hasSdk) throw noSdk();
  if (!hasSdk && !(await isProgramHere(options.binary)))
    throw new OperatorError(
      'missing-agent',
      `The agent ${name} cannot be started: there is no program "${options.binary}" on PATH.`,
      `Install it: ${claude.install}. \`untildone doctor\` lists the agents.`,
    );
  if (options.asRoot !== 'allow' && needsConsentAsRoot(options, { env, isRoot })) throw refusedAsRoot();
}
