// Guards against unintended changes: the commands print the same about each recorded journal.
import { beforeAll, describe, expect, it } from 'vitest';
import { guardedJournals, readViews } from './fixtures.ts';
import { showJournals } from './show-journals.ts';

const journals = guardedJournals();
let shown: ReadonlyMap<string, unknown> = new Map();

// Together, because each command is a process of its own.
beforeAll(async () => {
  shown = await showJournals(journals);
});

describe('Journals shown by the built program', () => {
  it.each(journals)(
    'The commands status, show, plan and criteria print for the journal $name the text of its recording [X5]',
    ({ name }) => {
      expect(shown.get(name)).toEqual(readViews(name, 'shown'));
    },
  );
});
