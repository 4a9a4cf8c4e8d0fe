// A whole campaign by the packed program: ten tasks, three plans, one drift, one breaker, four approvals; then three more tasks that
// end blocked; and kills at chance. UNTILDONE_KILL_SEED repeats a choice of moments, UNTILDONE_CAMPAIGN_LIVES lives more of them.
import { describe, expect, it } from 'vitest';
import { createChance } from '#testing/faults/chance.ts';
import { howMany } from '../support/how-many.ts';
import { campaignPlace, liveCampaign, liveFollowUp, lookBack } from './campaign-life.ts';
import { expectBlocked, expectStory } from './campaign-story.ts';

const lives = Number(process.env['UNTILDONE_CAMPAIGN_LIVES'] ?? 1);
const kills = { campaign: howMany({ usual: 3, long: 8 }), followUp: howMany({ usual: 1, long: 2 }) };

describe('a campaign of ten tasks and what follows', () => {
  it(
    'plans, drifts, opens its breaker, plans anew, asks a person, completes, ends blocked, and is the same under kill -9 [C1] [C3] [C4] [C5] [C6] [C7] [C9] [D1] [D4] [D5]',
    { timeout: 1_800_000 },
    async () => {
      const seed = Number(process.env['UNTILDONE_KILL_SEED'] ?? Date.now() % 1_000_000);
      process.stdout.write(`campaign: seed ${seed}\n`);
      // With the machine's own rights, where its agents lie in every view; the others in the sandbox.
      const undisturbed = campaignPlace();
      const disturbed = Array.from({ length: lives }, () => campaignPlace({ isSandboxed: true }));
      const all = async (live: typeof liveCampaign, count: number, runs: number) => {
        const lived = [
          live(undisturbed, createChance(seed), 0),
          ...disturbed.map((place, n) => live(place, createChance(seed + n), count)),
        ];
        await Promise.allSettled(lived);
        const struck = await Promise.all(lived);
        process.stdout.write(`campaign: killed ${struck.slice(1).join(' and ')} times\n`);
        expect(struck.slice(1).every((one) => one > 0)).toBe(true);
        const wanted = await lookBack(undisturbed, runs);
        for (const place of disturbed) expect(await lookBack(place, runs)).toEqual(wanted);
        return wanted;
      };
      expectStory(undisturbed, await all(liveCampaign, kills.campaign, 1));
      await expectBlocked(undisturbed, await all(liveFollowUp, kills.followUp, 2));
    },
  );
});
