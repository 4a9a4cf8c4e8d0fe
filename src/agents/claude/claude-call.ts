// Builds the call for a session of Claude Code: environment and arguments, for both SDK and program.
import { OperatorError } from '#base/operator-error.ts';
import type { SessionRequest } from '#ports/agent.ts';
import type { ClaudeOptions } from './claude-options.ts';
import { readOnlySettings, readOnlyTools } from './read-only.ts';

export interface ClaudeCall {
  readonly options: ClaudeOptions;
  readonly request: SessionRequest;
  readonly env: { readonly [name: string]: string };
}

const envDefaults: { readonly [name: string]: string } = {
  // A long session should survive a short failure; ten retries would keep a hopeless one for minutes.
  CLAUDE_CODE_MAX_RETRIES: '2',
  // A background subagent reports after the final answer, in a turn that is not read.
  CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
  // A start that fails says so in a message, not on standard error alone.
  CLAUDE_CODE_STARTUP_FAILURE_RESULTS: '1',
  // Notes that one session keeps for all later ones would reach roles that must not see them.
  CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
  // The program must not change during a run.
  DISABLE_AUTOUPDATER: '1',
};

export function makeCall(options: ClaudeOptions, request: SessionRequest): ClaudeCall {
  const env = { ...envDefaults, ...request.env, ...options.env };
  const { isRoot } = request.processes;
  return { options, request, env: { ...env, ...consentOfRoot(options, { env, isRoot }) } };
}

export interface RootPlace {
  readonly env: ClaudeCall['env'];
  /** Whether the client sees itself as root; in bubblewrap it does not. */
  readonly isRoot: boolean;
}

/** Claude Code refuses to skip permissions as root, unless a variable declares a sandbox. */
function consentOfRoot(options: ClaudeOptions, place: RootPlace): { readonly [name: string]: string } {
  if (!needsConsentAsRoot(options, place)) return {};
  if (options.asRoot === 'allow') return { IS_SANDBOX: '1' };
  throw refusedAsRoot();
}

export function needsConsentAsRoot(
  { permissionMode }: Pick<ClaudeOptions, 'permissionMode'>,
  { env, isRoot }: RootPlace,
): boolean {
  return isRoot && permissionMode === 'bypassPermissions' && !isYes(env['IS_SANDBOX']);
}

export function refusedAsRoot(): OperatorError {
  return new OperatorError(
    'agent-as-root',
    'Claude Code refuses to work unattended as root.',
    'In a container or a disposable machine, add --allow-root. Otherwise run untildone as an ordinary user.',
  );
}

function isYes(value: string | undefined): boolean {
  return value === '1' || value === 'true';
}

export function hasBackgroundTasks({ env }: ClaudeCall): boolean {
  return !isYes(env['CLAUDE_CODE_DISABLE_BACKGROUND_TASKS']);
}

/** The command line, after the program. */
export function argumentsOf({ options, request }: ClaudeCall): string[] {
  const { permissionMode, allowedTools, maxTurns, outputSchema } = options;
  return [
    '-p',
    ...flag('input-format', 'stream-json'),
    ...flag('output-format', 'stream-json'),
    '--verbose',
    ...flag('permission-mode', permissionMode),
    ...(permissionMode === 'bypassPermissions' ? ['--allow-dangerously-skip-permissions'] : []),
    ...flag('setting-sources', settingSourcesOf({ options, request }).join(',')),
    ...flag('model', request.model),
    ...flag('resume', request.resume),
    ...flag('max-turns', maxTurns),
    ...flag('max-budget-usd', isBounded(request.usdMax) ? request.usdMax : null),
    ...flag('allowedTools', allowedTools.length === 0 ? null : allowedTools.join(',')),
    ...(request.readOnly ? readOnlyArguments(options) : []),
    ...flag('json-schema', outputSchema === null ? null : JSON.stringify(outputSchema)),
    ...options.extraArgs,
  ];
}

export function settingSourcesOf({ options, request }: Pick<ClaudeCall, 'options' | 'request'>) {
  return request.readOnly ? options.readOnlySettingSources : options.settingSources;
}

function flag(name: string, value: string | number | null): string[] {
  return value === null ? [] : [`--${name}`, String(value)];
}

/** The user's MCP servers could bring tools that write, so none of them is loaded. */
function readOnlyArguments(options: ClaudeOptions): string[] {
  return [
    ...flag('tools', readOnlyTools(options).join(',')),
    '--strict-mcp-config',
    ...flag('settings', JSON.stringify(readOnlySettings(options))),
  ];
}

export function isBounded(usdMax: number): boolean {
  return Number.isFinite(usdMax) && usdMax > 0;
}
