// Names under refs/untildone/, and writing them so that nothing kept is ever overwritten.
import type { Git } from './git.ts';

export function branchOf(runId: string): string {
  return `untildone/${runId}`;
}

export function keptRef(runId: string, ...names: string[]): string {
  return ['refs/untildone', runId, ...names]
    .flatMap((name) => name.split('/'))
    .map(segment)
    .join('/');
}

/**
 * Points `ref` at an object and returns the name that it got.
 * Contract: a name that already holds something else is left alone; the next free `<ref>.<n>` is taken instead.
 */
export async function keepObject(git: Git, gitDir: string, ref: string, object: string): Promise<string> {
  for (let number = 1; number < 1000; number += 1) {
    const name = number === 1 ? ref : `${ref}.${number}`;
    const present = await readRef(git, gitDir, name);
    if (present === object) return name;
    if (present !== null) continue;
    const zeros = '0'.repeat(object.length);
    const answer = await git.ask(['update-ref', '--no-deref', name, object, zeros], { gitDir });
    if (answer.code === 0) return name;
  }
  return git.tell(['update-ref', ref, object], { gitDir }).then(() => ref);
}

export async function readRef(git: Git, gitDir: string, ref: string): Promise<string | null> {
  const answer = await git.ask(['rev-parse', '--verify', '--quiet', ref], { gitDir });
  return answer.code === 0 ? answer.stdout.trim() : null;
}

function segment(name: string): string {
  const clean = name
    .replace(/[^A-Za-z0-9._-]/g, '-')
    .replace(/\.{2,}/g, '.')
    .replace(/^\.|\.$|\.lock$/g, '-');
  return clean === '' ? '-' : clean;
}
