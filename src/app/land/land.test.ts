// Landing proven work on the user's branch: every way to do it, and every obstacle.
import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtEntry } from '#test/program.ts';
import { findProof } from '#app/prove/find-proof.ts';
import type { Landing, LandOrder } from './land.ts';
import { landProof } from './land.ts';
import { proposeProof } from './propose.ts';
import type { Bed, Life } from '#test/app/proof-bed.ts';
import { builds, keepBeds, liveThrough, passes } from '#test/app/proof-bed.ts';
import { listText } from '#views/status/list.ts';
import { statusText } from '#views/status/status.ts';
import { loadRun } from '#app/site.ts';
import { verifyProof } from '#app/prove/verify.ts';

const limit = 600_000;
const beds = keepBeds();
let life: Life;

beforeAll(async () => {
  const writes = builds({ write: { path: 'done.txt', text: 'right\n' } });
  life = await liveThrough({
    files: { 'rule.test.sh': 'grep -q right done.txt && ! grep -q poison *.txt\n' },
    turns: [writes, passes],
    // The second command moves the branch while the first one lands.
    flags: { check: ['sh rule.test.sh', '[ ! -f "$HOME/meanwhile" ] || sh "$HOME/meanwhile"'] },
  });
  beds.keep(life);
});
afterAll(() => beds.remove());

const fresh = (): Bed => beds.keep(life.copy());

async function land(bed: Bed, order: Partial<Omit<LandOrder, 'proof'>> = {}): Promise<Landing> {
  const site = await bed.site();
  const proof = await findProof(site, life.run.id);
  const wish: LandOrder = { proof, branch: 'main', mode: 'ff', isUnproven: false, ...order };
  return landProof(site, wish, { signal: AbortSignal.timeout(limit) });
}

async function isProven(bed: Bed, name: string): Promise<boolean | undefined> {
  const site = await bed.site();
  const found = await verifyProof(site, await findProof(site, name), { signal: AbortSignal.timeout(limit) });
  return found?.isProven;
}

/** Where everything of the user's stands. */
function standing(bed: Bed): unknown[] {
  return [
    bed.git('for-each-ref', 'refs/heads'),
    bed.git('status', '--porcelain'),
    bed.git('rev-parse', 'HEAD'),
  ];
}

