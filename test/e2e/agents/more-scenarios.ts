// Scenarios for Gemini and OpenCode, by `acp` and by `command`: the packed program in a real repository.
import { describe, expect, it } from 'vitest';
import { eventsOf, sessionsOf } from '../journal.ts';
import { branchOf, filesOf, roles } from '../looking.ts';
import { until } from '../wait.ts';
import { findClient } from './clients.ts';
import { say, startModel } from './model.ts';
import { honest, isTitle, isVerifier, morePlace, readFile, shell, task, writeFile } from './more-place.ts';
import type { MoreClient, Way } from './more-place.ts';

const ways: readonly Way[] = ['acp', 'command'];

export function describeClient(client: MoreClient): void {
  const { isMissing, note } = findClient(client);
  describe.skipIf(isMissing)(`The real ${client}${note}`, () => {
    describeWork(client);
    describeRights(client);
    describeTrouble(client);
    describeTrial(client);
  });
}

function describeWork(client: MoreClient): void {
  it.each(ways)(
    'The client by %s changes real files, and the run completes with proof and a commit [B1] [B5]',
    async (way) => {
      const model = await startModel({ reply: honest(client) });
      const place = morePlace({ client, way, model });
      const { code, stdout, stderr } = await place.untildone(task);
      expect(`${stdout}${stderr}`).toMatch(/✅ Completed/);
      expect(code).toBe(0);
      expect(roles(place)).toEqual(['builder', 'verifier']);
      expect(place.git('show', `${branchOf(place)}:done.txt`)).toBe('right');
      const [builder] = sessionsOf(eventsOf(place)).map(({ result }) => result);
      expect(builder?.ending.kind).toBe('finished');
      // Over the protocol OpenCode tells the tokens of its last step only; its cost is whole.
      const isPart = client === 'opencode' && way === 'acp';
      expect(builder?.usage.tokens).toBe(isPart ? 1_050 : 2_100);
      expect(builder?.usage.usd).toBeCloseTo(client === 'opencode' ? 0.0022 : 0.00085, 6);
      expect(place.living()).toEqual([]);
    },
  );

  it('A pause interrupts the client by acp, ends its process, and the run continues afterwards [Q5]', async () => {
    let isFirst = true;
    const model = await startModel({
      reply: (asked) => {
        if (isTitle(asked) || !isFirst) return honest(client)(asked);
        isFirst = false;
        return shell(client, 'echo right > done.txt; sleep 601');
      },
    });
    const place = morePlace({ client, way: 'acp', model });
    const driver = place.start(task);
    await until('"sleep 601"', () => place.living().some(({ command }) => command === 'sleep 601'));
    expect((await place.untildone(['pause'])).code).toBe(0);
    const paused = await until('the interrupted session', () => sessionsOf(eventsOf(place)).at(-1)?.result);
    await until('it to be gone', () => !place.living().some(({ command }) => /sleep 601|acp/.test(command)));
    expect((await place.untildone(['resume'])).code).toBe(0);
    expect(await driver.ended).toMatchObject({ code: 0 });
    const [, second] = sessionsOf(eventsOf(place));
    expect(paused.ending).toEqual({ kind: 'interrupted', resumeId: second?.deed.resume });
    // Gemini does not always find its own session again; then a new one begins in the same attempt.
    const ending = second?.result?.ending;
    const isGone = ending?.kind === 'failed' && ending.errorClass === 'conversation-gone';
    expect(isGone ? client : ending?.kind).toBe(isGone ? 'gemini' : 'finished');
    const isKept = model.requests.some(({ body }) => body.includes('sleep 601'));
    expect(isKept || client === 'gemini').toBe(true);
    expect(place.living()).toEqual([]);
  });
}

function describeRights(client: MoreClient): void {
  it.each(ways)(
    'The client by %s cannot write as a verifier, neither in the shell nor by its tool [B7]',
    async (way) => {
      let tried = 0;
      const model = await startModel({
        reply: (asked) => {
          if (isTitle(asked) || !isVerifier(asked)) return honest(client)(asked);
          tried = Math.max(tried, asked.results);
          if (asked.results === 0) return shell(client, 'echo mine > by-shell.txt');
          return asked.results === 1 ? writeFile(client, 'by-tool.txt', 'mine') : honest(client)(asked);
        },
      });
      const place = morePlace({ client, way, model });
      const cast = way === 'acp' ? [] : ['--agent', 'verifier=looker'];
      expect(await place.untildone([...task, ...cast])).toMatchObject({ code: 0 });
      expect(tried).toBe(2);
      // A verifier that had changed the tree would not have been believed.
      expect(roles(place)).toEqual(['builder', 'verifier']);
      expect(filesOf(place).toSorted()).toEqual(['README.md', 'done.txt']);
    },
  );
}

function describeTrouble(client: MoreClient): void {
  it.each(ways)('The client by %s reports a wrong key, and nothing is retried [X6]', async (way) => {
    const error = { code: 401, message: 'Invalid API key', status: 'UNAUTHENTICATED' };
    const model = await startModel({
      reply: honest(client),
      fault: () => ({ kind: 'status', status: 401, body: { error } }),
    });
    const place = morePlace({ client, way, model });
    const { code } = await place.untildone(task);
    expect(code).not.toBe(0);
    const [first, ...others] = sessionsOf(eventsOf(place)).map(({ result }) => result?.ending);
    expect(first).toMatchObject({ kind: 'failed', errorClass: 'authentication' });
    expect(others).toEqual([]);
    expect(place.living()).toEqual([]);
  });
}

function describeTrial(client: MoreClient): void {
  it('`doctor` tries the client: its own tools write and read, and reach no further than the workspace [B12]', async () => {
    const model = await startModel({
      reply: (asked) => {
        if (isTitle(asked)) return say('A title');
        const file = /(?:Create|Read) the file (\S+) with/.exec(asked.text)?.[1] ?? 'nowhere';
        if (asked.results === 0)
          return isVerifier(asked) ? readFile(client, file) : writeFile(client, file, 'wiggum-ok');
        const answers = asked.request.messages.filter(({ role }) => role === 'tool');
        const hasRead = JSON.stringify(answers).includes('wiggum-ok');
        if (isVerifier(asked) && !hasRead) return say('<verifier-report>nothing there</verifier-report>');
        return say(isVerifier(asked) ? '===VERIFIER_COMPLETE===' : '===WIGGUM_COMPLETE===');
      },
    });
    const place = morePlace({ client, way: 'acp', model });
    const { code, stdout } = await place.untildone(['doctor', '--agent', 'worker']);
    expect(stdout).toMatch(/✅ the verifier prints the marker[^]*It works\./);
    expect(code).toBe(0);
    expect(place.living()).toEqual([]);
  });
}
