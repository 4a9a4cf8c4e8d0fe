import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { createGit } from '#adapters/git/repo/git.ts';
import { openMapCache } from './cache.ts';
import { recallLinks } from './recall-links.ts';
import { listFiles } from './list-files.ts';
import { mapFiles } from './map-files.ts';
import {
  bed,
  env,
  folder,
  mapAll,
  one,
  readersOf,
  signaturesOf,
  two,
} from '#test/repo-map/sample-checkout.ts';
import { readWords } from '#test/repo-map/sample-words.ts';
import { wordsOfFile } from './readers.ts';

describe('the map cache by content [C2]', () => {
  it('The map cache reads only changed files, also if they were reverted, moved or not committed', async () => {
    const { write, git, map } = bed({ 'a.ts': one, 'b.ts': two });
    expect(await map()).toMatchObject({ read: 2, known: 0 });
    expect(await map()).toMatchObject({ read: 0, known: 2 });
    write('a.ts', 'export const three = 3;\n');
    const changed = await map();
    expect(changed).toMatchObject({ read: 1, known: 1 });
    expect(signaturesOf(changed, 'a.ts')).toBe('export const three');
    expect(await map()).toMatchObject({ read: 0, known: 2 });
    git('mv', 'b.ts', 'moved.ts');
    write('a.ts', one);
    const back = await map();
    expect(back).toMatchObject({ read: 0, known: 2 });
    expect(signaturesOf(back, 'moved.ts')).toBe('export function two(): void');
  });

  it('A change inside a function body is not parsed, and any other change is', async () => {
    const { write, map } = bed({ 'a.ts': 'export function one(): void { a(); }\n', 'b.ts': two });
    expect(await map()).toMatchObject({ read: 2, parsed: 2 });
    write('a.ts', 'export function one(): void { a(); if (b) { c(); } }\n');
    const changed = await map();
    expect(changed).toMatchObject({ read: 1, known: 1, parsed: 0 });
    expect(changed.files[0]).toMatchObject({ chars: 53, signatures: 'export function one(): void' });
    write('a.ts', 'export function one(b: X): void { a(); }\n');
    const other = await map();
    expect(other).toMatchObject({ parsed: 1 });
    expect(signaturesOf(other, 'a.ts')).toBe('export function one(b: X): void');
    write('a.ts', '// why\nexport function one(b: X): void { a(); }\n');
    expect(await map()).toMatchObject({ parsed: 1 });
  });

  it('A file that does not parse without its bodies is parsed after every change', async () => {
    const text = 'export function one(): void { a(); }\nclass (( { }\n';
    const { write, map } = bed({ 'a.ts': text });
    expect(await map()).toMatchObject({ parsed: 1 });
    expect(await map()).toMatchObject({ parsed: 0 });
    write('a.ts', text.replace('a();', 'b();'));
    expect(await map()).toMatchObject({ parsed: 1 });
  });

  it('A file is parsed only when its signatures are requested', async () => {
    const { root, cacheFolder } = bed({ 'a.ts': one, 'b.ts': two });
    const ask = async (places: readonly number[]) => {
      const listing = await listFiles(createGit(root, env), root, []);
      const readers = readersOf(root, listing.hash);
      const cache = await openMapCache(cacheFolder, '1');
      const mapped = await mapFiles({ root, listing, cache, readers });
      const signatures = await mapped.signaturesOf(places);
      await mapped.save();
      return { signatures, ...mapped.counts };
    };
    expect(await ask([])).toMatchObject({ read: 2, parsed: 0 });
    expect(await ask([1])).toMatchObject({ read: 0, parsed: 1, signatures: ['export function two(): void'] });
    expect(await ask([1, 0])).toMatchObject({
      read: 0,
      parsed: 1,
      signatures: ['export function two(): void', 'export function one(): void'],
    });
    expect(await ask([0, 1])).toMatchObject({ read: 0, parsed: 0 });
  });

  it('A file that is equal without its bodies is still parsed if its language differs', async () => {
    const { write, map } = bed({ 'a.ts': 'function one() { a(); }\n' });
    await map();
    write('b.js', 'function one() { b(); }\n');
    expect(await map()).toMatchObject({ parsed: 1 });
  });

  it('In a SHA-256 repository, too, no file is read twice', async () => {
    const { write, git, map } = bed({ 'a.ts': one, 'b.ts': two }, { format: 'sha256' });
    expect(await map()).toMatchObject({ read: 2, known: 0 });
    expect(await map()).toMatchObject({ read: 0, known: 2 });
    write('a.ts', 'export const three = 3;\n');
    expect(await map()).toMatchObject({ read: 1, known: 1 });
    git('add', 'a.ts');
    expect(await map()).toMatchObject({ read: 0, known: 2 });
  });

  it('A file that is too large to read is not tried again and again', async () => {
    const { map } = bed({ 'a.ts': one, 'large.ts': 'x;\n'.repeat(400_000) });
    await map();
    const again = await map();
    expect(again).toMatchObject({ read: 0, known: 2, parsed: 0 });
    expect(again.files[1]).toMatchObject({ path: 'large.ts', note: 'too large', chars: 1_200_000 });
  });

  it('The same text in another language is another cache entry', async () => {
    const { map } = bed({ 'a.py': 'class A: pass\n', 'a.rb': 'class A: pass\n' });
    expect(await map()).toMatchObject({ read: 2 });
  });

  it('A file that changed after git listed it is not cached under the old hash', async () => {
    const { root, write, cacheFolder } = bed({ 'a.ts': one });
    const listing = await listFiles(createGit(root, env), root, []);
    write('a.ts', two);
    const read = async () => mapAll(root, listing, await openMapCache(cacheFolder, '1'));
    expect(signaturesOf(await read(), 'a.ts')).toBe('export function two(): void');
    write('a.ts', one);
    expect(signaturesOf(await read(), 'a.ts')).toBe('export function one(): void');
  });

  it('Line ends that git converted on checkout do not change the text', async () => {
    const { root, git, write, map } = bed({ 'a.ts': one });
    git('config', 'core.autocrlf', 'true');
    rmSync(join(root, 'a.ts'));
    git('checkout', '--', 'a.ts');
    expect(readFileSync(join(root, 'a.ts'), 'utf8')).toContain('\r\n');
    write('b.md', '');
    await map();
    expect(await map()).toMatchObject({ read: 0, known: 1 });
  });

  it.each([
    ['cut off', (file: string) => writeFileSync(file, readFileSync(file).subarray(0, 60))],
    ['overwritten', (file: string) => writeFileSync(file, 'untildone-map 1 1 0\nnonsense')],
    ['empty', (file: string) => writeFileSync(file, '')],
    ['of another version', (file: string) => change(file, "UPDATE head SET head = 'untildone-map 0 1'")],
    ['a database of another program', (file: string) => change(file, 'DROP TABLE records')],
    [
      'with one bit flipped',
      (file: string) => {
        const bytes = readFileSync(file);
        const at = bytes.indexOf('export function one');
        bytes[at] = (bytes[at] ?? 0) ^ 1;
        writeFileSync(file, bytes);
      },
    ],
    ...['chars', 'importsSum', 'wordChars', 'seal'].map((column): [string, (file: string) => void] => [
      `wrong about ${column}`,
      (file) => change(file, `UPDATE records SET ${column} = seal - 1`),
    ]),
    ['wrong about words', (file: string) => change(file, "UPDATE records SET words = x'00000000'")],
    [
      'wrong about its number of pages',
      (file: string) => {
        const bytes = readFileSync(file);
        bytes.writeUInt32BE(2, 28);
        writeFileSync(file, bytes);
      },
    ],
    ['without its last page', (file: string) => writeFileSync(file, readFileSync(file).subarray(0, -4_096))],
    [
      'a folder',
      (file: string) => {
        rmSync(file);
        mkdirSync(file);
      },
    ],
  ])('A cache that is %s is rebuilt without a message', async (_, harm) => {
    const { cacheFolder, map } = bed({ 'a.ts': one });
    await map();
    const file = join(cacheFolder, 'map');
    expect(existsSync(file)).toBe(true);
    harm(file);
    const again = await map();
    expect(again).toMatchObject({ read: 1, known: 0 });
    expect(signaturesOf(again, 'a.ts')).toBe('export function one(): void');
  });

  it('Extra bytes behind the end of a cache change nothing', async () => {
    const { cacheFolder, map } = bed({ 'a.ts': one });
    await map();
    appendFileSync(join(cacheFolder, 'map'), 'x y z\n');
    const again = await map();
    expect(again).toMatchObject({ read: 0, known: 1 });
    expect(signaturesOf(again, 'a.ts')).toBe('export function one(): void');
  });

  it('Two concurrent maps leave an intact cache', async () => {
    const { map } = bed(
      Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`f${at}.ts`, `export const a${at} = 1;\n`])),
    );
    await Promise.all([map(), map(), map()]);
    expect(await map()).toMatchObject({ read: 0, known: 30 });
  });

  it('A file that no map used for a long time is dropped; a map of one folder drops nothing', async () => {
    const place = join(folder, 'ages');
    const record = {
      chars: 1,
      signatures: '',
      imports: '',
      importsSum: 0,
      words: readWords(''),
      note: '',
    };
    const use = async (key: string, isWhole: boolean): Promise<void> => {
      const cache = await openMapCache(place, '1');
      cache.add(key, '', record);
      await cache.save({ isWhole });
    };
    await use('old', true);
    for (let at = 0; at < 12; at += 1) await use('part', false);
    expect((await openMapCache(place, '1')).find('old')).toMatchObject(record);
    for (let at = 0; at < 12; at += 1) await use('new', true);
    const cache = await openMapCache(place, '1');
    expect([cache.find('old'), cache.find('part')]).toEqual([null, null]);
    expect(cache.find('new')).toMatchObject(record);
  });
});

