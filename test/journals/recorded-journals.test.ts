// A journal of every earlier format stays readable, with the same content as when it was written.
import { describe, expect, it } from 'vitest';
import { scanBytes } from '#adapters/store/journal/scan.ts';
import { apply, replay } from '#kernel/fold/apply.ts';
import { decide } from '#kernel/decide/decide.ts';
import { forkedEntries, forkPoints } from '#kernel/fold/fork.ts';
import { presets } from '#policies/presets/index.ts';
import { masterLogLine } from '#views/lines/master-log.ts';
import { planJson } from '#views/plan/plan.ts';
import { historyText } from '#views/lines/show.ts';
import { stateJson } from '#views/status/state-json.ts';
import { statusText } from '#views/status/status.ts';
import { summaryText } from '#views/report/summary.ts';
import { recordedJournals, summaryOf } from './recorded.ts';

const journals = recordedJournals();

describe('Journals of earlier formats [X5]', () => {
  it('The recorded journals cover every preset and the ways in which a run stops', () => {
    const runs = journals.map(({ bytes, name }) => replay(scanBytes(bytes, name).events));
    expect(new Set(runs.map(({ config }) => config.preset))).toEqual(
      new Set(['builder-verifier', 'criteria', 'queue', 'campaign', 'actions']),
    );
    expect(new Set(runs.map(({ outcome }) => outcome?.outcome ?? null))).toEqual(
      new Set(['completed', 'exhausted', 'blocked', null]),
    );
    expect(runs.some(({ running }) => running.size > 0)).toBe(true);
    expect(runs.some(({ paused }) => paused !== null)).toBe(true);
    expect(runs.some(({ cleaned }) => cleaned !== null)).toBe(true);
    expect(runs.some(({ reopenings }) => reopenings.length > 0)).toBe(true);
    expect(runs.some(({ tampering }) => tampering.length > 0)).toBe(true);
    expect(runs.some(({ forked }) => forked !== null)).toBe(true);
  });

  it.each(journals)('The journal $name is read and replays to what it was', ({ bytes, name, expected }) => {
    const { events, ends, problem } = scanBytes(bytes, name);
    expect(problem).toBeNull();
    expect(ends.at(-1)).toBe(events.length);
    expect(summaryOf(replay(events))).toEqual(expected);
  });

  it.each(journals)('Every view of the journal $name is rendered', ({ bytes, name }) => {
    const { events, ends } = scanBytes(bytes, name);
    const run = replay(events);
    expect(JSON.parse(JSON.stringify(stateJson(run, { holder: null })))).toMatchObject({ runId: run.id });
    expect(JSON.stringify(planJson(run))).toContain('"tasks"');
    expect(statusText(run, { holder: null })).toContain(run.id);
    expect(summaryText(run, { logsDir: '/logs', holder: null })).not.toContain('undefined');
    const history = historyText(events);
    expect(history.split('\n').length).toBeGreaterThanOrEqual(events.length);
    expect(history).not.toContain('undefined');
    for (const event of events) masterLogLine(run, event);
    expect(forkPoints(events, ends).length).toBeGreaterThan(0);
  });

  it.each(journals)(
    'The current driver can continue from every fork of the journal $name',
    ({ bytes, name }) => {
      const { events, ends } = scanBytes(bytes, name);
      const { id, config } = replay(events);
      for (const list of [
        Object.values(config.agents).map(({ env }) => env),
        [config.repo.protectedBranches],
      ])
        for (const one of list) expect(one).toEqual(expect.any(Array));
      expect([config.policy.setbacksMax, config.policy.limitWaitMsMax]).not.toContain(undefined);
      for (const event of forkPoints(events, ends)) {
        const from = { runId: id, event };
        const order = { from, runId: 'fork', branch: 'untildone/fork', at: 1, by: 'ada', budget: {} };
        const run = replay(forkedEntries(events, ends, order).flat());
        apply(run, { at: 1, type: 'driver-started', epoch: run.epoch + 1, driver: 'host:1' });
        const { policy } = presets[config.preset] ?? {};
        if (policy === undefined) throw new Error(`there is no preset ${config.preset}`);
        const { record, start, waitingFor, wakeAt } = decide(run, policy);
        expect([...record, ...start, waitingFor, wakeAt].some((one) => one !== null)).toBe(true);
      }
    },
  );

  it('No recorded journal names the machine that it was recorded on', () => {
    for (const { bytes, name } of journals) {
      const found = /\/tmp\/|\/root\b|\broot \(pid|"driver":"(?!host:1")[^"]*:\d+"/.exec(bytes.toString());
      expect([name, found?.[0]]).toEqual([name, undefined]);
    }
  });
});
