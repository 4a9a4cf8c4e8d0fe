// Signs and verifies statements by git itself, with the user's own key and program: SSH, GPG or X.509.
import type { Git } from '#adapters/git/repo/git.ts';
import { OperatorError } from '#base/operator-error.ts';
import { digestOf } from './attestation.ts';

export interface SignedThing {
  readonly line: string;
  readonly commit: string;
  readonly tree: string;
}

export type SignatureState =
  | { readonly kind: 'none' }
  /** Git trusts it: the SSH key is an allowed signer, or the GPG key is in the keyring. */
  | { readonly kind: 'good'; readonly signer: string; readonly key: string }
  | { readonly kind: 'bad'; readonly why: string };

// The bytes read back must equal the signed bytes.
const settings = ['i18n.commitEncoding=UTF-8', 'i18n.logOutputEncoding=UTF-8', 'log.showSignature=false'];

/** Returns a signed commit on the proven one, with its tree; its message has the statement's digest. */
export async function signStatement(git: Git, gitDir: string, thing: SignedThing): Promise<string> {
  const { commit, tree } = thing;
  const args = ['commit-tree', '-S', tree, '-p', commit, '-F', '-'];
  const made = await git.ask(args, { gitDir, settings, input: messageFor(thing.line) });
  if (made.code !== 0) {
    throw new OperatorError(
      'signing-failed',
      `The statement could not be signed: ${(made.stderr.split('\n').find((line) => line.trim() !== '') ?? 'git gave no reason').slice(0, 200)}`,
      'Set user.signingKey (and gpg.format ssh for an SSH key) so that `git commit -S` works without a prompt.',
    );
  }
  const object = await git.ask(['cat-file', 'commit', made.stdout.trim()], { gitDir, settings });
  return object.stdout;
}

export async function checkSignature(
  git: Git,
  gitDir: string,
  thing: SignedThing,
  signature: string | null,
): Promise<SignatureState> {
  if (signature === null) return { kind: 'none' };
  const problem = contentProblem(thing, signature);
  if (problem !== null) return { kind: 'bad', why: problem };
  const made = await git.ask(['hash-object', '-t', 'commit', '-w', '--stdin'], { gitDir, input: signature });
  if (made.code !== 0) return { kind: 'bad', why: 'it is not a commit object that git can read' };
  const oid = made.stdout.trim();
  const verified = await git.ask(['verify-commit', oid], { gitDir, settings });
  const args = ['log', '-1', '--format=%GS%x00%GF%x00%GK', oid, '--'];
  const [signer = '', fingerprint = '', key = ''] = (await git.ask(args, { gitDir, settings })).stdout
    .trim()
    .split('\0');
  if (verified.code === 0) return { kind: 'good', signer, key: fingerprint || key };
  return { kind: 'bad', why: reasonOf(verified.stderr) };
}

/** A good signature of something else proves nothing here. */
function contentProblem({ line, commit, tree }: SignedThing, signature: string): string | null {
  const end = signature.indexOf('\n\n');
  const headers = signature.slice(0, end).split('\n');
  if (end < 0 || signature.slice(end + 2) !== messageFor(line)) return 'it signs another statement';
  const isAboutIt = headers[0] === `tree ${tree}` && headers[1] === `parent ${commit}`;
  return isAboutIt && !headers[2]?.startsWith('parent ') ? null : 'it signs another commit';
}

function messageFor(line: string): string {
  return `untildone: the statement about this commit\n\nStatement-Sha256: ${digestOf(line)}\n`;
}

function reasonOf(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  return (lines.find((line) => !line.startsWith('gpg: Signature made')) ?? 'git does not trust it').slice(
    0,
    200,
  );
}
