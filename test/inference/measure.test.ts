import { expect, test } from 'vitest';
import { count, readSet } from './measure.ts';

test.each([
  ['open.jsonl', 'written together with the rules'],
  ['held-out.jsonl', 'written by somebody who had not seen them'],
  ['held-out-2.jsonl', 'written by somebody else who had not seen them'],
])('Of the sentences of %s (%s), fewer than one in fifty are misunderstood [K6]', (file) => {
  const counts = count(readSet(file));
  // Printed, because how often it asks matters too, and no bound says what is good.
  process.stdout.write(
    `${file}: ${counts.total} sentences, right ${counts.rightChecks + counts.rightAsks} ` +
      `(${counts.rightChecks} checks, ${counts.rightAsks} rightly asked), asked in vain ${counts.asked}, wrong ${counts.wrong}\n`,
  );
  expect(counts.total).toBeGreaterThanOrEqual(75);
  expect(counts.wrong / counts.total).toBeLessThan(0.02);
});