describe('land [X13]', () => {
  it('Land moves an untouched branch forward with its files, and a second land changes nothing', async () => {
    const bed = fresh();
    expect(await land(bed)).toMatchObject({
      kind: 'landed',
      how: 'fast-forward',
      commit: life.run.tip?.commit,
    });
    expect(readFileSync(join(bed.root, 'done.txt'), 'utf8')).toBe('right\n');
    expect(bed.git('status', '--porcelain')).toBe('');
    expect(await land(bed)).toMatchObject({ kind: 'there already' });
    const { run } = await loadRun(await bed.site(), life.run.id);
    expect(run.landings).toMatchObject([
      { how: 'fast-forward', target: 'main', commit: life.run.tip?.commit, isProven: true },
    ]);
    expect(run.outcome).toEqual(life.run.outcome);
    expect(statusText(run, { holder: null })).toMatch(
      /landed on main as [0-9a-f]{10} \(fast-forward\), by \S/,
    );
    expect(listText([{ run, holder: null }])).toContain('completed, on main');
    expect(await isProven(bed, life.run.id)).toBe(true);
  });

  it('Land squashes once, however often the user asks, even after the branch moved forward', async () => {
    const bed = fresh();
    expect(await land(bed, { mode: 'squash' })).toMatchObject({ kind: 'landed', how: 'squashed' });
    const at = bed.git('rev-parse', 'main');
    expect(await land(bed, { mode: 'squash' })).toMatchObject({ kind: 'there already' });
    expect(bed.git('rev-parse', 'main')).toBe(at);
    bed.write('done.txt', 'right, and edited\n');
    const later = bed.commit('later');
    expect(await land(bed)).toMatchObject({ kind: 'there already' });
    expect(bed.git('rev-parse', 'main')).toBe(later);
  });

  it('A land that is killed at any moment ends normally when the user repeats it', async () => {
    for (const [when, command] of [
      ['after', 'commit-tree'],
      ['before', 'merge'],
      ['after', 'merge'],
    ] as const) {
      const bed = fresh();
      await landAndDie(bed, when, command);
      expect(['landed', 'there already']).toContain((await land(bed, { mode: 'merge' })).kind);
      expect(bed.git('log', '--first-parent', '--format=%s', 'main')).toBe(
        `Merge untildone/${life.run.id} into main\nbase`,
      );
      expect(bed.git('status', '--porcelain')).toBe('');
      expect(bed.git('notes', '--ref=untildone', 'show', 'main')).toContain(life.run.id);
      const { run } = await loadRun(await bed.site(), life.run.id);
      expect(run.landings).toMatchObject([{ target: 'main', isProven: true }]);
    }
  });

  it('Land proves the merged files when the branch has moved, and the merge can be verified by its commit', async () => {
    const bed = fresh();
    bed.write('other.txt', 'fine\n');
    const before = bed.commit('meanwhile');
    const landing = await land(bed);
    expect(landing).toMatchObject({ kind: 'landed', how: 'merged', verification: { isProven: true } });
    expect(bed.git('log', '-1', '--format=%P')).toBe(`${before} ${life.run.tip?.commit}`);
    expect(bed.git('log', '-1', '--format=%an %(trailers:key=Untildone-Run,valueonly)').trim()).toBe(
      `Ada ${life.run.id}`,
    );
    expect(existsSync(join(bed.root, 'other.txt')) && existsSync(join(bed.root, 'done.txt'))).toBe(true);
    expect(await isProven(bed, 'HEAD')).toBe(true);
    expect(bed.git('notes', '--ref=untildone', 'show', 'HEAD')).toContain(before);
  });

  it('Land with --squash makes one commit, also on a branch that is not checked out', async () => {
    const bed = fresh();
    bed.git('switch', '-q', '-c', 'mine');
    bed.write('README.md', 'edited, not committed\n');
    const before = standing(bed);
    const landing = await land(bed, { mode: 'squash' });
    expect(landing).toMatchObject({ kind: 'landed', how: 'squashed' });
    expect(bed.git('log', '--format=%s', 'main')).toMatch(/^feat: do it <b>well<\/b>\nbase$/);
    expect(bed.git('show', 'main:done.txt')).toBe('right');
    expect(standing(bed).slice(1)).toEqual(before.slice(1));
    expect(await isProven(bed, 'main')).toBe(true);
  });

  it('Land changes nothing when the merged files are not proven', async () => {
    const bed = fresh();
    bed.write('bad.txt', 'poison\n');
    bed.commit('meanwhile');
    const before = standing(bed);
    const landing = await land(bed);
    expect(landing).toMatchObject({ kind: 'not proven', verification: { isProven: false } });
    expect(standing(bed)).toEqual(before);
  });

  it('Land lets the target have its own newer tests, and proves the work against those', async () => {
    const bed = fresh();
    bed.write('rule.test.sh', 'grep -q right done.txt && test -f README.md\n');
    bed.commit('another test');
    expect(await land(bed)).toMatchObject({ kind: 'landed', how: 'merged' });
    const strict = fresh();
    strict.write('rule.test.sh', 'grep -q perfect done.txt\n');
    strict.commit('a stricter test');
    expect(await land(strict)).toMatchObject({ kind: 'not proven' });
  });

  it('Land changes nothing in a conflict, and names the files', async () => {
    const bed = fresh();
    bed.write('done.txt', 'theirs\n');
    bed.commit('meanwhile');
    const before = standing(bed);
    expect(await land(bed)).toEqual({ kind: 'conflict', paths: ['done.txt'] });
    expect(standing(bed)).toEqual(before);
  });

  it('Land changes nothing when the branch moves between the check and the end', async () => {
    const bed = fresh();
    bed.write('other.txt', 'fine\n');
    const at = bed.commit('meanwhile');
    bed.git('switch', '-q', '--detach');
    const later = bed.git('commit-tree', `${at}^{tree}`, '-p', at, '-m', 'later');
    writeFileSync(
      join(bed.folder, 'meanwhile'),
      `git -C '${bed.root}' update-ref refs/heads/main ${later}\n`,
    );
    await expect(land(bed)).rejects.toMatchObject({ code: 'target-moved' });
    expect(bed.git('rev-parse', 'main')).toBe(later);
    writeFileSync(join(bed.folder, 'meanwhile'), `git -C '${bed.root}' update-ref refs/heads/main ${at}~1\n`);
    await expect(land(bed)).rejects.toMatchObject({ code: 'target-moved' });
  });

  it('Land refuses a checkout with changes, one in the middle of a git operation, and files that are in the way', async () => {
    const bed = fresh();
    bed.write('README.md', 'edited\n');
    await expect(land(bed)).rejects.toMatchObject({ code: 'checkout-dirty' });
    expect(readFileSync(join(bed.root, 'README.md'), 'utf8')).toBe('edited\n');
    bed.git('checkout', '-q', '--', '.');
    bed.write('done.txt', 'mine, not in git\n');
    await expect(land(bed)).rejects.toMatchObject({ code: 'checkout-refused' });
    expect(readFileSync(join(bed.root, 'done.txt'), 'utf8')).toBe('mine, not in git\n');
    expect(bed.git('rev-parse', 'main')).toBe(life.run.base?.commit);
    writeFileSync(join(bed.root, '.git', 'MERGE_HEAD'), `${life.run.base?.commit ?? ''}\n`);
    await expect(land(bed)).rejects.toMatchObject({ code: 'checkout-busy' });
    await expect(land(bed, { branch: 'nowhere' })).rejects.toMatchObject({ code: 'no-branch' });
  });

  it('Land names the rebase that is in progress, also while it holds a cherry-pick in conflict', async () => {
    const bed = fresh();
    bed.git('switch', '-q', '-c', 'other');
    bed.write('README.md', 'theirs\n');
    bed.commit('theirs');
    bed.git('switch', '-q', 'main');
    bed.write('README.md', 'ours\n');
    bed.commit('ours');
    expect(() => bed.git('rebase', '--exec', 'false', 'HEAD~1')).toThrow('Command failed');
    expect(() => bed.git('cherry-pick', 'other')).toThrow('Command failed');
    expect(existsSync(join(bed.root, '.git', 'CHERRY_PICK_HEAD'))).toBe(true);
    const message: unknown = expect.stringContaining('a rebase is in progress');
    await expect(land(bed)).rejects.toMatchObject({ code: 'checkout-busy', message });
  });

  it('Land brings a linked checkout of the target up to date, and refuses a dirty one', async () => {
    const bed = fresh();
    bed.git('switch', '-q', '-c', 'mine');
    const linked = join(bed.folder, 'linked');
    bed.git('worktree', 'add', '-q', linked, 'main');
    writeFileSync(join(linked, 'README.md'), 'edited\n');
    await expect(land(bed)).rejects.toMatchObject({ code: 'checkout-dirty' });
    writeFileSync(join(linked, 'README.md'), 'A sample.\n');
    expect(await land(bed)).toMatchObject({ kind: 'landed' });
    expect(readFileSync(join(linked, 'done.txt'), 'utf8')).toBe('right\n');
  });

  it('Land signs its commits where commits are signed', async () => {
    const bed = fresh();
    const key = join(bed.folder, 'key');
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
    for (const [name, value] of [
      ['gpg.format', 'ssh'],
      ['user.signingKey', key],
      ['commit.gpgSign', 'true'],
    ])
      bed.git('config', name ?? '', value ?? '');
    expect(await land(bed, { mode: 'merge' })).toMatchObject({ kind: 'landed', how: 'merged' });
    expect(bed.git('cat-file', 'commit', 'main')).toContain('BEGIN SSH SIGNATURE');
    expect(bed.git('notes', '--ref=untildone', 'show', 'main')).toContain('BEGIN SSH SIGNATURE');
  });
});

