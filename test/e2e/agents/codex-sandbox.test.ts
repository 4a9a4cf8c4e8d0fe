// Codex has its own sandbox: inside ours both hold, and the work gets done.
import { describe, expect, it } from 'vitest';
import { branchOf } from '../looking.ts';
import { canSandbox, sandboxNote } from '../sandboxed.ts';
import { codex, codexPlace, honest, task } from './codex-place.ts';
import { startModel } from './model.ts';

describe.skipIf(codex.isMissing || !canSandbox)(
  `The real Codex${codex.note} in a sandbox${sandboxNote}`,
  () => {
    it('Codex in a sandbox reaches its model and does its work [C10]', async () => {
      const model = await startModel({ reply: honest });
      const place = codexPlace({ model });
      const { stdout, stderr } = await place.untildone([...task, '--sandbox', 'bubblewrap']);
      expect(`${stdout}${stderr}`).toMatch(/✅ Completed/);
      expect(place.git('show', `${branchOf(place)}:done.txt`)).toBe('right');
      expect(place.living()).toEqual([]);
    });
  },
);
