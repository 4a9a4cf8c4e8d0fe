// Reverts a session's changes to the user's refs and keeps the user's own. Every replaced object is kept.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RestoredRef } from '#ports/workspace.ts';
import { gitFailed, reading } from '#adapters/git/repo/git.ts';
import { dropGuard, type GuardGround, readGuard, readHead, readStanding, type Standing } from './guard.ts';
import { dropGraph } from './commit-graph.ts';
import { type GuardedFile, harmlessChanges, putBack, readGuardedFiles, takeAway } from './guarded-files.ts';
import { agentIdentity } from '#adapters/git/repo/identity.ts';
import { keepObject, keptRef, updateRef, readRef } from './refs.ts';
import { isSameShallow, settledShallow } from './shallow.ts';

interface FileScene extends GuardGround {
  readonly stepId: string;
  readonly before: Standing;
}

interface Scene extends FileScene {
  readonly after: Standing;
}

const stashList = 'logs/refs/stash';

/** Contract: idempotent; does nothing without a guard. */
export async function restoreGuarded(ground: GuardGround, stepId: string): Promise<RestoredRef[]> {
  const before = await readGuard(ground.guardDir, stepId);
  if (before === null) return [];
  const fileScene: FileScene = { ...ground, stepId, before };
  // First: git must not run under an agent's configuration, and may not even start under it.
  const unreadable = await restoreUnreadableHead(fileScene);
  const files = await restoreFiles(fileScene, (path) => path !== stashList);
  if (files.length > 0) ground.git.forgetSettings();
  const scene: Scene = { ...fileScene, after: await readStanding(ground) };
  if (scene.before.graph !== scene.after.graph) await dropGraph(ground.commonDir);
  const isStashTouched = await isStashLost(scene);
  const head = await restoreHead(scene);
  const refs = await restoreEach(scene);
  // Last, because moving the ref has written into this list.
  const stashes = await restoreFiles(scene, (path) => path === stashList && isStashTouched);
  await dropGuard(ground.guardDir, stepId);
  return [...unreadable, ...files, ...head, ...refs, ...stashes];
}

async function restoreEach(scene: Scene): Promise<RestoredRef[]> {
  const { before, after } = scene;
  const names = [...new Set([...Object.keys(before.refs), ...Object.keys(after.refs)])].toSorted();
  const changed = names.filter((name) => before.refs[name] !== after.refs[name]);
  // New refs first: a new `a/b` would block a lost `a`.
  const ordered = changed.toSorted((a, b) => Number(a in before.refs) - Number(b in before.refs));
  const restored: RestoredRef[] = [];
  for (const name of ordered) {
    const done = await restoreOne(scene, name);
    if (done !== null) restored.push(done);
  }
  return restored;
}

async function restoreOne(scene: Scene, ref: string): Promise<RestoredRef | null> {
  const old = scene.before.refs[ref];
  const now = scene.after.refs[ref];
  if (ref === `refs/heads/${scene.branch}`) return moveBack(scene, ref, old, now);
  if (old === undefined) return judgeNew(scene, ref, now ?? '');
  if (now === undefined) return { ref, action: 'restored', keptAs: await recreate(scene, ref, old) };
  if (await isUsers(scene, ref, old, now)) {
    return isOtherRun(scene, ref) ? null : { ref, action: 'left', keptAs: '' };
  }
  const keptAs = await keepReplaced(scene, ref, now);
  await setRef(scene, ref, old, now);
  return { ref, action: 'restored', keptAs };
}

/** Only our commits move the run's branch; an agent's commits stay reachable. */
async function moveBack(scene: Scene, ref: string, old?: string, now?: string): Promise<RestoredRef | null> {
  if (old === undefined) return null;
  if (now === undefined) return { ref, action: 'moved-back', keptAs: await recreate(scene, ref, old) };
  const kept = keptRef(scene.runId, 'agent', scene.stepId);
  const keptAs = await keepObject(scene.git, scene.commonDir, kept, now);
  await setRef(scene, ref, old, now);
  return { ref, action: 'moved-back', keptAs };
}