/** Lands in a process of its own, which its own git kills around one of its commands. */
async function landAndDie(bed: Bed, when: 'before' | 'after', command: string): Promise<void> {
  const bin = join(bed.folder, 'bin');
  mkdirSync(bin, { recursive: true });
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const kill = 'kill -9 "$PPID"; exit 1';
  const act = when === 'before' ? kill : `'${real}' "$@"; ${kill}`;
  writeFileSync(
    join(bin, 'git'),
    `#!/bin/sh\nfor each in "$@"; do if [ "$each" = ${command} ]; then ${act}; fi; done\nexec '${real}' "$@"\n`,
  );
  chmodSync(join(bin, 'git'), 0o755);
  const main = builtEntry('cli');
  const env = { ...bed.env, PATH: `${bin}:${bed.env['PATH'] ?? ''}` };
  const args = [main, 'land', life.run.id, '--no-ff'];
  const died = await new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: bed.root, env }, (error) => resolve(error?.signal));
  });
  expect(died).toBe('SIGKILL');
}

describe('a pull request [X13]', () => {
  const wish = { branch: 'main', remote: null, isDraft: true };

  it('Land opens a pull request with gh for the pushed branch, with the report as its text', async () => {
    const bed = fresh();
    const remote = addRemote(bed);
    const site = await withGh(
      bed,
      'cat > "$HOME/body"; printf "%s\\n" "$@" > "$HOME/args"; echo https://github.invalid/o/r/pull/7',
    );
    const made = await proposeProof(site, await findProof(site, life.run.id), wish);
    expect(made).toEqual({ url: 'https://github.invalid/o/r/pull/7', remote: 'origin', isNew: true });
    expect(readFileSync(join(bed.folder, 'args'), 'utf8').split('\n')).toEqual(
      expect.arrayContaining([
        'pr',
        'create',
        '--base',
        'main',
        '--head',
        `untildone/${life.run.id}`,
        '--draft',
      ]),
    );
    expect(readFileSync(join(bed.folder, 'body'), 'utf8')).toMatch(/completed: do it &lt;b&gt;well/);
    const pushed = execFileSync('git', ['for-each-ref', '--format=%(refname)'], {
      cwd: remote,
      encoding: 'utf8',
    });
    expect(pushed.trim()).toBe(`refs/heads/untildone/${life.run.id}`);
  });

  it('Land finds an existing pull request, and every problem is one sentence with a hint', async () => {
    const bed = fresh();
    const proof = await findProof(await bed.site(), life.run.id);
    await expect(proposeProof(await bed.site(), proof, wish)).rejects.toMatchObject({ code: 'gh-missing' });
    const there = await withGh(
      bed,
      'echo "a pull request for branch \\"x\\" into branch \\"main\\" already exists:" >&2; echo https://github.invalid/o/r/pull/3 >&2; exit 1',
    );
    await expect(proposeProof(there, proof, wish)).rejects.toMatchObject({ code: 'no-remote' });
    addRemote(bed);
    expect(await proposeProof(there, proof, wish)).toMatchObject({
      isNew: false,
      url: 'https://github.invalid/o/r/pull/3',
    });
    const out = await withGh(
      bed,
      'echo "To get started with GitHub CLI, please run:  gh auth login" >&2; exit 4',
    );
    await expect(proposeProof(out, proof, wish)).rejects.toMatchObject({ code: 'pull-request-failed' });
  });
});

function addRemote(bed: Bed): string {
  const remote = join(bed.folder, 'remote.git');
  execFileSync('git', ['init', '-q', '--bare', remote]);
  bed.git('remote', 'add', 'origin', remote);
  return remote;
}

/** A `gh` that answers its version, and does this for anything else. */
async function withGh(bed: Bed, does: string) {
  const bin = join(bed.folder, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(
    join(bin, 'gh'),
    `#!/bin/sh\nif [ "$1" = --version ]; then echo "gh version 2.80.0"; exit 0; fi\n${does}\n`,
  );
  chmodSync(join(bin, 'gh'), 0o755);
  const { openSite } = await import('#app/site.ts');
  return openSite(bed.root, { ...bed.env, PATH: `${bin}:${bed.env['PATH'] ?? ''}` });
}
