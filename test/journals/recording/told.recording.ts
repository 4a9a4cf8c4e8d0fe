// Records the views of the present program for the recorded journals. Started by hand, after an intended change of a view.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fixturesFolder, guardedJournals, writeViews } from '../fixtures.ts';
import { foldJournal } from '../fold-journal.ts';
import { showJournals } from '../show-journals.ts';

test('The current views of each recorded journal are written', async () => {
  const journals = guardedJournals();
  for (const journal of journals) {
    mkdirSync(join(fixturesFolder, journal.name), { recursive: true });
    writeViews(journal.name, 'folded', foldJournal(journal));
  }
  // After that, because it is kept as far as it differs.
  const shown = await showJournals(journals);
  expect(shown.size).toBe(journals.length);
  for (const [name, told] of shown) writeViews(name, 'shown', told);
});
