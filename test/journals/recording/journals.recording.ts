// Lives each scenario with the packed program, and keeps its journal as a fixture. Started by hand; see
// CONTRIBUTING.md.
import { expect, test } from 'vitest';
import { keepJournal } from './keep-journal.ts';
import { presetScenarios } from './preset-scenarios.ts';
import { troubledScenarios } from './troubled-scenarios.ts';
import { waitingScenarios } from './waiting-scenarios.ts';

const scenarios = { ...presetScenarios, ...troubledScenarios, ...waitingScenarios };

test.each(Object.entries(scenarios))('The scenario %s leaves a journal', async (name, live) => {
  const place = await live();
  expect(keepJournal(place, name)).toBeGreaterThan(0);
});
