// The campaign of ten tasks with the real Claude Code in every role: planned, approved, killed twice, and resumed.
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createChance } from '#testing/faults/chance.ts';
import { campaignPlace, liveCampaign, liveFollowUp, historyOf } from '../campaign-life.ts';
import { answerTo } from '../campaign-project.ts';
import { expectBlocked, expectStory } from '../campaign-story.ts';
import { eventsOf, sessionsOf } from '../journal.ts';
import { branchOf } from '../looking.ts';
import { claude, claudeEnv, claudeOptions } from './claude-place.ts';
import type { Asked, ModelReply } from './model.ts';
import { call, say, startModel } from './model.ts';

describe.skipIf(claude.isMissing)(`A campaign by the real Claude Code${claude.note}`, () => {
  it('A campaign drifts, opens its breaker, plans again, asks a person, completes, ends blocked, and is the same after a kill [C1] [C3] [C6] [C7] [C9] [D1] [D4]', async () => {
    const seed = Number(process.env['UNTILDONE_KILL_SEED'] ?? Date.now() % 1_000_000);
    process.stdout.write(`campaign: seed ${seed}\n`);
    const model = await startModel({ reply, requestsMax: 1000 });
    const agent = { driver: 'claude', ...claudeOptions('cli'), env: claudeEnv(model) };
    const place = campaignPlace({ agentAt: () => agent, isSandboxed: true });
    const undisturbed = campaignPlace({ agentAt: () => agent });
    const both = async (live: typeof liveCampaign, count: number): Promise<void> => {
      const lived = [live(place, createChance(seed), count), live(undisturbed, createChance(seed), 0)];
      await Promise.allSettled(lived);
      expect(await Promise.all(lived)).toEqual([count, 0]);
    };
    await both(liveCampaign, 2);
    const history = await historyOf(undisturbed, 1);
    expect(await historyOf(place, 1)).toEqual(history);
    expectStory(place, history);
    const ran = sessionsOf(eventsOf(place)).flatMap(({ result }) =>
      result?.ending.kind === 'finished' ? [result.ran?.driver] : [],
    );
    expect(new Set(ran)).toEqual(new Set(['claude']));
    const module = place.git('show', `${branchOf(place)}:src/fold.js`);
    expect(`${module}\n`).toBe(workOn('Fold Latin letters')['src/fold.js']);
    await both(liveFollowUp, 1);
    const later = await historyOf(undisturbed, 2);
    expect(await historyOf(place, 2)).toEqual(later);
    await expectBlocked(place, later);
  });
});

/** The same answers as those of the scripted agent, by tools and words of the model. */
function reply({ request, results }: Asked): ModelReply {
  const prompt = request.messages
    .map(({ content }) => textOf(content))
    .find((text) => /^You are the (architect|reflector|builder)/m.test(text));
  if (prompt === undefined) return say('Hello.');
  const role = /^You are the (\w+)/m.exec(prompt)?.[1] ?? '';
  const { files, says } = answerTo({ role, prompt });
  const [path, text] = Object.entries(files)[results] ?? [];
  if (path === undefined || text === undefined) return say(says);
  const encoded = Buffer.from(text).toString('base64');
  const command = `mkdir -p ${dirname(path)} && echo ${encoded} | base64 -d > ${path}`;
  return call('Bash', { command });
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return (content as { text?: unknown }[])
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .join('\n');
}

function workOn(title: string) {
  return answerTo({ role: 'builder', prompt: `## Task: ${title}` }).files;
}
