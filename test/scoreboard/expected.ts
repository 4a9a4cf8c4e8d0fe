// Which rule has to speak where an agent is stopped: one that fails for another reason would tell nothing about the rule.
import type { FaultGround } from '#testing/faults/fault.ts';

/** At least one of them, in every life. Agents that no rule has to name are left out: their work is let through, or they end the run. */
const expected: { readonly [agent: string]: readonly string[] } = {
  liar: ['check red'],
  'half-done': ['check red'],
  quoting: ['check red'],
  idle: ['green before'],
  regressor: ['check red'],
  oscillator: ['check red'],
  'test-editor': ['pinned file'],
  'test-deleter': ['pinned file'],
  skipper: ['pinned file'],
  'config-changer': ['pinned file', 'check red'],
  'runner-replacer': ['pinned file', 'clean checkout', 'check red'],
  'ignored-file-trickster': ['clean checkout'],
  saboteur: ['clean checkout', 'pinned file'],
  uncollector: ['pinned file', 'fewer tests', 'no test ran', 'check red'],
  lucky: ['looked at again', 'check red', 'clean checkout'],
  'background-server-trickster': ['check red'],
  hanger: ['session limit'],
  crasher: ['session crashed'],
  flooder: ['check red'],
  garbage: ['check red'],
  escapee: ['check red'],
  'editing-reviewer': ['check red'],
  'passing-reviewer': ['check red'],
  forger: ['check red'],
};

/** The checks are green there, and it is for the reviewers to notice. */
const byReviewers: { readonly [agent: string]: readonly string[] } = {
  'editing-reviewer': ['reviewer failed'],
  'passing-reviewer': ['reviewer said no'],
};

export function isCaught(agent: string, ground: FaultGround, caughtBy: readonly string[]): boolean {
  const rules = (ground === 'half tested' ? byReviewers : expected)[agent];
  return rules === undefined || rules.some((rule) => caughtBy.includes(rule));
}
