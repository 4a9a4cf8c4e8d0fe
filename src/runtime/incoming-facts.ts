// Turns outside input into facts: controls from the inbox, and conditions that the driver watched for.
import { unprovenPrefix } from '#kernel/events/control.ts';
import type { Fact } from '#kernel/events/events.ts';
import type { Run } from '#kernel/fold/run.ts';
import type { Arrival } from '#ports/inbox.ts';
import type { Sighting } from '#ports/lookout.ts';

const unprovenMax = 200;

/** None for known controls, nor beyond a limit of unproven ones: an agent cannot fill the journal. */
export function factsOfArrival(run: Run, { id, by, control, doubt }: Arrival): Fact[] {
  if (run.controls.has(id)) return [];
  const received: Fact = { type: 'control-received', id, by, control };
  if (doubt === undefined) return [received];
  const unproven = [...run.controls.keys()].filter((known) => known.startsWith(unprovenPrefix));
  if (run.controls.has(doubt.claimedId) || unproven.length >= unprovenMax) return [];
  return [received, { type: 'control-refused', id, reason: doubt.reason }];
}

/** None for a suspension that a person has ended meanwhile. */
export function factsOfSighting(run: Run, { awaited, kind, what, ...sighting }: Sighting): Fact[] {
  if (awaited.kind === 'limit') return [{ type: 'clock-reached', due: awaited.at, isWall: true }];
  const { suspensionId } = awaited;
  if (!run.suspensions.has(suspensionId)) return [];
  if (awaited.kind === 'reminder') return [{ type: 'reminded', suspensionId }];
  if (kind === 'expired')
    return [{ type: 'suspension-expired', suspensionId, looks: sighting.looks ?? 0, last: what }];
  const { seenAt, due, late } = sighting;
  return [
    {
      type: 'condition-met',
      suspensionId,
      what,
      seenAt,
      ...(due === undefined ? {} : { due }),
      ...(late === undefined ? {} : { late }),
    },
  ];
}
