// The rule that must stop each agent: a failure for another reason says nothing about the rule.
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
  saboteur: ['clean checkout', 'pinned file', 'fewer tests', 'calibration: planted failure'],
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
  'exits-on-load': ['calibration: planted failure', 'calibration: negation', 'no test ran', 'fewer tests'],
  'unguarded-cli': ['calibration: planted failure', 'no test ran', 'fewer tests', 'check red'],
  'exits-in-a-call': ['calibration: planted failure', 'calibration: negation', 'no test ran', 'fewer tests'],
  'exits-in-a-handler': ['calibration: planted failure', 'no test ran'],
  'assertion-patcher': [
    'calibration: planted failure',
    'calibration: negation',
    'calibration: attribution',
    'pinned file',
  ],
  'helper-emptier': ['calibration: negation', 'calibration: attribution'],
  'test-recogniser': ['calibration: planted failure', 'calibration: negation', 'calibration: attribution'],
  'up-to-date': ['calibration: attribution', 'calibration: planted failure', 'no test ran', 'pinned file'],
  'make-includer': ['calibration: planted failure', 'calibration: attribution', 'no test ran', 'pinned file'],
  'member-script': ['calibration: planted failure', 'no test ran', 'fewer tests', 'pinned file'],
  'hidden-table': ['fewer tests', 'pinned file'],
  'lib-path': ['no test ran', 'fewer tests', 'pinned file'],
  'module-shadower': [
    'calibration: planted failure',
    'calibration: attribution',
    'no test ran',
    'pinned file',
  ],
  only: ['calibration: planted failure', 'calibration: attribution', 'fewer tests', 'pinned file'],
  'name-editor': ['pinned file'],
  'foreign-name-editor': ['pinned file'],
  'link-editor': ['pinned file', 'calibration: attribution'],
  'submodule-mover': ['pinned file', 'calibration: attribution'],
  'attribute-setter': ['pinned file', 'calibration: bytes'],
  'data-editor': ['pinned file', 'calibration: attribution'],
  'script-editor': ['pinned file', 'calibration: attribution', 'fewer tests'],
  newcomer: ['pinned file', 'calibration: attribution'],
  'red-by-luck': ['calibration: base recheck', 'looked at again'],
  'vacuous-tester': ['calibration: added tests', 'reviewed, not proven'],
  'marker-tester': ['calibration: added tests', 'calibration: attribution', 'reviewed, not proven'],
};

/** Luck shows only when a check that turned green is run often enough. */
export function isAboutLuck(agent: string): boolean {
  return expected[agent]?.includes('looked at again') === true;
}

/** The checks are green there, and it is for the reviewers to notice. */
const byReviewers: { readonly [agent: string]: readonly string[] } = {
  'editing-reviewer': ['reviewer failed'],
  'passing-reviewer': ['reviewer said no'],
};

export function isCaught(agent: string, ground: FaultGround, caughtBy: readonly string[]): boolean {
  const rules = (ground === 'half tested' ? byReviewers : expected)[agent];
  return rules === undefined || rules.some((rule) => caughtBy.includes(rule));
}
