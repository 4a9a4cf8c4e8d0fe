// Guards against unintended changes: each recorded journal still folds to the same run.
import { describe, expect, it } from 'vitest';
import { guardedJournals, readViews } from './fixtures.ts';
import { eventsIn, foldJournal } from './fold-journal.ts';

const journals = guardedJournals();

describe('Journals folded by the current program', () => {
  it.each(journals)(
    'The journal $name folds to the run, the views and the next decision of its recording [X5]',
    (journal) => {
      expect(foldJournal(journal)).toEqual(readViews(journal.name, 'folded'));
    },
  );

  it('The recorded journals hold a run of each preset and each kind of trouble and waiting [X5]', () => {
    const types = new Set<string>(journals.flatMap((journal) => eventsIn(journal).map(({ type }) => type)));
    expect(wanted.filter((type) => !types.has(type))).toEqual([]);
    const told = journals.map(({ name }) => readViews(name, 'folded') as Folded);
    expect(told.map((one) => one['state.json'].taskType)).toEqual(
      expect.arrayContaining(['builder-verifier', 'criteria', 'queue', 'campaign', 'actions']),
    );
    expect(told.map((one) => one['state.json'].runStatus)).toEqual(
      expect.arrayContaining(['completed', 'exhausted', 'blocked', 'stopped', 'parked', 'running']),
    );
  });

  it('Neither a recorded journal nor its recorded views name the machine of the recording', () => {
    const machine =
      /\/tmp\/untildone|\/root\b|(?<![\w.~-])\/work\/|(?<!\bada) \(pid|"driver":"(?!host:1")[^"]*:\d+"/;
    for (const { name, bytes } of journals)
      for (const text of [
        bytes.toString(),
        ...(['folded', 'shown'] as const).map((told) => JSON.stringify(readViews(name, told))),
      ])
        expect([name, machine.exec(text)?.[0]]).toEqual([name, undefined]);
  });
});

interface Folded {
  readonly 'state.json': { readonly taskType: string; readonly runStatus: string };
}

/** A re-recording must not lose one of them. */
const wanted: readonly string[] = `
  acceptance-passed action-chosen action-taken attempt-failed blocker-tried condition-met criteria-changed
  criterion-passed criterion-proposed criterion-reopened drift-judged driver-left look-asked person-awaited
  plan-adopted plan-refused plan-wanted progress-reported question-asked report-received review-doubted
  reviewer-failed run-cleaned run-ended run-forked run-landed run-parked run-reopened step-lost suspended
  tampering-accepted tampering-righted tampering-seen task-failed task-landed task-retried task-skipped
  usage-limited workspace-restored`
  .trim()
  .split(/\s+/);
