// Damage after a run: living processes, moved refs, misplaced files.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { livingWith, send } from '../e2e/processes.ts';
import type { Ground } from './ground.ts';
import { livingIn } from './living.ts';

export function findDamage(ground: Ground, base: string): string[] {
  return [...livingLeft(ground), ...refsLeft(ground, base), ...filesLeft(ground)];
}

/** Ends what was left, after it was counted. */
function livingLeft(ground: Ground): string[] {
  const marked = livingWith(`XDG_STATE_HOME=${ground.stateHome}\0`);
  const named = livingIn(ground.folder);
  const left = [...new Set([...marked.map(({ pid }) => pid), ...named])];
  for (const pid of left) send(pid, 'SIGKILL');
  return left.map(() => 'a process alive');
}

function refsLeft(ground: Ground, base: string): string[] {
  const refs = ground.git('for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads/', 'refs/tags/');
  const wrong = refs.split('\n').flatMap((line) => {
    const [ref = '', at] = line.split(' ');
    if (ref.startsWith('refs/heads/untildone/')) return [];
    if (ref === 'refs/heads/main') return at === base ? [] : ['main moved'];
    return ['another branch or tag'];
  });
  return refs.includes('refs/heads/main ') ? wrong : [...wrong, 'main deleted'];
}

function filesLeft(ground: Ground): string[] {
  const status = ground.git('status', '--porcelain', '--', '.', ':!.untildone');
  const homely = readdirSync(join(ground.folder, 'home')).filter((name) => !isOrdinary(name));
  return [
    ...(status === '' ? [] : ["files in the user's checkout"]),
    ...(homely.length === 0 ? [] : ['files in the home folder']),
  ];
}

function isOrdinary(name: string): boolean {
  return ['.gitconfig', '.npm', '.cache', '.node-gyp'].includes(name);
}
