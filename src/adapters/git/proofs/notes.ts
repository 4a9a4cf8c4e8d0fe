// Keeps statements beside their commits, in refs/notes/untildone. We never push them.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Git, gitFailed, reading } from '#adapters/git/repo/git.ts';
import { isHash } from '#adapters/git/repo/tell-once.ts';
import { readRef } from '#adapters/git/refs/refs.ts';

export const notesRef = 'refs/notes/untildone';
// Concurrent writers cause retries; this many in a row mean another problem.
const triesMax = 20;

/** '' when the commit has none. */
export async function readNote(git: Git, gitDir: string, commit: string): Promise<string> {
  const answer = await git.ask(['notes', `--ref=${notesRef}`, 'show', commit], { gitDir, ...reading });
  return answer.code === 0 ? answer.stdout : '';
}

/** Contract: keeps notes that others write meanwhile; `change` may be called more than once. */
export async function changeNote(
  git: Git,
  gitDir: string,
  commit: string,
  change: (present: string) => string,
): Promise<void> {
  const draft = `${notesRef}.draft-${randomBytes(6).toString('hex')}`;
  for (let tries = 1; ; tries += 1) {
    const before = await readRef(git, gitDir, notesRef);
    const text = change(before === null ? '' : await readNote(git, gitDir, commit));
    const after = await drafted({ git, gitDir, draft, before }, commit, text);
    const zeros = '0'.repeat(after.length);
    const input = `update ${notesRef} ${after} ${before ?? zeros}\ndelete ${draft} ${after}\n`;
    const moved = await git.ask(['update-ref', '-m', 'untildone: proof', '--stdin'], { gitDir, input });
    if (moved.code === 0) return;
    // To delete the draft git locks the packed refs, which the user's own git may hold. The note needs no lock there.
    const args = ['update-ref', '-m', 'untildone: proof', notesRef, after, before ?? zeros];
    const alone = await git.ask(args, { gitDir });
    await dropDraft(git, gitDir, draft);
    if (alone.code === 0) return;
    if (tries >= triesMax || (await readRef(git, gitDir, notesRef)) === before)
      throw gitFailed(['update-ref'], alone);
  }
}

interface Draft {
  readonly git: Git;
  readonly gitDir: string;
  readonly draft: string;
  readonly before: string | null;
}

/** The notes with this one added, as a commit that only the draft names. */
async function drafted({ git, gitDir, draft, before }: Draft, commit: string, text: string): Promise<string> {
  try {
    if (before !== null) await git.tell(['update-ref', draft, before], { gitDir });
    await git.tell(['notes', `--ref=${draft}`, 'add', '-f', '-F', '-', commit], { gitDir, input: text });
    return (await looseRef(gitDir, draft)) ?? (await git.tell(['rev-parse', '--verify', draft], { gitDir }));
  } catch (error) {
    await dropDraft(git, gitDir, draft);
    throw error;
  }
}

/** A ref that was just written has a file of its own, unless git keeps all refs in tables. */
async function looseRef(gitDir: string, ref: string): Promise<string | null> {
  const text = (await readFile(join(gitDir, ref), 'utf8').catch(() => '')).trimEnd();
  return isHash(text) ? text : null;
}

async function dropDraft(git: Git, gitDir: string, draft: string): Promise<void> {
  await git.ask(['update-ref', '-d', draft], { gitDir });
}
