// A whole campaign by the packed program: ten tasks, three plans, one drift, one breaker, four approvals; then three more tasks that
// end blocked; and kills at chance. UNTILDONE_KILL_SEED repeats a choice of moments, UNTILDONE_CAMPAIGN_LIVES lives more of them.
import { describe, expect, it } from 'vitest';
import { createChance } from '#testing/faults/chance.ts';
import { howMany } from '../support/how-many.ts';
import { campaignPlace, liveCampaign, liveFollowUp, historyOf } from './campaign-life.ts';
import { expectBlocked, expectStory } from './campaign-story.ts';

const lives = Number(process.env['UNTILDONE_CAMPAIGN_LIVES'] ?? 1);
const kills = { campaign: howMany({ usual: 3, long: 8 }), followUp: howMany({ usual: 1, long: 2 }) };

const seed = Number(process.env['UNTILDONE_KILL_SEED'] ?? Date.now() % 1_000_000);

describe('A campaign of ten tasks, and the next one', { timeout: 1_800_000 }, () => {
  // With the machine's own rights, where its agents lie in every view; the others in the sandbox.
  const undisturbed = campaignPlace();
  const disturbed = Array.from({ length: lives }, () => campaignPlace({ isSandboxed: true }));

  /** The same with and without kills; what it came to. */
  const liveAll = async (live: typeof liveCampaign, count: number, runs: number) => {
    process.stdout.write(`campaign: seed ${seed}\n`);
    const lived = [
      live(undisturbed, createChance(seed), 0),
      ...disturbed.map((place, n) => live(place, createChance(seed + n), count)),
    ];
    await Promise.allSettled(lived);
    const struck = await Promise.all(lived);
    process.stdout.write(`campaign: killed ${struck.slice(1).join(' and ')} times\n`);
    expect(struck.slice(1).every((one) => one > 0)).toBe(true);
    const killed = await Promise.all(disturbed.map((place) => historyOf(place, runs)));
    return { wanted: await historyOf(undisturbed, runs), killed };
  };

  it('A campaign plans, drifts, opens its breaker, plans again, asks a person and completes, the same under kill -9 [C1] [C4] [C5] [C6] [C7] [C9] [D1] [D4]', async () => {
    const { wanted, killed } = await liveAll(liveCampaign, kills.campaign, 1);
    expect(killed).toEqual(disturbed.map(() => wanted));
    expectStory(undisturbed, wanted);
  });

  // In the repositories of the test before, where one campaign is over already.
  it('A second campaign in the same repository ends blocked, the same under kill -9 [C3] [D1] [D4] [D5]', async () => {
    const { wanted, killed } = await liveAll(liveFollowUp, kills.followUp, 2);
    expect(killed).toEqual(disturbed.map(() => wanted));
    await expectBlocked(undisturbed, wanted);
  });
});
