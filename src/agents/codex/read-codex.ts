// The lines of `codex exec --json`.
import { unknownUsage } from '#kernel/model/budget.ts';
import { usageOf } from './codex-usage.ts';
import { createCodexLineReader } from './exec-lines.ts';
import { failureOf } from './turn-error.ts';
import { crashOf, isGood } from '#agents/shared/client-words.ts';
import type { OutputReader, ReaderContext } from '#agents/shared/output-reader.ts';

export function readCodex({ knowledge, model }: ReaderContext): OutputReader {
  const reader = createCodexLineReader();
  return {
    onLine: (line) => reader.onLine(line),
    usage: () => {
      const { tokens } = reader.heard();
      return tokens === null ? unknownUsage : usageOf(knowledge, model, tokens);
    },
    model: () => model,
    endOf: (ending, complaint) => {
      const { end } = reader.heard();
      if (end?.kind === 'completed' && isGood(ending)) return { kind: 'finished' };
      if (end?.kind !== 'failed') return crashOf(ending, complaint);
      return failureOf(
        { message: end.message, info: null },
        { knowledge, now: Date.now(), windowResetAt: null },
      );
    },
  };
}
