// Statements as lines, and git notes that several processes write at the same time.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Calibration } from '#kernel/model/calibration.ts';
import { createGit } from '#adapters/git/repo/git.ts';
import { makeSample, type Sample } from '#test/git/sample-repository.ts';
import { formatAttestation, readAttestations, withAttestation } from './attestation.ts';
import { changeNote, readNote } from './notes.ts';
import { checkSignature, signStatement } from './sign.ts';

let sample: Sample;
let commit = '';

beforeAll(() => {
  sample = makeSample();
  sample.write('a', '1\n');
  commit = sample.commit('one');
});
afterAll(() => sample.remove());

function line(runId: string, change: object = {}): string {
  const id = 'a'.repeat(40);
  const untildone = {
    format: 1,
    version: '1',
    run: {
      id: runId,
      preset: 'p',
      goal: 'g',
      startedAt: '2026-01-01T00:00:00.000Z',
      endedAt: '2026-01-01T00:00:00.000Z',
      outcome: 'completed',
      reason: '',
    },
    base: { commit: id, tree: id },
    landed: null,
    prefix: '',
    setup: { command: null, copy: [] },
    environment: [],
    knownRed: [],
    mayChange: [],
    flaky: null,
    tasks: [{ id: 't', title: 't', status: 'landed', commit: id, mayChange: [], criteria: [], skips: [] }],
    evidence: [],
    tampering: [],
    ...change,
  };
  return JSON.stringify({
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: 'c', digest: { gitCommit: id } }],
    predicateType: 'https://in-toto.io/attestation/test-result/v0.1',
    predicate: { result: 'PASSED', untildone },
  });
}

const tried = { reason: 'r', runs: 1, durationMs: 2, logs: ['x.log'] };

function evidenceWith(calibration: readonly object[]): object {
  return {
    taskId: 't',
    criterionId: 'c',
    stepId: 's',
    purpose: 'acceptance',
    place: 'clean',
    tree: 'a'.repeat(40),
    verdict: 'pass',
    reason: 'exit 0',
    command: 'npm test',
    ending: null,
    durationMs: 1,
    calibration,
  };
}

describe('attestations [X4]', () => {
  it('An attestation is read back as it was written, beside other content of the note', () => {
    const text = `not ours\n\n${formatAttestation({ line: line('a'), signature: 'signed' })}{"other":1}\n`;
    const { found, unreadable } = readAttestations(text);
    expect(found).toMatchObject([{ line: line('a'), signature: 'signed' }]);
    expect(unreadable).toBe(2);
  });

  it('An attestation replaces an older one of the same run with its signature, and leaves the others', () => {
    const first =
      formatAttestation({ line: line('a'), signature: 'old' }) +
      formatAttestation({ line: line('b'), signature: null });
    const text = withAttestation(`kept\n${first}`, { line: line('a', { version: '2' }), signature: null });
    expect(text).toContain('kept\n');
    expect(text).not.toContain('old');
    expect(readAttestations(text).found.map((one) => one.statement.predicate.untildone.run.id)).toEqual([
      'b',
      'a',
    ]);
  });

  it('An attestation keeps what was tried on each check, so that a proof read from a note equals the recorded one', () => {
    const calibration: Calibration[] = [
      { kind: 'attribution', verdict: 'passed', restsOnAddedFiles: true, ...tried },
      { kind: 'added-tests', verdict: 'passed', ...tried, files: ['a.test.js'] },
      { kind: 'planted-failure', verdict: 'refused', asks: 'person', ...tried },
    ];
    const [read] = readAttestations(line('a', { evidence: [evidenceWith(calibration)] })).found;
    expect(read?.statement.predicate.untildone.evidence[0]?.calibration).toEqual(calibration);
    const other = [{ ...calibration[0], verdict: 'good' }];
    expect(readAttestations(line('a', { evidence: [evidenceWith(other)] })).unreadable).toBe(1);
  });

  it.each([
    { prefix: '../..' },
    { prefix: '/etc' },
    { run: { id: '../../x' } },
    { environment: ['LD_PRELOAD=/tmp/x.so'] },
    { tasks: [] },
    { format: 2 },
    { evidence: [{ verdict: 'pass' }] },
    {
      tasks: [
        {
          id: 't',
          title: 't',
          status: 'landed',
          commit: null,
          mayChange: [],
          skips: [],
          criteria: [
            { id: 'x', text: '', kind: 'exit', required: true, when: 'attempt', check: { kind: 'spell' } },
          ],
        },
      ],
    },
  ])('An attestation with an invalid part is not read: %j', (change) => {
    expect(readAttestations(line('a', change))).toEqual({ found: [], unreadable: 1 });
  });
});

