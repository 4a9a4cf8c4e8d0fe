// The agent here is built on the protocol's own SDK, which refuses every message that its schemas do not allow.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createTestBed } from '#test/agents/acp-bed.ts';
import type { BedOptions } from '#test/agents/acp-bed.ts';

const { cwd, start, run, dispose } = createTestBed();
afterAll(dispose);

const program = join(import.meta.dirname, '../../../test/support/agents/fake-acp-by-sdk.ts');
const file = join(cwd, 'by-agent.txt');
const bySdk = (scene: string, { flags, options, request }: BedOptions = {}): BedOptions => ({
  options: {
    command: [process.execPath, program, scene, JSON.stringify({ file, ...flags })],
    model: 'large',
    ...options,
  },
  ...(request !== undefined && { request }),
});

it.each(['has-modes', 'has-mode-option'])(
  'An agent on the protocol SDK that %s is refused its write as a reviewer and does it as a builder [B3] [B7]',
  async (scene) => {
    const refused = await run('', bySdk(scene, { request: { readOnly: true } }));
    expect([refused.text, refused.result.kind, existsSync(file)]).toEqual(['refused', 'finished', false]);
    const { text, events, result } = await run('', bySdk(scene));
    expect(text).toBe('written');
    expect(result).toMatchObject({ kind: 'finished', model: 'large' });
    expect(readFileSync(file, 'utf8')).toBe('by the agent');
    expect(events).toContainEqual({
      type: 'tool-result',
      id: 't1',
      isError: false,
      summary: 'by the agent',
    });
    rmSync(file);
  },
);

it.each(['resume', 'load'])(
  'An agent on the protocol SDK is interrupted, and a new process continues the session by %s [B3] [Q5]',
  async (resume) => {
    const session = await start('', bySdk('waits', { flags: { resume } }));
    let text = '';
    for await (const event of session.events) {
      if (event.type === 'text') text += event.text;
      if (text === 'up') await session.interrupt?.();
    }
    expect(await session.result).toMatchObject({ kind: 'interrupted', resumeId: 'by-sdk' });
    const again = await run('', bySdk('waits', { flags: { resume }, request: { resume: 'by-sdk' } }));
    expect([again.text, again.result.kind]).toEqual(['went on', 'finished']);
  },
);