/** New branches and tags are harmless; replaced objects, stashes, notes and blocking refs are not. */
async function judgeNew(scene: Scene, ref: string, now: string): Promise<RestoredRef | null> {
  const lost = Object.keys(scene.before.refs).filter((name) => !(name in scene.after.refs));
  const isInTheWay = lost.some((name) => name.startsWith(`${ref}/`) || ref.startsWith(`${name}/`));
  const isAgents = /^refs\/(stash$|notes\/)/.test(ref) && (await isByAgent(scene, ref, now));
  if (isInTheWay || isAgents || ref.startsWith('refs/replace/')) {
    const keptAs = await keepReplaced(scene, ref, now);
    await scene.git.tell(['update-ref', '-d', ref, now], { gitDir: scene.commonDir });
    return { ref, action: 'restored', keptAs };
  }
  const isWorthALine = /^refs\/(heads|tags|notes)\//.test(ref) && !isOtherRun(scene, ref);
  return isWorthALine ? { ref, action: 'left', keptAs: '' } : null;
}

async function isUsers(scene: Scene, ref: string, old: string, now: string): Promise<boolean> {
  if (await isByAgent(scene, ref, now)) return false;
  const isCheckedOut = scene.before.head === `ref: ${ref}` || scene.after.head === `ref: ${ref}`;
  if (isCheckedOut || ref === 'refs/stash' || ref.startsWith('refs/remotes/') || isOtherRun(scene, ref))
    return true;
  const args = ['merge-base', '--is-ancestor', old, now];
  return (await scene.git.ask(args, { gitDir: scene.commonDir, ...reading })).code === 0;
}

/** Git records who moved a ref, and agents have their own identity. Notes only name the last writer. */
async function isByAgent(scene: Scene, ref: string, now: string): Promise<boolean> {
  if (ref.startsWith('refs/notes/')) {
    const args = ['log', '-1', '--no-mailmap', '--no-show-signature', '--format=%ce', now, '--'];
    const answer = await scene.git.ask(args, { gitDir: scene.commonDir, ...reading });
    return answer.stdout.trim() === agentIdentity(scene.runId).email;
  }
  const args = ['log', '-g', '-1', '--no-mailmap', '--format=%H%x00%ge', ref, '--'];
  const answer = await scene.git.ask(args, { gitDir: scene.commonDir, ...reading });
  const [object, email = ''] = answer.stdout.trim().split('\0');
  return answer.code === 0 && object === now && email === agentIdentity(scene.runId).email;
}

function isOtherRun(scene: Scene, ref: string): boolean {
  return ref.startsWith('refs/heads/untildone/') && ref !== `refs/heads/${scene.branch}`;
}

/** Without a HEAD that names something, git sees no repository. */
async function restoreUnreadableHead({ before, repository }: FileScene): Promise<RestoredRef[]> {
  const isReadable = /^(ref: *refs\/|[0-9a-f]{40,64}$)/.test(await readHead(repository));
  if (isReadable || before.head === '') return [];
  await writeFile(join(repository.gitDir, 'HEAD'), `${before.head}\n`);
  return [{ ref: 'HEAD', action: 'restored', keptAs: '' }];
}

async function restoreHead(scene: Scene): Promise<RestoredRef[]> {
  const { before, after, repository } = scene;
  if (before.head === after.head || before.head === '') return [];
  const log = await readFile(join(repository.gitDir, 'logs', 'HEAD'), 'utf8').catch(() => '');
  const last = log.trimEnd().split('\n').at(-1) ?? '';
  const isAgents = scene.inPlace || last.includes(`<${agentIdentity(scene.runId).email}>`);
  if (!isAgents) return [{ ref: 'HEAD', action: 'left', keptAs: '' }];
  const keptAs = await keepHead(scene);
  await writeFile(join(repository.gitDir, 'HEAD'), `${before.head}\n`);
  return [{ ref: 'HEAD', action: 'restored', keptAs }];
}

