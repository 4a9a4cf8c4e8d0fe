import { mkdtempSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { simulatedTask } from '#test/simulated/simulated-run.ts';
import { readHeldOut, withHeldOut } from './held-out.ts';
import type { Layer, OriginKind } from '#config/layers.ts';

let folder: string;
let root: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'untildone-held-out-')));
  root = join(folder, 'repo');
  mkdirSync(root);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function settingsFrom(kind: OriginKind): Layer {
  return new Map([['heldOut', { value: ['npm run secret'], origin: { kind, where: 'config.jsonc:2:3' } }]]);
}

const read = (files: readonly string[], settings: Layer = new Map()) =>
  readHeldOut(root, settings, { files, timeoutMs: 1000, userFile: join(folder, 'config.jsonc') });

describe('Held-out checks', () => {
  it('A run knows held-out checks by id and hash only, in its last task and on clean checkouts [X9]', async () => {
    writeFileSync(join(folder, 'hidden.json'), '[ "sh secret.sh", // more\n { "file": "a.txt" } ]');
    const records = await read([join(folder, 'hidden.json')]);
    expect(records.map(({ id }) => id)).toEqual(['held-out-1', 'held-out-2']);
    const [first, last] = withHeldOut([simulatedTask('one'), simulatedTask('two')], records);
    expect(JSON.stringify(first)).not.toContain('held-out');
    expect(JSON.stringify(last)).not.toMatch(/secret|a\.txt/);
    expect(last?.criteria.slice(-2)).toMatchObject([
      {
        id: 'held-out-1',
        when: 'acceptance',
        required: true,
        check: { kind: 'held-out', hash: records[0]?.hash },
      },
      { id: 'held-out-2', when: 'acceptance' },
    ]);
  });

  it('Held-out checks bring files from the folder of their list [X9]', async () => {
    writeFileSync(join(folder, 'secret.sh'), 'grep -q right a.txt\n');
    writeFileSync(
      join(folder, 'hidden.json'),
      '[{ "check": "sh tests/secret.sh", "files": { "tests/secret.sh": "secret.sh" } }]',
    );
    const [record] = await read([join(folder, 'hidden.json')]);
    expect(JSON.parse(record?.text ?? '')).toMatchObject({
      check: { kind: 'command', run: 'sh tests/secret.sh' },
      files: { 'tests/secret.sh': Buffer.from('grep -q right a.txt\n').toString('base64') },
    });
  });

  it('Held-out checks come from the user’s own file, never from one of the repository [X9]', async () => {
    expect(await read([], settingsFrom('user'))).toHaveLength(1);
    await expect(read([], settingsFrom('project'))).rejects.toThrow(
      /config\.jsonc:2:3.*the builder can read it/,
    );
    writeFileSync(join(root, 'hidden.json'), '["x"]');
    await expect(read([join(root, 'hidden.json')])).rejects.toThrow(/are in the repository/);
  });

  it.each([
    ['["x"', /hidden\.json/],
    ['{ "run": "x" }', /hidden\.json/],
    ['[{ "check": "x", "files": { "../out": "x" } }]', /not inside the checkout/],
    ['[{ "check": "x", "files": { "/etc/x": "x" } }]', /not inside the checkout/],
    ['[{ "check": "x", "files": { "in": "missing" } }]', /cannot be read/],
    ['["x", { "check": 3 }]', /hidden\.json:1:\d+: "check" of entry 2: /],
    ['[{ "chek": "x" }]', /unknown key "chek" of entry 1; did you mean "check"/],
    ['[""]', /: entry 1: /],
  ])('A malformed held-out check is refused: %s', async (text, message) => {
    writeFileSync(join(folder, 'hidden.json'), text);
    await expect(read([join(folder, 'hidden.json')])).rejects.toThrow(message);
    await expect(read([join(folder, 'none.json')])).rejects.toThrow(/cannot be read/);
  });
});
