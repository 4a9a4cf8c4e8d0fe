// Commit messages from a template: of proven and landed commits, and templates that are refused before the run
// starts.
import { afterAll, expect, it } from 'vitest';
import { resolveRun } from '#config/resolve/resolve-run.ts';
import { findProof } from '#app/prove/find-proof.ts';
import { landProof } from './land.ts';
import { builds, keepBeds, liveThrough, passes } from '#test/app/proof-bed.ts';
import { verifyProof } from '#app/prove/verify.ts';

const beds = keepBeds();
afterAll(() => beds.remove());

const signal = AbortSignal.timeout(600_000);
const check = ['grep -q right done.txt'];
const writes = builds({ write: { path: 'done.txt', text: 'right\n' } });
const settings = (message: string): { readonly [path: string]: string } => ({
  '.untildone/config.jsonc': JSON.stringify({ commit: { message } }),
});

it('A run names its commits by the template, finds them again, and squashes by it too', async () => {
  const template = '[{id}] {title} ({type}{scope})\n\nSigned in red ink.';
  const life = beds.keep(
    await liveThrough({ files: settings(template), turns: [writes, passes], flags: { check } }),
  );
  expect(life.run.outcome?.outcome).toBe('completed');
  const message = life.git('log', '-1', '--format=%B', `untildone/${life.run.id}`);
  expect(message).toMatch(
    /^\[main\] do it <b>well<\/b> \(feat\)\n\nSigned in red ink\.\n\nUntildone-Run: \S+\nUntildone-Task: main\nUntildone-Step: \S+$/,
  );
  const site = await life.site();
  const proof = await findProof(site, `untildone/${life.run.id}`);
  expect((await verifyProof(site, proof, { signal }))?.isProven).toBe(true);
  const order = { proof, branch: 'main', mode: 'squash', isUnproven: false } as const;
  expect(await landProof(site, order, { signal })).toMatchObject({ kind: 'landed' });
  expect(life.git('log', '-1', '--format=%s', 'main')).toBe('[main] do it <b>well</b> (feat)');
});

it('A template with an unknown placeholder, without a title, or with lines of ours is refused before a run is made', async () => {
  const life = beds.keep(await liveThrough({ turns: [writes, passes], flags: { check } }));
  expect(life.git('log', '-1', '--format=%s', `untildone/${life.run.id}`)).toBe('feat: do it <b>well</b>');
  expect(life.run.config).not.toHaveProperty('commit');
  for (const [message, problem] of [
    [
      '{type}: {titel}',
      /"commit\.message": has the unknown placeholder \{titel\}; use \{type\}, \{scope\}, \{title\}, \{id\}/,
    ],
    ['work was done', /must have \{title\} or \{id\} in its first line/],
    ['\n{title}', /must have \{title\} or \{id\} in its first line/],
    ['{title}\n\nUntildone-Run: another', /begin with "Untildone-"/],
  ] as const) {
    for (const [path, text] of Object.entries(settings(message))) life.write(path, text);
    const flags = { check, agent: ['scripted:x.json'] };
    await expect(resolveRun(await life.site(), { goal: 'x', flags, sanityCheck: false })).rejects.toThrow(
      problem,
    );
  }
});