describe('cached file uses [C2]', () => {
  it('File uses are cached until a file is added, removed or imports another; a damaged cache is rebuilt', async () => {
    const place = join(folder, 'links');
    let times = 0;
    const recall = async (texts: readonly string[]) => {
      const cache = await openMapCache(place, '1');
      const files = texts.map((text, at) => {
        const { record } = wordsOfFile(`f${at}.ts`, text, readWords);
        return { path: `f${at}.ts`, imports: record.imports, importsSum: record.importsSum };
      });
      const { ends, targets } = recallLinks(cache, files, (all) => {
        times += 1;
        const found = all.map(({ imports }) => Number(imports.slice(3)));
        return { targets: Int32Array.from(found), ends: Int32Array.from(all, (_, at) => at + 1) };
      });
      await cache.save({ isWhole: true });
      return { ends, targets };
    };
    const texts = Array.from({ length: 400 }, (_, at) => `import './f${at % 10}';\nrun(1);\n`);
    const links = await recall(texts);
    expect(await recall(texts)).toEqual(links);
    expect(await recall(texts.map((text) => text.replace('run(1)', 'run(2)')))).toEqual(links);
    expect(times).toBe(1);
    const other = await recall(texts.with(399, "import './f8';\n"));
    expect([times, other.targets[399], links.targets[399]]).toEqual([2, 8, 9]);
    await recall(texts.slice(1));
    expect(times).toBe(3);
    change(join(place, 'map'), `UPDATE links SET targets = ends`);
    expect(await recall(texts.slice(1))).toMatchObject({ ends: { length: 399 } });
    expect(times).toBe(4);
  });
});

function change(file: string, sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}
