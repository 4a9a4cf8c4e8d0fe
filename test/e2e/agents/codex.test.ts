// Codex itself, driven by the packed program in a real repository: the work, who is believed, and what goes wrong.
import { describe, expect, it } from 'vitest';
import { eventsOf, sessionsOf } from '../journal.ts';
import { branchOf, filesOf, roles } from '../looking.ts';
import { codex, codexPlace, honest, task } from './codex-place.ts';
import type { Via } from './codex-place.ts';
import { startModel } from './model.ts';

describe.skipIf(codex.isMissing)(`the real Codex${codex.note}`, () => {
  it.each<Via>(['app-server', 'exec'])(
    'by %s changes real files, and the run completes with proof and a commit [B1] [B5] [B8]',
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
});
