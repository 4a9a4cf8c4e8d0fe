// One run of each preset to its end, in the most common way.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createChance } from '#testing/faults/chance.ts';
import { saysDone, seesFile, shellAgent, shellAgents, passes } from '../../e2e/agents.ts';
import { campaignPlace, liveCampaign, liveFollowUp } from '../../e2e/campaign-life.ts';
import { develop, init, loopFlags } from '../../e2e/loop-agents.ts';
import type { Place } from '../../e2e/place.ts';
import { makePlace } from '../../e2e/place.ts';
import { until } from '../../e2e/wait.ts';
import { does } from './scenario.ts';
import type { Scenario } from './scenario.ts';

export const presetScenarios: { readonly [name: string]: Scenario } = {
  // Wrong work first, then a report of the verifier, then both are content.
  'builder-verifier': async () => {
    const place = makePlace();
    const builder = `if [ $n = 1 ]; then echo wrong > done.txt; else echo "right $n" > done.txt; fi; ${saysDone}`;
    const verifier = `if [ $n = 1 ]; then echo "<verifier-report>the colour is wrong</verifier-report>"; else ${passes}; fi`;
    await does(place, ['run', 'do it', '--check', seesFile, ...shellAgents(place, { builder, verifier })], 0);
    return place;
  },
  // The third session breaks what the first one did, so a criterion is opened again.
  criteria: async () => {
    const place = makePlace({ files: { 'task.md': taskFile } });
    await does(place, [...criteriaRun, ...greeter(place, 'hello.txt')], 0);
    return place;
  },
  // Left out while the first builder is at work: the one it does, for which another one waits, and one that nobody began.
  'queue-with-skips': async () => {
    const place = queuePlace();
    const driver = place.start(['queue', 'tasks.md', ...queueAgents(place, `touch '${place.folder}/busy'`)]);
    await until('the first builder', () => existsSync(join(place.folder, 'busy')));
    await does(place, ['skip', '4', '--why', 'not now'], 0);
    await does(place, ['skip', '2', '--why', 'somebody else does it'], 0);
    place.write('go', '');
    expect(await driver.ended).toMatchObject({ code: 0 });
    return place;
  },
  // A person asks for less and for more between two criteria; what is there is parked in between.
  'criteria-changed': async () => {
    const config = JSON.stringify({ loops: { pauseBetweenScenarios: true } });
    const place = makePlace({ files: { 'task.md': taskFile, '.untildone/config.jsonc': config } });
    await does(place, [...criteriaRun, ...greeter(place)], 6);
    await does(place, ['criteria', 'skip', 'AC-2', '--why', 'moved to the next release'], 0);
    await does(place, ['criteria', 'add', 'it is kind', '--check', 'test -f hello.txt', '--optional'], 0);
    await does(place, ['resume'], 6);
    await does(place, ['resume'], 0);
    return place;
  },
  // A drift, an impossible task, two new plans, four approvals.
  campaign: async () => {
    const place = campaignPlace();
    await liveCampaign(place, createChance(1), 0);
    return place;
  },
  'campaign-blocked': async () => {
    const place = campaignPlace();
    await liveFollowUp(place, createChance(1), 0);
    return place;
  },
  actions: async () => {
    const place = makePlace();
    await does(
      place,
      ['run', 'write done.txt', '--check', seesFile, ...loopFlags(place, [init, develop])],
      0,
    );
    return place;
  },
};

const taskFile = `# TASK-015: Greetings

Write the greetings.

## Acceptance Criteria

- [ ] AC-1: hello.txt greets (check: grep -q hello hello.txt)
- [ ] AC-2: bye.txt says bye (check: grep -q bye bye.txt)
- [ ] AC-3: thanks.txt thanks (check: grep -q thanks thanks.txt)
- [ ] AC-4: welcome.txt welcomes (check: grep -q welcome welcome.txt)
`;

const criteriaRun = ['run', '--preset', 'criteria', '--task-file', 'task.md'];

/** Does what it is asked for; its third session takes a file away. */
function greeter(place: Place, lost = 'nothing'): string[] {
  const cases = ['hello', 'bye', 'thanks', 'welcome'].map(
    (word, index) => `*"Your part now: AC-${index + 1}"*) echo ${word} > ${word}.txt;;`,
  );
  const third = `[ "$UNTILDONE_ORDINAL" = 3 ] && rm -f ${lost}`;
  return shellAgent(
    place,
    `prompt=$(cat)\ncase "$prompt" in\n${cases.join('\n')}\nesac\n${third}\n${saysDone}\n`,
  );
}

function queuePlace(): Place {
  const task = (number: number, ...fields: string[]): string =>
    [
      `## Task ${number}: Write ${number}`,
      ...fields,
      `The file f${number}.txt says right.`,
      '**Acceptance Criteria**:',
      `- [ ] it is there (check: grep -q right f${number}.txt)`,
      '',
    ].join('\n');
  const tasks = [
    task(1, '**Priority**: low'),
    task(2, '**Priority**: high'),
    task(3, '**Depends on**: Task 2'),
    task(4),
  ];
  return makePlace({ files: { 'tasks.md': tasks.join('') } });
}

/** Knows its file from its own prompt; where there is something to do before, it also waits to be let go. */
function queueAgents(place: Place, before?: string): string[] {
  const builder = [
    ...(before === undefined ? [] : [before, `while [ ! -e '${place.folder}/go' ]; do sleep 0.05; done`]),
    'f=$(printf "%s\\n" "$prompt" | sed -n "s/^The file \\(f[0-9]*\\.txt\\) says right.*/\\1/p")',
    `echo right > "$f"; ${saysDone}`,
  ].join('\n');
  return shellAgents(place, { builder });
}