async function keepHead(scene: Scene): Promise<string> {
  const now = await readRef(scene.git, scene.repository.gitDir, 'HEAD');
  return now === null ? '' : keepReplaced(scene, 'HEAD', now);
}

async function restoreFiles(scene: FileScene, isWanted: (path: string) => boolean): Promise<RestoredRef[]> {
  const present = await readGuardedFiles(scene.commonDir);
  const old = new Map(scene.before.files.map((file) => [file.path, file]));
  const now = new Map(present.map((file) => [file.path, file]));
  const restored: RestoredRef[] = [];
  for (const path of new Set([...old.keys(), ...now.keys()])) {
    const [was, is] = [old.get(path), now.get(path)];
    if (!isWanted(path) || (was?.base64 === is?.base64 && was?.mode === is?.mode)) continue;
    restored.push(...(await restoreFile(scene, path, was, is)));
  }
  return restored;
}

async function restoreFile(
  scene: FileScene,
  path: string,
  was?: GuardedFile,
  is?: GuardedFile,
): Promise<RestoredRef[]> {
  if (path === 'shallow') return restoreShallow(scene, was, is);
  const left = was === undefined || is === undefined ? null : await harmlessChanges(scene.git, was, is);
  if (left !== null) return left.map((name) => ({ ref: `config ${name}`, action: 'left', keptAs: '' }));
  const kept = is === undefined ? '' : await keepFile(scene, is).catch(() => null);
  if (was === undefined) await takeAway(scene.commonDir, path);
  else await putBack(scene.commonDir, was);
  // Git could not start under these settings.
  const keptAs = kept ?? (is === undefined ? '' : await keepFile(scene, is));
  return [{ ref: `.git/${path}`, action: 'restored', keptAs }];
}

async function restoreShallow(scene: FileScene, was?: GuardedFile, is?: GuardedFile): Promise<RestoredRef[]> {
  const settled = await settledShallow(scene.git, scene.commonDir, { was, is });
  if (isSameShallow(settled, is)) return [];
  const keptAs = is === undefined ? '' : await keepFile(scene, is);
  if (settled === null) await takeAway(scene.commonDir, 'shallow');
  else await putBack(scene.commonDir, settled);
  return [{ ref: '.git/shallow', action: 'restored', keptAs }];
}

/** The stash list is restored only if its newest entry is an agent's or all of it is gone. */
async function isStashLost(scene: Scene): Promise<boolean> {
  if (scene.before.refs['refs/stash'] === undefined) return false;
  const now = scene.after.refs['refs/stash'];
  return now === undefined || isByAgent(scene, 'refs/stash', now);
}

async function keepFile(scene: FileScene, file: GuardedFile): Promise<string> {
  const input = Buffer.from(file.base64, 'base64').toString('utf8');
  const blob = await scene.git.tell(['hash-object', '-w', '--stdin'], { gitDir: scene.commonDir, input });
  return keepReplaced(scene, file.path, blob);
}

function keepReplaced(scene: FileScene, name: string, object: string): Promise<string> {
  const ref = keptRef(scene.runId, 'replaced', scene.stepId, name.replace(/^refs\//, ''));
  return keepObject(scene.git, scene.commonDir, ref, object);
}

async function setRef(
  { git, commonDir, stepId }: Scene,
  ref: string,
  to: string,
  from: string,
): Promise<void> {
  const args = ['--no-deref', '-m', `untildone: put back after ${stepId}`, ref, to, from];
  const answer = await updateRef(git, commonDir, args);
  if (answer.code !== 0) throw gitFailed(['update-ref'], answer);
}

/** '' when the ref is back; otherwise the name under which its value is kept. */
async function recreate(scene: Scene, ref: string, old: string): Promise<string> {
  const message = `untildone: put back after ${scene.stepId}`;
  const args = ['--no-deref', '-m', message, ref, old, '0'.repeat(old.length)];
  const answer = await updateRef(scene.git, scene.commonDir, args);
  return answer.code === 0 ? '' : keepReplaced(scene, ref, old);
}
