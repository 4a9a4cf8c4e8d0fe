import { expect, it } from 'vitest';
import type { SessionStep } from '#ports/sessions.ts';
import { playRun, simulatedTask } from '#test/simulated/simulated-run.ts';
import { orUnreadable } from './take-tree.ts';

function sessionStep(): SessionStep {
  const played = playRun({ tasks: [simulatedTask('main')] });
  played.prepare();
  played.endCheck(played.beginOne(), { works: 'fail' });
  const { deed, ...step } = played.beginOne();
  if (deed.kind !== 'session') throw new Error(`expected a session, got ${deed.kind}`);
  return { ...step, deed };
}

it('A session whose files find no room on the disk is kept, and the user reads why [D4]', async () => {
  const notes: string[] = [];
  const full = Object.assign(new Error('no room'), { code: 'ENOSPC' });
  const take = orUnreadable(
    () => Promise.reject(full),
    (note) => notes.push(note),
  );
  const taken = await take(sessionStep()).catch((error: unknown) => error);
  expect(taken).toMatchObject({
    code: 'tree-not-stored',
    message: expect.stringContaining('no room') as unknown,
  });
  expect(notes).toEqual([]);
});

it('A session that made its files unreadable leaves no tree, and the user reads why [D4]', async () => {
  const notes: string[] = [];
  const take = orUnreadable(
    () => Promise.reject(new Error('Permission denied')),
    (note) => notes.push(note),
  );
  const taken = await take(sessionStep()).catch((error: unknown) => error);
  expect(taken).toBeNull();
  expect(notes).toEqual([expect.stringContaining('Permission denied')]);
});
