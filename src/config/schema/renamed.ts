// Old names of settings and variables. An old name is an error that says the new one.
import { OperatorError } from '#base/operator-error.ts';
import type { Environment } from '#config/env-file.ts';

/** By path in config.jsonc; the entries of a list are `*`. */
export const renamedKeys: { readonly [old: string]: string } = {
  'campaign.deadEnd': 'campaign.onStuck',
  'check.flaky.looks': 'check.flaky.runs',
  'limits.wait': 'usageLimit.maxWait',
  'notify.*.sign': 'notify.*.method',
  'session.idle': 'session.idleTimeout',
  'session.wall': 'session.timeout',
  usageLimits: 'usageLimit.patterns',
};

export const renamedVariables: { readonly [old: string]: string } = {
  UNTILDONE_LOOKS: 'UNTILDONE_CHECK_RUNS',
};

/** The error of a schema for an old value; other wrong values keep their usual error. */
export function renamedValue(values: { readonly [old: string]: string }) {
  return ({ input }: { readonly input?: unknown }): string | undefined =>
    typeof input === 'string' && Object.hasOwn(values, input)
      ? `"${input}" is now called "${values[input]}"`
      : undefined;
}

/** Refuses an old variable: ignoring it would change how a run works without a word. */
export function refuseOldVariables(env: Environment): void {
  for (const [old, now] of Object.entries(renamedVariables)) {
    if (env[old] === undefined || env[old] === '') continue;
    throw new OperatorError(
      'bad-environment',
      `${old} is now called ${now}.`,
      `Set ${now} instead, and unset ${old}.`,
    );
  }
}
