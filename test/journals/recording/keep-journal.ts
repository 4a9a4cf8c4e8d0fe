// Copies the journal of a run: every name of the machine is replaced, and the checksums are computed again.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { expect } from 'vitest';
import { encodeLine, jsonOffset } from '#adapters/store/journal/line.ts';
import { root } from '../../tidy/repository.ts';
import { packageFolder } from '../../e2e/package.ts';
import type { Place } from '../../e2e/place.ts';
import { runFolders } from '../../e2e/place.ts';
import { fixturesFolder, journalOf } from '../fixtures.ts';
import { foldJournal } from '../fold-journal.ts';

/** Of the newest run of the place. Returns how many lines it has. */
export function keepJournal(place: Place, name: string): number {
  const text = readFileSync(join(runFolders(place).at(-1) ?? '', 'journal.jsonl'), 'utf8');
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => encodeLine(Buffer.from(withoutMachine(place, withoutTools(line.slice(jsonOffset))))));
  expectOwnState(place, name);
  mkdirSync(join(fixturesFolder, name), { recursive: true });
  writeFileSync(journalOf(name), Buffer.concat(lines));
  return lines.length;
}

/** What its driver wrote while it lived is what the journal folds to, so the fold may stand for it. */
function expectOwnState(place: Place, name: string): void {
  const folder = runFolders(place).at(-1) ?? '';
  const bytes = readFileSync(join(folder, 'journal.jsonl'));
  const { 'state.json': folded } = foldJournal({ name, bytes }) as {
    readonly 'state.json': { outcome: unknown };
  };
  // One that is not over may have been killed before it could write.
  if (folded.outcome === null) return;
  const file = join(place.repo, '.untildone/runs', basename(folder), 'state.json');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(folded);
}

function withoutMachine(place: Place, json: string): string {
  const { username } = userInfo();
  return json
    .replaceAll(place.folder, '/home/ada/repo')
    .replaceAll(packageFolder(), '/usr/lib/untildone')
    .replaceAll(root, '/usr/src/untildone')
    .replaceAll(dirname(process.execPath), '/usr/bin')
    .replaceAll(new RegExp(String.raw`\b${username} \(pid \d+\)`, 'g'), 'ada (pid 1)')
    .replaceAll(`"${hostname()}:`, '"host:')
    .replaceAll(/"driver":"[^"]*:\d+"/g, '"driver":"host:1"');
}

/** Which programs and settings a machine has is nobody's business, and most of the bytes; the shell stands for them all. */
function withoutTools(json: string): string {
  return JSON.stringify(JSON.parse(json), (key, value: unknown) =>
    key === 'pins' ? (value as readonly Pin[]).filter(({ path }) => !isTool(path)) : value,
  );
}

interface Pin {
  readonly path: string;
}

function isTool(path: string): boolean {
  return path.startsWith('/') && !path.endsWith('bin/sh');
}
