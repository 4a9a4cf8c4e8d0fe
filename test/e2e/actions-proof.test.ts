// COMPLETE of the action loop needs everything that proof needs: reviewers, a person's criteria and a clean checkout, too.
import { describe, expect, it } from 'vitest';
import { scriptedAgent, seesFile } from './agents.ts';
import type { Turn } from './agents.ts';
import { actionsIn, develop, init, loopFlags, oneTask, reports } from './loop-agents.ts';
import { filesOf, prompts, roles } from './looking.ts';
import { makePlace } from './place.ts';

describe('The COMPLETE action', () => {
  it('COMPLETE is refused while a reviewer refutes the work, and the next turn reads the report first [A8] [B6]', async () => {
    const place = makePlace();
    const fix = [
      { append: { path: 'done.txt', text: 'and explained\n' } },
      reports({ action: 'DEBUG', message: 'explained' }),
    ];
    const turns: Turn[] = [
      { role: 'builder', actions: init },
      { role: 'builder', actions: develop },
      { role: 'builder', actions: fix },
      { role: 'verifier', actions: [{ say: '<verifier-report>it explains nothing</verifier-report>\n' }] },
      { role: 'verifier', actions: [{ say: '===VERIFIER_COMPLETE===\n' }] },
    ];
    const flags = ['--preset', 'actions', ...scriptedAgent(place, turns)];
    const { code } = await place.untildone(['run', 'do it', '--check', seesFile, ...flags]);
    expect(code).toBe(0);
    expect(roles(place)).toEqual(['builder', 'builder', 'verifier', 'builder', 'verifier']);
    expect(actionsIn(place)).toEqual([
      'INIT 1 success',
      'DEVELOP 2 success',
      'VALIDATE 2 success',
      'COMPLETE 2 failed',
      'DEBUG 3 success',
      'VALIDATE 3 success',
      'COMPLETE 3 success',
    ]);
    expect(prompts(place, 'builder')[2]?.slice(0, 500)).toContain('it explains nothing');
  });

  it('COMPLETE is revoked if a clean checkout lacks a file that git ignores, and the agent continues with the reason [A8] [X7]', async () => {
    const place = makePlace({ files: { 'README.md': 'A sample.\n', '.gitignore': 'out/\n' } });
    const ignored = [
      { write: { path: 'out/done.txt', text: 'right\n' } },
      { write: { path: 'made.txt', text: 'something\n' } },
      reports({ action: 'DEVELOP', message: 'It is there.', state: oneTask('done') }),
    ];
    const fix = [
      { write: { path: 'done.txt', text: 'right\n' } },
      reports({ action: 'DEBUG', message: 'Moved it.', state: oneTask('done') }),
    ];
    const check = 'grep -q right out/done.txt || grep -q right done.txt';
    const flags = loopFlags(place, [init, ignored, fix]);
    const { code } = await place.untildone(['run', 'do it', '--check', check, ...flags]);
    expect(code).toBe(0);
    expect(actionsIn(place).at(-1)).toBe('COMPLETE 3 success');
    expect(actionsIn(place)).toContain('DEBUG 3 success');
    expect(prompts(place, 'builder')[2]?.slice(0, 1000)).toMatch(/clean checkout/);
    expect(filesOf(place)).toContain('done.txt');
  });
});
