// What a person does with a real client besides runs: tries it, records a session, replays it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { branchOf } from '../looking.ts';
import {
  builderDone,
  claude,
  claudePlace,
  honest,
  isVerifier,
  seesFile,
  verifierDone,
} from './claude-place.ts';
import { call, say, startModel } from './model.ts';

describe.skipIf(claude.isMissing)(`A person with the real Claude Code${claude.note}`, () => {
  it('`doctor` tries Claude Code, which writes only where it is asked to, and leaves nothing behind [B12]', async () => {
    const model = await startModel({
      reply: (asked) => {
        if (isVerifier(asked)) return say(verifierDone);
        const path = /Create the file (\S+) with exactly/.exec(asked.text)?.[1] ?? 'nowhere';
        return asked.results === 0
          ? call('Bash', { command: `printf wiggum-ok > ${path}` })
          : say(builderDone);
      },
    });
    const place = claudePlace({ model });
    const { code, stdout } = await place.untildone(['doctor', '--agent', 'claude']);
    expect(stdout).toMatch(/✅ the verifier prints the marker[^]*It works\./);
    expect(code).toBe(0);
    expect(place.living()).toEqual([]);
  });

  it('`doctor` reports that the key is refused, or that the work was not done [B12]', async () => {
    const refuse = await startModel({
      reply: honest,
      fault: () => ({
        kind: 'status',
        status: 401,
        body: { type: 'error', error: { type: 'authentication_error', message: 'invalid x-api-key' } },
      }),
    });
    const refused = await claudePlace({ model: refuse }).untildone(['doctor', '--agent', 'claude']);
    expect(refused.stdout).toMatch(/❌ the builder answers[^]*It is not logged in, or its key is refused/);
    expect(refused.code).toBe(1);
    const idle = await startModel({ reply: () => say('Hello!') });
    const silent = await claudePlace({ model: idle }).untildone(['doctor', '--agent', 'claude']);
    expect(silent.stdout).toMatch(/❌ it writes the requested file[^]*without the requested file/);
    expect(silent.code).toBe(1);
  });

  it('A recorded run of Claude Code replays without the client to the same tree [X5]', async () => {
    const model = await startModel({ reply: honest });
    const place = claudePlace({ model });
    const run = ['run', 'write done.txt', ...seesFile, '--agent'];
    expect((await place.untildone([...run, 'claude'])).code).toBe(0);
    const tree = place.git('rev-parse', `${branchOf(place)}^{tree}`);
    const file = join(place.folder, 'recording.json');
    const recorded = await place.untildone(['record', '-o', file]);
    expect(recorded.stdout).toMatch(/Recorded 2 sessions/);
    expect(readFileSync(file, 'utf8')).not.toContain('sk-of-nobody');
    const asked = model.requests.length;
    expect((await place.untildone([...run, `scripted:${file}`])).code).toBe(0);
    expect(model.requests.length).toBe(asked);
    const trees = place.git('for-each-ref', '--format=%(tree)', 'refs/heads/untildone/').split('\n');
    expect(trees).toEqual([tree, tree]);
  });
});
