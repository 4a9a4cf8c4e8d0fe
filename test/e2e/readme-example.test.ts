// The example of the README, word for word, in an ordinary repository.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { saysDone, shellAgents } from './agents.ts';
import type { Place } from './place.ts';
import { makePlace } from './place.ts';

const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
const line = /^untildone run "(?<goal>[^"]+)" --check "(?<red>[^"]+)" --check "(?<green>[^"]+)"/m.exec(
  readme,
);
const { goal = '', red = '', green = '' } = line?.groups ?? {};

const test = `import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';

test('says hello', () => {
  assert.equal(execFileSync('node', ['cli.js'], { encoding: 'utf8' }), 'hello\\n');
});
`;

const files = {
  'package.json': '{ "type": "module", "version": "1.0.0", "scripts": { "test": "node --test" } }\n',
  'cli.js': "console.log('hello');\n",
  'test/cli.test.js': test,
};

/** `code` is put before the program. */
function run(place: Place, code: string) {
  const builder = `{ echo "${code}"; cat cli.js; } > new.js && mv new.js cli.js; ${saysDone}`;
  const agents = shellAgents(place, { builder });
  return place.untildone(['run', goal, '--check', red, '--check', green, ...agents]);
}

describe('The example of the README', () => {
  it('The README example completes with honest work after one session, and its check is the proof [X7]', async () => {
    const place = makePlace({ files });
    const { code, stdout } = await run(
      place,
      "if (process.argv[2] === '--version') { console.log('1.0.0'); process.exit(0); }",
    );
    expect(stdout).toContain('Proof: checks');
    expect(stdout).not.toContain('builder_002');
    expect(code).toBe(0);
  });

  it('The README example does not complete with a program that only exits with 0 [X8]', async () => {
    const place = makePlace({ files });
    const { code, stdout } = await run(place, 'process.exit(0);');
    expect(stdout).not.toContain('Completed');
    expect(code).not.toBe(0);
  });
});
