// Finished runs are verified: by their id, by their commit, without their journal, and after a change to their files.
import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Verification } from '#views/report/verification.ts';
import { verificationText } from '#views/report/verification-text.ts';
import { findProof } from './find-proof.ts';
import { exportProof, keepAttestation } from './keep-proof.ts';
import type { Bed, Life } from '#test/app/proof-bed.ts';
import { builds, keepBeds, liveThrough, passes } from '#test/app/proof-bed.ts';
import { openStore, pathsOf } from '#app/site.ts';
import { verifyProof } from './verify.ts';

const limit = 600_000;
let life: Life;
const beds = keepBeds();

beforeAll(async () => {
  const writes = builds({ write: { path: 'done.txt', text: 'right\n' } });
  life = await liveThrough({
    files: { 'check.sh': 'grep -q right done.txt && test ! -e "$HOME/broken"\n' },
    turns: [writes, passes],
    flags: { check: ['sh check.sh', 'test -f README.md'] },
  });
  beds.keep(life);
});
afterAll(() => beds.remove());

const fresh = (): Bed => beds.keep(life.copy());

async function verify(bed: Bed, name = life.run.id): Promise<Verification> {
  const site = await bed.site();
  const found = await verifyProof(site, await findProof(site, name), { signal: AbortSignal.timeout(limit) });
  if (found === null) throw new Error('cancelled');
  return found;
}

/** The digest of one variable, as the journal keeps it. */
function digestOf({ run }: Life): string {
  const [seen] = run.tasks.get('main')?.evidence.values() ?? [];
  const digest = seen?.acceptance?.environment?.['PATH'];
  if (digest === undefined) throw new Error('the run recorded no environment');
  return digest;
}

