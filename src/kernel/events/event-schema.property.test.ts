import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty, countReached } from '#test/assert-property.ts';
import { walk } from '#test/simulated/simulated-walk.ts';
import { replay } from '#kernel/fold/apply.ts';
import { readEvent, UnreadableEventError } from './event-schema.ts';
import { eventVersion } from './events.ts';

const numbers = fc.array(fc.nat(10_000), { minLength: 20, maxLength: 100 });

describe('Reading events', () => {
  it('Every event of every run is read as it was written, and folds to the same run', () => {
    const ended = countReached('a run that ended', { floor: 0.1 });
    assertProperty(
      fc.property(numbers, (walked) => {
        const { events, run } = walk(walked);
        if (run.outcome !== null) ended.mark();
        const read = events.map((event) => readEvent(JSON.parse(JSON.stringify(event)), eventVersion));
        expect(read).toEqual(events);
        expect(replay(read)).toEqual(run);
      }),
      { numRuns: 100, reaches: [ended] },
    );
  });

  it.each([eventVersion + 1, eventVersion + 2, 1_000_000])(
    'An event of a newer version is refused with a sentence that says so, and never skipped: %i',
    (version) => {
      const event = { at: 1, type: 'clock-reached', due: 1 };
      expect(() => readEvent(event, version)).toThrow(UnreadableEventError);
      expect(() => readEvent(event, version)).toThrow(/written by a newer untildone/);
    },
  );

  it('An event of an unknown type is refused, also a type that every object inherits', () => {
    const inherited = countReached('a name that every object has', { floor: 0.2 });
    assertProperty(
      fc.property(fc.oneof(fc.string(), fc.constantFrom('constructor', 'toString', '__proto__')), (type) => {
        if (type in {}) inherited.mark();
        expect(() => readEvent({ at: 1, type }, eventVersion)).toThrow(/unknown type/);
      }),
      { reaches: [inherited] },
    );
  });

  it('An event with a lost or changed field is refused', () => {
    const damage = countReached('a field that must be there is lost', { floor: 0.8 });
    assertProperty(
      fc.property(numbers, fc.nat(), fc.nat(), (walked, which, where) => {
        const { events } = walk(walked);
        const event = events[which % events.length];
        if (event === undefined) throw new Error('there is an event');
        const names = Object.keys(event);
        const name = names[where % names.length] ?? '';
        const damaged = { ...event, [name]: undefined };
        const isOptional =
          (event.type === 'step-lost' && name === 'usage') ||
          (event.type === 'attempt-failed' && name === 'trace') ||
          (event.type === 'run-ended' && name === 'proof');
        if (isOptional) return;
        damage.mark();
        expect(() => readEvent(damaged, eventVersion)).toThrow(UnreadableEventError);
      }),
      { numRuns: 500, reaches: [damage] },
    );
  });

  it.each([null, 'text', 7, [], [{ at: 1, type: 'clock-reached', due: 1 }]])(
    'The event %j is refused',
    (raw) => {
      expect(() => readEvent(raw, eventVersion)).toThrow(UnreadableEventError);
    },
  );

  it('An event whose proof is no word is refused, and an end without a proof is read', () => {
    const ended = { at: 1, type: 'run-ended', outcome: 'completed', reason: 'done' };
    expect(readEvent(ended, eventVersion)).toEqual(ended);
    expect(() => readEvent({ ...ended, proof: 1 }, eventVersion)).toThrow(/no valid proof/);
  });

  it('An unknown format version is refused', () => {
    expect(() => readEvent({ at: 1, type: 'clock-reached', due: 1 }, 0)).toThrow(/format 0 is unknown/);
  });
});
