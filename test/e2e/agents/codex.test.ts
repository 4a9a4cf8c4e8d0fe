// The real Codex, driven by the packed program in a real repository: its work, whose word counts, and failures.
import { mkdtempSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventsOf, sessionsOf } from '../journal.ts';
import { branchOf, filesOf, roles } from '../looking.ts';
import { until } from '../wait.ts';
import { codex, codexPlace, honest, isVerifier, longWork, shell, task, worksLong } from './codex-place.ts';
import type { Via } from './codex-place.ts';
import { say, startModel } from './model.ts';

/** For what Codex itself holds back: our sandbox would be there first. */
const unsandboxed = ['--sandbox', 'none'];

describe.skipIf(codex.isMissing)(`The real Codex${codex.note}`, () => {
  it.each<Via>(['app-server', 'exec'])(
    'Codex by %s changes real files, and the run completes with proof and a commit [B1] [B5] [B8]',
    async (via) => {
      const model = await startModel({ reply: honest });
      const place = codexPlace({ model, via });
      const { code, stdout, stderr } = await place.untildone(task);
      expect(`${stdout}${stderr}`).toMatch(/✅ Completed/);
      expect(code).toBe(0);
      expect(roles(place)).toEqual(['builder', 'verifier']);
      expect(filesOf(place)).toContain('done.txt');
      expect(place.git('show', `${branchOf(place)}:done.txt`)).toBe('right');
      const [builder, verifier] = sessionsOf(eventsOf(place)).map(({ result }) => result);
      expect(builder).toMatchObject({ ending: { kind: 'finished' }, usage: { tokens: 2_100 } });
      expect(verifier).toMatchObject({ ending: { kind: 'finished' }, usage: { tokens: 1_050 } });
      expect(place.living()).toEqual([]);
    },
  );

  it.each<Via>(['app-server', 'exec'])(
    'Codex by %s cannot write as a verifier, neither in the shell nor by patch, because the system refuses it [B7]',
    async (via) => {
      const patch =
        "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: patched.txt\n+mine\n*** End Patch\nEOF\n";
      let seen = '';
      const model = await startModel({
        reply: (asked) => {
          if (!isVerifier(asked)) return honest(asked);
          seen = asked.text;
          if (asked.results === 0)
            return shell('echo mine > verified.txt; echo mine > /tmp/untildone-verified.txt');
          return asked.results === 1 ? shell(patch) : honest(asked);
        },
      });
      const place = codexPlace({ model, via, options: { sandbox: 'danger-full-access' } });
      expect(await place.untildone(task)).toMatchObject({ code: 0 });
      expect(seen.match(/Read-only file system/g)?.length).toBeGreaterThanOrEqual(2);
      expect(filesOf(place)).toEqual(expect.not.arrayContaining(['verified.txt', 'patched.txt']));
      const verifier = sessionsOf(eventsOf(place)).at(-1)?.result;
      expect(verifier).toMatchObject({ ending: { kind: 'finished' }, endTree: expect.any(String) as string });
    },
  );

  it('Codex as a verifier has no MCP servers, since they run outside the sandbox [B7]', async () => {
    const model = await startModel({ reply: honest });
    const started = join(mkdtempSync(join(tmpdir(), 'untildone-tools-')), 'started');
    const place = codexPlace({
      model,
      config: {
        'mcp_servers.notes.command': 'sh',
        'mcp_servers.notes.args': ['-c', `echo one >> ${started}; sleep 5`],
      },
    });
    expect(await place.untildone([...task, ...unsandboxed])).toMatchObject({ code: 0 });
    expect(roles(place)).toEqual(['builder', 'verifier']);
    expect(readFileSync(started, 'utf8')).toBe('one\n');
    rmSync(dirname(started), { recursive: true });
  });

  it('Codex as a builder cannot write outside its workspace, whether it asks or not [B7]', async () => {
    // Not below /tmp: codex lets commands write there.
    const folder = mkdtempSync('/var/tmp/untildone-outside-');
    const outside = `echo x > ${folder}/outside.txt`;
    let seen = '';
    const model = await startModel({
      reply: (asked) => {
        if (!isVerifier(asked)) seen = asked.text;
        if (isVerifier(asked) || asked.results > 2) return honest({ ...asked, results: 1 });
        if (asked.results === 0) return shell(outside);
        if (asked.results === 1)
          return shell(outside, { sandbox_permissions: 'require_escalated', justification: 'please' });
        return honest({ ...asked, results: 0 });
      },
    });
    const place = codexPlace({ model, options: { approvals: 'on-request' } });
    expect(await place.untildone([...task, ...unsandboxed])).toMatchObject({ code: 0 });
    expect(readdirSync(folder)).toEqual([]);
    rmdirSync(folder);
    expect(seen).toMatch(/Read-only file system.*rejected/s);
  });

  it('A completion marker of Codex in prose or before a tool call does not count [B3]', async () => {
    const model = await startModel({
      reply: ({ results }) =>
        results === 0
          ? { content: 'Early.\n\n===WIGGUM_COMPLETE===\n', ...shell('echo a > a.txt') }
          : say('I will say ===WIGGUM_COMPLETE=== when I am done.'),
    });
    const place = codexPlace({ model });
    const { code } = await place.untildone(['run', 'do it', '--agent', 'codex', '--max-loops', '2']);
    expect(roles(place)).toEqual(['builder', 'builder']);
    expect(code).toBe(3);
  });

  it('`doctor` tries Codex in its own sandboxes [B12]', async () => {
    const model = await startModel({
      reply: (asked) => {
        const file = /(?:Create|Read) the file (\S+) with/.exec(asked.text)?.[1] ?? 'nowhere';
        if (asked.results > 0) return honest(asked);
        return shell(isVerifier(asked) ? `grep -q wiggum-ok ${file}` : `printf wiggum-ok > ${file}`);
      },
    });
    const place = codexPlace({ model });
    const { code, stdout } = await place.untildone(['doctor', '--agent', 'codex']);
    expect(stdout).toMatch(/✅ the verifier prints the marker[^]*It works\./);
    expect(code).toBe(0);
    expect(place.living()).toEqual([]);
  });

  it('Codex receives the message of a person while it works [Q5]', async () => {
    const heard: string[] = [];
    const model = await startModel({
      reply: (asked) => {
        if (asked.text.includes('keep the old API')) heard.push(asked.text);
        return isVerifier(asked) || asked.results > 0
          ? honest(asked)
          : shell('sleep 3; echo right > done.txt', { yield_time_ms: 20_000 });
      },
    });
    const place = codexPlace({ model });
    const driver = place.start(task);
    await worksLong(place, 'sleep 3');
    expect((await place.untildone(['tell', 'keep the old API'])).code).toBe(0);
    expect(await driver.ended).toMatchObject({ code: 0 });
    expect(heard.length).toBeGreaterThan(0);
    expect(roles(place)).toEqual(['builder', 'verifier']);
  });

  it('A pause interrupts Codex, it resumes in the same thread, and only the new tokens count [Q5] [X1]', async () => {
    const model = await startModel({
      reply: (asked) => (asked.results === 0 && !isVerifier(asked) ? longWork : goOn(asked)),
    });
    const place = codexPlace({ model });
    const driver = place.start(task);
    await worksLong(place);
    expect((await place.untildone(['pause'])).code).toBe(0);
    const paused = await until('the interrupted session', () => sessionsOf(eventsOf(place)).at(-1)?.result);
    expect(paused).toMatchObject({ ending: { kind: 'interrupted' }, usage: { tokens: 1_050 } });
    await until(
      'its processes to be gone',
      () => !place.living().some(({ command }) => command.includes('codex app-server')),
    );
    expect((await place.untildone(['resume'])).code).toBe(0);
    expect(await driver.ended).toMatchObject({ code: 0 });
    const [first, second] = sessionsOf(eventsOf(place));
    expect(second?.deed.resume).toBe(
      first?.result?.ending.kind === 'interrupted' ? first.result.ending.resumeId : '',
    );
    expect(second?.result).toMatchObject({ ending: { kind: 'finished' }, usage: { tokens: 2_100 } });
    // What was said before the pause is still there.
    expect(model.requests.at(1)?.body).toContain('sleep 600');
  });

  it('An answer continues the Codex thread that asked, with nothing but the question and the answer [U4]', async () => {
    const model = await startModel({
      reply: (asked) => {
        if (isVerifier(asked) || asked.text.includes('The answer: right')) return honest(asked);
        return say('I need a word.\n\n===NEEDS_INPUT===\nWhich word?');
      },
    });
    const place = codexPlace({ model });
    expect(await place.untildone(task)).toMatchObject({ code: 6 });
    expect(await place.untildone(['answer', 'right'])).toMatchObject({ code: 0 });
    expect(await place.untildone(['resume'])).toMatchObject({ code: 0 });
    const [first, second] = sessionsOf(eventsOf(place));
    expect(second?.deed).toMatchObject({ attempt: 1, resume: first?.result?.resumeId });
    expect(second?.deed.prompt).toMatch(/^You asked: Which word\?\nThe answer: right\n/);
    // The task was not sent again: it is in the conversation.
    expect(model.requests.at(1)?.body).toContain('I need a word.');
  });
});

function goOn(asked: Parameters<typeof honest>[0]) {
  return isVerifier(asked) ? honest(asked) : honest({ ...asked, results: asked.results - 1 });
}