describe('verify [X4]', () => {
  it('Verify checks a finished run again on a clean checkout, and leaves the run and the repository unchanged', async () => {
    const bed = fresh();
    const before = [bed.git('for-each-ref'), bed.git('status', '--porcelain')];
    const events = (await openStore(await bed.site()).read(life.run.id)).events.length;
    const found = await verify(bed);
    expect(found).toMatchObject({ isProven: true, problems: [], source: 'journal', relation: 'same' });
    expect(found.criteria.map(({ now, change }) => [now, change])).toEqual([
      ['pass', 'same'],
      ['pass', 'same'],
      [null, 'not repeated'],
    ]);
    expect(verificationText(found)).toContain('✅ Proven again');
    expect([bed.git('for-each-ref'), bed.git('status', '--porcelain')]).toEqual(before);
    expect((await openStore(await bed.site()).read(life.run.id)).events).toHaveLength(events);
    expect(bed.git('worktree', 'list').split('\n')).toHaveLength(1);
  });

  it('Verify reports a check that passed and fails now, and that both happened under the same conditions', async () => {
    const bed = fresh();
    writeFileSync(join(bed.folder, 'broken'), '');
    const moved = await verify(bed);
    expect(moved).toMatchObject({ isProven: false, environmentDiffers: true });
    expect(moved.criteria[0]).toMatchObject({ recorded: 'pass', now: 'fail', change: 'worse' });
    expect(verificationText(moved)).toContain('was pass, now fail');
    writeFileSync(join(life.folder, 'broken'), '');
    const same = await verify(life).finally(() => rmSync(join(life.folder, 'broken')));
    expect(same).toMatchObject({ isProven: false, environmentDiffers: false });
    expect(same.criteria[0]).toMatchObject({ change: 'flaky', now: 'unknown' });
  });

  it('Verify names the variables that differ from those of the run, and shows no value of them', async () => {
    const bed = fresh();
    const site = await bed.site();
    const env = { ...site.env, TZ: 'Mars/Olympus', LC_NEW: 'secret-locale' };
    const proof = await findProof(site, life.run.id);
    const found = await verifyProof({ ...site, env }, proof, { signal: AbortSignal.timeout(limit) });
    if (found === null) throw new Error('cancelled');
    expect(found.isProven).toBe(true);
    // Those of the folder in which the copy lies.
    const names = ['HOME', 'LC_NEW', 'TZ', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME'];
    expect(found.environmentDifferences).toEqual(names);
    const text = verificationText(found);
    expect(text).toContain(`\nEnvironment: ${names.join(', ')} differ from the acceptance of the run\n`);
    const journal = JSON.stringify((await openStore(site).read(life.run.id)).events);
    expect(text + journal).not.toMatch(/Mars|secret-locale/);
    expect((await exportProof(site, proof, false)).line).not.toContain(digestOf(life));
  });

  it('Verify does not mention the environment of a run that did not record its variables', async () => {
    const bed = fresh();
    const site = await bed.site();
    const proof = await findProof(site, life.run.id);
    for (const task of proof.run.tasks.values())
      for (const seen of task.evidence.values()) {
        const { environment: _, ...older } = seen.acceptance ?? {};
        if (seen.acceptance !== undefined) seen.acceptance = older as typeof seen.acceptance;
      }
    const found = await verifyProof(site, proof, { signal: AbortSignal.timeout(limit) });
    expect(found).toMatchObject({ environmentDiffers: true, environmentDifferences: [] });
    expect(found === null ? '' : verificationText(found)).not.toContain('Environment:');
  });

  it('Verify proves nothing of an amended commit that keeps the trailers', async () => {
    const bed = fresh();
    bed.git('checkout', '-q', '--detach', life.run.tip?.commit ?? '');
    bed.write('backdoor.sh', 'true\n');
    bed.git('add', '.');
    bed.git('commit', '-q', '--amend', '--no-edit');
    const found = await verify(bed, 'HEAD');
    expect(found).toMatchObject({ isProven: false, relation: 'other' });
    expect(found.problems[0]).toMatch(/not the proven commit/);
    bed.git('branch', '-f', `untildone/${life.run.id}`, 'HEAD');
    expect((await verify(bed)).remarks.join()).toMatch(/has moved to/);
  });

  it('Verify accepts a commit with another message but the same files', async () => {
    const bed = fresh();
    bed.git('checkout', '-q', '--detach', life.run.tip?.commit ?? '');
    bed.git('commit', '-q', '--amend', '-m', `other words\n\nUntildone-Run: ${life.run.id}`);
    expect(await verify(bed, 'HEAD')).toMatchObject({ isProven: true, relation: 'same' });
  });

  it('Verify heals an edited or torn journal first, so that it is not misled', async () => {
    const bed = fresh();
    const { journal } = pathsOf(await bed.site()).run(life.run.id);
    const text = readFileSync(journal, 'utf8');
    writeFileSync(journal, text.replaceAll('sh check.sh', 'true'));
    expect((await verify(bed)).criteria[0]).toMatchObject({ by: 'sh check.sh', now: 'pass' });
    writeFileSync(journal, text);
    appendFileSync(journal, '{"torn');
    expect((await verify(bed)).isProven).toBe(true);
  });

  it('Verify refuses an argument that is no run and no commit of one, and says what to do [X6]', async () => {
    const bed = fresh();
    await expect(verify(bed, 'nothing')).rejects.toMatchObject({ code: 'no-proof' });
    await expect(verify(bed, 'main')).rejects.toMatchObject({ code: 'no-proof' });
    await expect(verify(bed, '--output=x')).rejects.toMatchObject({ code: 'no-proof' });
  });
});

describe('The statement beside the commit [X4]', () => {
  it('The statement is written at the end of a run, and is enough when the journal is gone', async () => {
    const bed = fresh();
    rmSync(join(bed.folder, 'state'), { recursive: true });
    const { run } = await findProof(await bed.site(), life.run.tip?.commit ?? '');
    expect(run.config.setup).toEqual(life.run.config.setup);
    expect(run.config.setup).toMatchObject({ isDetected: true });
    const found = await verify(bed, life.run.tip?.commit);
    expect(found).toMatchObject({ isProven: true, source: 'note', signature: { kind: 'none' } });
    expect(verificationText(found)).toMatch(/could have written this statement/);
  });

  it('The statement is an in-toto test result about this commit and its tree, without outputs', async () => {
    const site = await life.site();
    const { line } = await exportProof(site, await findProof(site, life.run.id), false);
    const statement: unknown = JSON.parse(line);
    expect(statement).toMatchObject({
      _type: 'https://in-toto.io/Statement/v1',
      predicateType: 'https://in-toto.io/attestation/test-result/v0.1',
      subject: [{ digest: { gitCommit: life.run.tip?.commit } }, { digest: { gitTree: life.run.tip?.tree } }],
      predicate: {
        result: 'PASSED',
        passedTests: ['main/sh-check-sh', 'main/test-f-readme-md', 'main/verifier'],
        failedTests: [],
        configuration: [{ digest: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string } }, {}],
        untildone: { tampering: [], cost: { sessions: 2 } },
      },
    });
    expect(line).not.toContain('"tail"');
  });

  it('A statement proves nothing when it is forged, moved to another commit, or names a changed pinned file', async () => {
    const bed = fresh();
    const note = bed.git('notes', '--ref=untildone', 'show', life.run.tip?.commit ?? '');
    const put = (commit: string, text: string): string =>
      execFileSync('git', ['notes', '--ref=untildone', 'add', '-f', '-F', '-', commit], {
        cwd: bed.root,
        env: bed.env,
        input: text,
        encoding: 'utf8',
        stdio: 'pipe',
      });
    rmSync(join(bed.folder, 'state'), { recursive: true });
    bed.git('checkout', '-q', '--detach', life.run.tip?.commit ?? '');
    bed.write('check.sh', 'true\n');
    const cheat = bed.commit(`cheat\n\nUntildone-Run: ${life.run.id}`);
    put(cheat, note);
    await expect(verify(bed, cheat)).rejects.toMatchObject({ code: 'no-proof' });
    const tree = bed.git('rev-parse', `${cheat}^{tree}`);
    put(cheat, note.replaceAll(life.run.tip?.commit ?? '', cheat).replaceAll(life.run.tip?.tree ?? '', tree));
    const found = await verify(bed, cheat);
    expect(found.isProven).toBe(false);
    expect(found.problems.join()).toMatch(/check\.sh was changed .*it is pinned/);
    put(cheat, note.slice(0, 200));
    await expect(verify(bed, cheat)).rejects.toMatchObject({ code: 'no-proof' });
  });

  it('An unsigned statement alone proves nothing, and verify lists the exceptions that it claims', async () => {
    const bed = fresh();
    rmSync(join(bed.folder, 'state'), { recursive: true });
    const { commit = '', tree = '' } = life.run.tip ?? {};
    const note = bed.git('notes', '--ref=untildone', 'show', commit);
    bed.git('checkout', '-q', '--detach', commit);
    const forged = async (files: { [path: string]: string }, change: (text: string) => string) => {
      for (const [path, text] of Object.entries(files)) bed.write(path, text);
      const cheat = bed.commit(`cheat\n\nUntildone-Run: ${life.run.id}`);
      const about = note.replaceAll(commit, cheat).replaceAll(tree, bed.git('rev-parse', 'HEAD^{tree}'));
      bed.git('notes', '--ref=untildone', 'add', '-f', '-m', change(about), cheat);
      return verify(bed, cheat);
    };
    const red = await forged({ 'done.txt': 'wrong\n' }, (text) =>
      text.replace('"knownRed":[]', '"knownRed":"all"'),
    );
    expect(red.isProven).toBe(false);
    expect(red.problems.join()).toMatch(
      /sh-check-sh: passed and fails now, and no signed statement allows that/,
    );
    const allowed = await forged({ 'check.sh': 'true\n' }, (text) =>
      text.replace('"mayChange":[],"flaky"', '"mayChange":["**"],"flaky"'),
    );
    expect(verificationText(allowed)).toContain(
      'check.sh is pinned and was changed: allowed, according to an unsigned statement',
    );
  });

  it('Git signs the statement with the key of the user, and a signature covers one statement and one commit', async () => {
    const bed = fresh();
    signWithSsh(bed);
    const site = await bed.site();
    const proof = await findProof(site, life.run.id);
    const made = await exportProof(site, proof, true);
    await keepAttestation(site, proof.subject.commit, made);
    const signed = await verify(bed);
    expect(signed.signature).toMatchObject({ kind: 'good', signer: 'ada@example.invalid' });
    const changed = { ...made, line: made.line.replace('"PASSED"', '"WARNED"') };
    await keepAttestation(site, proof.subject.commit, changed);
    expect((await verify(bed)).signature).toEqual({ kind: 'bad', why: 'it signs another statement' });
    writeFileSync(join(bed.folder, 'signers'), '');
    await keepAttestation(site, proof.subject.commit, made);
    expect((await verify(bed)).signature).toMatchObject({ kind: 'bad' });
  });
});

function signWithSsh(bed: Bed): void {
  const key = join(bed.folder, 'key');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'ada', '-f', key]);
  writeFileSync(join(bed.folder, 'signers'), `ada@example.invalid ${readFileSync(`${key}.pub`, 'utf8')}`);
  bed.git('config', 'gpg.format', 'ssh');
  bed.git('config', 'user.signingKey', key);
  bed.git('config', 'gpg.ssh.allowedSignersFile', join(bed.folder, 'signers'));
}
