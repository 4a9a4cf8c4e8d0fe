import { describe, expect, it } from 'vitest';
import type { Site } from '#app/site.ts';
import type { Display } from '#surfaces/cli/render/lines.ts';
import {
  commandCriterion,
  playRun,
  reviewerCriterion,
  simulatedTask,
} from '#test/simulated/simulated-run.ts';
import type { PlayedRun } from '#test/simulated/simulated-run.ts';
import { watchProofAhead } from './watch-proof-ahead.ts';

function play(...ids: string[]): PlayedRun {
  const criteria = [commandCriterion('works'), reviewerCriterion];
  const tasks = ids.map((id, index) =>
    simulatedTask(id, { criteria, dependsOn: ids.slice(index - 1, Math.max(index, 0)) }),
  );
  const played = playRun({ tasks, config: { acceptReview: false } });
  played.prepare();
  return played;
}

/** What a driver that takes the run up now says of it, at each of these moments. */
function saidBy(played: PlayedRun, ...moments: (() => void)[]): string[] {
  const said: string[] = [];
  const display: Display = { print: (text) => said.push(text), close: () => {} };
  const ahead = watchProofAhead({ site: {} as Site, runId: 'run', display, isJson: false, mayAsk: false });
  ahead.onEvents?.(played.run, [{ at: 0, type: 'driver-started', epoch: 2, driver: 'host:1' }]);
  for (const moment of moments) {
    moment();
    ahead.onEvents?.(played.run, []);
  }
  return said.map((text) => /! proof: +(.*)check fails/.exec(text)?.[1] ?? text);
}

describe('warnings about proof before the first session', () => {
  it('A warning that no check can prove the work is given once, and not again by the driver that resumes the run', () => {
    const played = play('main');
    const base = played.beginOne();
    expect(saidBy(played, () => played.endCheck(base, { works: 'pass' }))).toEqual(['No ']);
    expect(saidBy(played, () => {})).toEqual([]);
  });

  it('A driver that takes over after a session was started gives no warning', () => {
    const played = play('main');
    played.endCheck(played.beginOne(), { works: 'pass' });
    const session = played.beginOne();
    expect(saidBy(played, () => played.endSession(session, { endTree: 'work' }))).toEqual([]);
  });

  it('A later task whose checks prove nothing is named before its own first session', () => {
    const played = play('T1', 'T2');
    played.endCheck(played.beginOne(), { works: 'fail' });
    played.endSession(played.beginOne(), { endTree: 'work' });
    played.endCheck(played.beginOne(), { works: 'pass' });
    played.endSession(played.beginOne(), {});
    played.endCommit(played.beginOne(), 'c1');
    const base = played.beginOne();
    expect(saidBy(played, () => played.endCheck(base, { works: 'pass' }))).toEqual(['Task T2: no ']);
    played.beginOne();
    expect(saidBy(played, () => {})).toEqual([]);
  });
});
