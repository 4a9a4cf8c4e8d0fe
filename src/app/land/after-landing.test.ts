// A run that adds a file which an editor executes: every text before and during the landing names the file.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { reportInput } from '#test/simulated/report-input.ts';
import { markdownReport } from '#views/report/markdown-report.ts';
import { stateJson } from '#views/status/state-json.ts';
import { summaryText } from '#views/report/summary.ts';
import { findProof } from '#app/prove/find-proof.ts';
import { landProof } from './land.ts';
import { builds, keepBeds, type Life, liveThrough, passes } from '#test/app/proof-bed.ts';

const line = 'Runs on your machine after landing: .vscode/tasks.json (added)';
const beds = keepBeds();
let life: Life;

beforeAll(async () => {
  const writes = builds(
    { write: { path: 'done.txt', text: 'right\n' } },
    { write: { path: '.vscode/tasks.json', text: '{}\n' } },
  );
  life = beds.keep(
    await liveThrough({
      files: { 'rule.test.sh': 'grep -q right done.txt\n', '.vscode/settings.json': '{}\n' },
      turns: [writes, passes],
      flags: { check: ['sh rule.test.sh'] },
    }),
  );
});
afterAll(() => beds.remove());

it('The summary, the report and the state of a run name the files that run on the machine after landing [X13]', () => {
  const { run } = life;
  expect(run.outcome?.outcome).toBe('completed');
  expect(summaryText(run, { logsDir: 'logs' }).split('\n')).toContain(line);
  const report = markdownReport(reportInput(run));
  expect(report).toContain(`- ${line}.`);
  expect(stateJson(run).runsAfterLanding).toMatchObject([{ path: '.vscode/tasks.json', change: 'added' }]);
});

it('Land names the files that run on the machine by themselves, even where the work is not proven [X13]', async () => {
  const bed = beds.keep(life.copy());
  const site = await bed.site();
  const proof = await findProof(site, life.run.id);
  const order = { proof, branch: 'main', mode: 'ff', isUnproven: true } as const;
  const landing = await landProof(site, order, { signal: AbortSignal.timeout(600_000) });
  expect(landing).toMatchObject({
    kind: 'landed',
    runsAfterLanding: [{ path: '.vscode/tasks.json', change: 'added' }],
  });
});
