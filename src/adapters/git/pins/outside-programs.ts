// Groups the programs that a check finds first in PATH, in folders where the user can replace them.
import { wordsIn } from '#analysis/ecosystems/ecosystems.ts';
import { accessSync, constants, readdirSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { agentPrograms } from '#analysis/tampering/agent-files.ts';
import { isWithin } from '#base/is-within.ts';
import type { Group, OutsidePlace } from './outside-rules.ts';

/** Interpreters, package managers, runners and shells that checks start without naming them. */
const runners = wordsIn('programs', (each) => each.started);
/** Clients of agents update themselves at any time, so they are not pinned. */
const clients = new Set(agentPrograms);
// One pin names them all; the commands of the checks come first.
const wordsMax = 200;

/** `texts`: the commands of the checks and the scripts that they call. */
export function programGroups({ env, checkouts }: OutsidePlace, texts: readonly string[]): Group[] {
  const folders = [...new Set((env['PATH'] ?? '').split(delimiter))].filter((folder) => isAbsolute(folder));
  const listed = folders.map((folder) => new Set(namesIn(folder)));
  const words = new Set(texts.flatMap(startedBy).slice(0, wordsMax));
  const names = [...new Set([...runners, ...words])].filter((name) => !clients.has(name));
  return folders.flatMap((folder, at): Group[] => {
    if (!isWritable(folder) || checkouts.some((root) => isWithin(folder, root))) return [];
    const steered = names.filter((name) => {
      const first = listed.findIndex((each) => each.has(name));
      return first < 0 ? words.has(name) : first >= at;
    });
    return steered.length === 0 ? [] : [{ folder, names: steered }];
  });
}

/** The first words of every command in a text, to find programs behind `env`, `exec`, `timeout 5`. */
function startedBy(text: string): string[] {
  return text.split(/[;&|`\n]|\$\(/).flatMap((part) => {
    const words = part
      .trim()
      .split(/[\s()'"]+/)
      .slice(0, 6);
    const plain = words.map((word) => word.replace(/^[@-]+/, ''));
    return plain.filter((word) => /^[a-zA-Z][\w.+-]{0,40}$/.test(word)).slice(0, 3);
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** A missing folder counts as writable if it could be created. */
function isWritable(folder: string): boolean {
  for (let path = folder; ; path = join(path, '..')) {
    try {
      accessSync(path, constants.F_OK);
    } catch {
      if (path === join(path, '..')) return false;
      continue;
    }
    try {
      accessSync(path, constants.W_OK);
      return true;
    } catch {
      return false;
    }
  }
}
