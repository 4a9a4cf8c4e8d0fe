// Names steps for people: a session by its log, other steps by their operation, a control by its request.
import type { Event } from '#kernel/events/events.ts';
import type { Run } from '#kernel/fold/run.ts';
import { sessionName, sessionNameOf } from '#kernel/model/session-name.ts';
import { personStepId } from '#kernel/model/step.ts';

export type StepNames = (stepId: string) => string;

export function namesOfRun(run: Run): StepNames {
  return (stepId) => sessionNameOf(run, stepId) ?? run.asked.get(stepId) ?? plainName(stepId);
}

export function namesOfEvents(events: readonly Event[]): StepNames {
  const names = new Map<string, string>();
  for (const event of events) {
    if (event.type === 'control-received') names.set(event.id, event.control.kind);
    if (event.type === 'step-started' && event.step.deed.kind === 'session')
      names.set(event.step.stepId, sessionName(event.step.deed));
  }
  return (stepId) => names.get(stepId) ?? plainName(stepId);
}

const operationNames: readonly (readonly [RegExp, string])[] = [
  [/^prepare/, 'the preparation of the workspace'],
  [/^check-base/, 'the checks on the base'],
  [/^check-attempt/, 'the checks'],
  [/^check-acceptance/, 'the final acceptance'],
  [/^check-look/, 'the preview of the checks'],
  [/^reproduce/, 'the reproduction of the blockers'],
  [/^commit/, 'the commit'],
  [/^survey/, 'the survey of the repository'],
  [/^settle-plan/, 'the check of the plan'],
];

/** By its id alone: `0007-verifier-main` is a session. */
export function plainName(stepId: string): string {
  if (stepId === personStepId) return 'a person';
  const rest = stepId.replace(/^\d+-/, '');
  const known = operationNames.find(([pattern]) => pattern.test(rest));
  return known?.[1] ?? `the ${rest.split('-')[0] ?? 'step'}`;
}