describe('git notes', () => {
  it('Concurrent writes of notes lose nothing and leave no draft', async () => {
    const git = createGit(sample.root, sample.env);
    const gitDir = `${sample.root}/.git`;
    const runs = Array.from({ length: 6 }, (_, number) => `run-${number}`);
    await Promise.all(
      runs.map((runId) =>
        changeNote(git, gitDir, commit, (present) =>
          withAttestation(present, { line: line(runId), signature: null }),
        ),
      ),
    );
    const { found } = readAttestations(await readNote(git, gitDir, commit));
    expect(found.map((one) => one.statement.predicate.untildone.run.id).toSorted()).toEqual(runs);
    expect(sample.git('for-each-ref', '--format=%(refname)', 'refs/notes')).toBe('refs/notes/untildone');
  });

  it('A note is written while the user packs the refs', async () => {
    const git = createGit(sample.root, sample.env);
    const gitDir = `${sample.root}/.git`;
    sample.git('pack-refs', '--all');
    sample.write('.git/packed-refs.lock', '');
    await changeNote(git, gitDir, commit, () => 'a note');
    expect(await readNote(git, gitDir, commit)).toBe('a note\n');
  });

  it('A signature that git did not make is not accepted', async () => {
    const git = createGit(sample.root, sample.env);
    const thing = { line: line('a'), commit, tree: sample.git('rev-parse', 'HEAD^{tree}') };
    const check = (signature: string) => checkSignature(git, `${sample.root}/.git`, thing, signature);
    expect(await check('')).toMatchObject({ kind: 'bad' });
    expect(await check(sample.git('cat-file', 'commit', 'HEAD'))).toMatchObject({ kind: 'bad' });
    const { digestOf } = await import('./attestation.ts');
    const message = `untildone: the statement about this commit\n\nStatement-Sha256: ${digestOf(thing.line)}\n`;
    const who = 'A <a@b.invalid> 1 +0000';
    const unsigned = `tree ${thing.tree}\nparent ${commit}\nauthor ${who}\ncommitter ${who}\n\n${message}`;
    expect(await check(unsigned)).toMatchObject({ kind: 'bad' });
    expect(
      await check(
        unsigned.replace(
          '\n\n',
          `\ngpgsig -----BEGIN SSH SIGNATURE-----\n AAAA\n -----END SSH SIGNATURE-----\n\n`,
        ),
      ),
    ).toMatchObject({ kind: 'bad' });
  });
});

const hasGpg = ['gpg', 'gpgconf', 'gpg-agent'].every((name) => spawnSync(name, ['--version']).status === 0);
const skipNote = hasGpg ? '' : ' (SKIPPED: this machine has no gpg)';

describe.skipIf(!hasGpg)(`GPG signatures${skipNote}`, () => {
  const home = (): string => join(sample.home, 'keys');
  const env = (): { [name: string]: string } => ({ ...sample.env, GNUPGHOME: home() });
  const gpg = (...args: string[]): string =>
    execFileSync('gpg', ['--batch', '--pinentry-mode', 'loopback', '--passphrase', '', ...args], {
      env: env(),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });

  beforeAll(() => {
    mkdirSync(home(), { mode: 0o700 });
    gpg('--quick-generate-key', 'Ada <ada@example.invalid>', 'ed25519', 'sign', 'never');
    sample.git('config', 'user.signingKey', 'ada@example.invalid');
  });
  afterAll(() => {
    sample.git('config', '--unset', 'user.signingKey');
    // The agent that gpg starts stays alive until it is ended explicitly.
    spawnSync('gpgconf', ['--kill', 'all'], { env: env() });
  });

  it('A GPG signature is good for one statement, and bad for another one or without its key [X4]', async () => {
    const git = createGit(sample.root, env());
    const gitDir = join(sample.root, '.git');
    const thing = { line: line('a'), commit, tree: sample.git('rev-parse', 'HEAD^{tree}') };
    const signature = await signStatement(git, gitDir, thing);
    expect(signature).toContain('BEGIN PGP SIGNATURE');
    const [, fingerprint = ''] = /^fpr:+([0-9A-F]+):/m.exec(gpg('--with-colons', '--fingerprint')) ?? [];
    expect(await checkSignature(git, gitDir, thing, signature)).toEqual({
      kind: 'good',
      signer: 'Ada <ada@example.invalid>',
      key: fingerprint,
    });
    expect(await checkSignature(git, gitDir, { ...thing, line: line('b') }, signature)).toEqual({
      kind: 'bad',
      why: 'it signs another statement',
    });
    const forged = signature.replace(/^author .*$/m, 'author Eve <eve@example.invalid> 1 +0000');
    expect(await checkSignature(git, gitDir, thing, forged)).toMatchObject({ kind: 'bad' });
    mkdirSync(join(sample.home, 'no-keys'), { mode: 0o700 });
    const stranger = createGit(sample.root, { ...env(), GNUPGHOME: join(sample.home, 'no-keys') });
    expect(await checkSignature(stranger, gitDir, thing, signature)).toMatchObject({ kind: 'bad' });
  });
});
