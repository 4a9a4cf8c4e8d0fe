// A whole campaign by the packed program: ten tasks, three plans, one drift, one breaker, four approvals, and kills at chance.
// UNTILDONE_KILL_SEED repeats a choice of moments, UNTILDONE_CAMPAIGN_LIVES lives more of them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createChance } from '#testing/faults/chance.ts';
import { shellAgent } from './agents.ts';
import { campaignPlace, historyOf, liveCampaign, nothing, wrongsOf } from './campaign-life.ts';
import { expectStory } from './campaign-story.ts';
import { branchOf, viewsOf } from './looking.ts';
import { makePlace } from './place.ts';

const lives = Number(process.env['UNTILDONE_CAMPAIGN_LIVES'] ?? 1);
const killsPerLife = 8;

describe('a campaign of ten tasks', () => {
  it(
    'plans, drifts, opens its breaker, plans anew, asks a person, completes, and is the same under kill -9 [C1] [C3] [C4] [C5] [C6] [C7] [C9] [D1] [D4]',
    { timeout: 600_000 },
    async () => {
      const seed = Number(process.env['UNTILDONE_KILL_SEED'] ?? Date.now() % 1_000_000);
      process.stdout.write(`campaign: seed ${seed}\n`);
      const undisturbed = campaignPlace();
      const disturbed = Array.from({ length: lives }, () => campaignPlace());
      const lived = [
        liveCampaign(undisturbed, createChance(seed), 0),
        ...disturbed.map((place, n) => liveCampaign(place, createChance(seed + n), killsPerLife)),
      ];
      await Promise.allSettled(lived);
      const kills = await Promise.all(lived);
      const wanted = await historyOf(undisturbed);
      expectStory(undisturbed, wanted);
      expect(await wrongsOf(undisturbed)).toEqual(nothing);
      for (const place of disturbed) {
        expect(await wrongsOf(place)).toEqual(nothing);
        const { end, ...history } = await historyOf(place);
        expect({ ...history, end: wanted.end }).toEqual(wanted);
        expect(end).toMatchObject({ type: 'run-ended', outcome: 'completed' });
      }
      process.stdout.write(`campaign: killed ${kills.slice(1).join(' and ')} times\n`);
      expect(kills.slice(1).every((count) => count > 0)).toBe(true);
    },
  );

  it('ends blocked and names what blocks what, whatever a builder writes into the views [C3] [D5]', async () => {
    const place = makePlace();
    const task = (id: string, dependsOn: string[]): object => ({
      id,
      title: `Write ${id}`,
      dependsOn,
      exitCriteria: [{ text: `${id} is there`, check: `grep -q right ${id}.txt` }],
    });
    const tasks = [task('A', []), task('B', ['A']), task('C', [])];
    const plan = place.write('plan.json', JSON.stringify({ goal: 'A, B and C', tasks }));
    place.write('config/untildone/config.jsonc', JSON.stringify({ campaign: { replans: 0 } }));
    // It can only do C, and says in every file that it finds that all is done.
    const agent = shellAgent(
      place,
      `id=$(sed -n 's/^## Task: Write //p'); [ "$id" = C ] && echo right > C.txt || date +%N > "$id.txt"
for file in '${place.repo}'/.untildone/runs/*/*.*; do echo '{"tasks":[],"status":"completed"}' > "$file"; done
echo; echo '===TASK_COMPLETE==='`,
    );
    const run = ['run', '--plan', plan, '--yes', '--budget', 'attempts=2', ...agent];
    const { code, stdout } = await place.untildone(run);
    expect(code).toBe(4);
    expect(stdout).toMatch(/Blocked: B waits for A; A failed: all 2 attempts were used/);
    expect(place.git('log', '--format=%s', `main..${branchOf(place)}`)).toBe('feat(C): Write C');
    const views = viewsOf(place);
    const { tasks: shown } = JSON.parse(readFileSync(join(views, 'plan.json'), 'utf8')) as {
      tasks: { id: string; status: string }[];
    };
    expect(shown.map(({ id, status }) => `${id} ${status}`)).toEqual(['A failed', 'B waiting', 'C landed']);
    expect(JSON.parse(readFileSync(join(views, 'state.json'), 'utf8'))).toMatchObject({
      outcome: { outcome: 'blocked' },
    });
  });
});
