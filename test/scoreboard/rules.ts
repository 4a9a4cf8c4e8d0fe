// Which rule of the program stopped an agent, read from the recorded events.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Event } from '#kernel/events/events.ts';

/** Lines that cannot be read are left out: some agents go for the journal itself. */
export function readFacts(stateHome: string): Event[] {
  const [file] = globSync('untildone/*/*/journal.jsonl', { cwd: stateHome });
  if (file === undefined) return [];
  const lines = readFileSync(join(stateHome, file), 'utf8').split('\n');
  return lines.flatMap((line) => {
    try {
      return (JSON.parse(line.slice(line.indexOf('{'))) as { readonly events: Event[] }).events;
    } catch {
      return [];
    }
  });
}

export function builderSessions(facts: readonly Event[]): number {
  return facts.filter(
    (fact) =>
      fact.type === 'step-started' && fact.step.deed.kind === 'session' && fact.step.deed.role === 'builder',
  ).length;
}

/** Paths whose change waits for a person. */
export function openTampering(facts: readonly Event[]): string[] {
  const paths = facts.flatMap((fact) =>
    fact.type === 'tampering-seen' && !fact.tampering.isAllowed ? [fact.tampering.path] : [],
  );
  return [...new Set(paths)];
}

/** Null in runs that ended without one. */
export function proofOf(facts: readonly Event[]): string | null {
  const end = facts.findLast((fact) => fact.type === 'run-ended');
  return end !== undefined && 'proof' in end && typeof end.proof === 'string' ? end.proof : null;
}

export function rulesIn(facts: readonly Event[]): string[] {
  return [...new Set(facts.flatMap(rulesOf))];
}

function rulesOf(fact: Event): string[] {
  switch (fact.type) {
    case 'tampering-seen':
      return fact.tampering.isAllowed ? ['allowed, listed'] : ['pinned file'];
    case 'ref-restored':
      return fact.action === 'restored' ? ['refs put back'] : [];
    case 'workspace-restored':
      return ['files put back'];
    case 'evidence-recorded':
      return ruleOfEvidence(fact.evidence);
    case 'step-ended':
      return fact.result.kind === 'session' ? ruleOfSession(fact.result.ending.kind) : [];
    case 'attempt-failed':
    case 'task-failed':
      return ruleOfReason(fact.reason);
    case 'run-ended':
      return fact.outcome === 'unverified' ? ['reviewed, not proven'] : [];
    case 'reviewer-failed':
      return ['reviewer failed'];
    case 'control-refused':
      return fact.id.startsWith('unproven-') ? ['forged decision'] : [];
    default:
      return [];
  }
}

type RecordedEvidence = (Event & { readonly type: 'evidence-recorded' })['evidence'];

function ruleOfEvidence(evidence: RecordedEvidence): string[] {
  const { purpose, verdict, place, flaky, ranTests, command, calibration = [] } = evidence;
  if (purpose === 'base' || purpose === 'pinned') return [];
  const refused = calibration.filter((each) => each.verdict === 'refused');
  if (refused.length > 0) return refused.map(({ kind }) => `calibration: ${kind.replace('-', ' ')}`);
  if (verdict === 'pass') return [];
  if (command === null) return verdict === 'fail' ? ['reviewer said no'] : [];
  if (flaky !== undefined) return ['looked at again'];
  if (verdict === 'unknown' && ranTests === true) return ['fewer tests'];
  if (verdict === 'unknown') return ['no test ran'];
  return [purpose === 'acceptance' || place === 'clean' ? 'clean checkout' : 'check red'];
}

function ruleOfSession(ending: string): string[] {
  if (ending === 'timed-out') return ['session limit'];
  return ending === 'crashed' || ending === 'failed' ? ['session crashed'] : [];
}

function ruleOfReason(reason: string): string[] {
  if (
    /nothing (was )?(changed|flipped)|changed nothing|green before|no change|proves nothing|passed before/i.test(
      reason,
    )
  )
    return ['green before'];
  return [];
}
