// Reads the lines of `claude -p --output-format stream-json --verbose`: the claude driver's messages.
import { endingOf } from './claude-ending.ts';
import { createClaudeState, hear } from './claude-state.ts';
import { translateMessage } from './translate-message.ts';
import { strayLine } from '#agents/shared/client-words.ts';
import type { OutputReader, ReaderContext } from '#agents/shared/output-reader.ts';
import { parseRecord } from '#base/parse-json.ts';

export function readClaude({ knowledge, model }: ReaderContext): OutputReader {
  const state = createClaudeState(knowledge, false);
  return {
    onLine: (line) => {
      const message = parseRecord(line);
      if (typeof message?.['type'] !== 'string') return [strayLine(line)];
      hear(state, message);
      return translateMessage(message);
    },
    usage: () => state.usage.usage(),
    model: () => state.model ?? model,
    endOf: (ending, complaint) => {
      state.complaint = complaint;
      const ended = { state, ending, knowledge, now: Date.now() };
      return endingOf({ ...ended, isInterrupted: false, wantsOutput: false });
    },
  };
}
