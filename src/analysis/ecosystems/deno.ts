// Facts about Deno.
import { summed } from '#analysis/output/runner-line.ts';
import { type Json, pick, readJson, recordOf, unreadable } from '#analysis/texts/json-text.ts';
import type { Ecosystem } from './ecosystem.ts';
import { entries, jsonLock, textOf } from '#analysis/ecosystems/manifests/lock-readers.ts';
import { type Locked, splitName } from '#analysis/ecosystems/manifests/lock-sections.ts';
import type { Sections } from '#analysis/ecosystems/manifests/section-types.ts';
import { judgingCommands } from '#analysis/ecosystems/manifests/task-sections.ts';
import { self } from '#analysis/ecosystems/setup/manifest-answers.ts';

export const deno: Ecosystem = {
  name: 'Deno',
  setup: {
    locks: [{ file: 'deno.lock', use: { kind: 'fetch' }, read: jsonLock(denoLock) }],
    manifests: [
      { file: 'deno.json', judge: ({ path }) => self(path, 'deno') },
      { file: 'deno.jsonc', judge: ({ path }) => self(path, 'deno') },
    ],
    lockedManifests: 'deno.json',
  },
  pins: {
    notData: [/(^|\/)deno\.jsonc?$/i],
    sections: [[/^deno\.jsonc?$/, denoSections]],
    materialParts: { 'deno.json': /^(tasks|test|imports)$/ },
    scriptManifests: [/(^|\/)deno\.jsonc?$/i],
  },
  tests: {
    lines: [
      { runner: 'deno test', pattern: /^(?:ok|FAILED) \| \d+ passed\b.*\| \d+ failed\b/, counts: summed },
    ],
  },
  gates: { why: 'deno.json names tasks by any word, and none of them is conventional' },
  machine: {
    upwards: 'deno.json deno.jsonc',
    passedVariables: 'DENO_DIR',
  },
  programs: {
    checking: 'deno',
    started: 'deno',
    quoted: 'deno',
    common: 'deno',
  },
};

function denoLock(lock: Json): Locked[] {
  const packages = ['npm', 'jsr'].flatMap((kind) =>
    entries(lock[kind]).map(([key, entry]): Locked => {
      const [name, version] = splitName(key);
      return { name, version, contents: [['', textOf(entry['integrity'])]] };
    }),
  );
  const remote = Object.entries(recordOf(lock['remote']) ?? {});
  return [...packages, ...remote.map(([name, hash]): Locked => ({ name, contents: [['', textOf(hash)]] }))];
}

/** `deno.json`: tasks, targets of its imports, and exclusions of its own runner. */
function denoSections(text: string): Sections {
  const settings = recordOf(readJson(text));
  if (settings === null) return unreadable(text);
  const aliases = Object.entries(recordOf(settings['imports']) ?? {});
  return new Map([
    ...pick(settings, ['test', 'lint', 'bench', 'importMap', 'scopes', 'exclude']),
    ...judgingCommands(settings['tasks']),
    ...aliases.map(([alias, target]): [string, string] => [
      `contents.${alias}`,
      withoutVersion(String(target)),
    ]),
  ]);
}

function withoutVersion(place: string): string {
  return place.replace(/(?<=[\w/])@[\^~<>=]*v?\d[\w.+-]*/, '');
}
