// Reads the ACTION_RESULT of a turn from the text as it arrives, with bounded memory and in linear time.
// The same text gives the same report, however it is split into pieces.
import { createFenceReader } from './marker-reader.ts';
import { headerOf } from './field-line.ts';
import type { FenceReader } from './find-blocks.ts';
import { findBlocks } from './find-blocks.ts';
import { plainText, toolCallLine, withoutNul } from './plain-text.ts';
import { readBlock } from './read-block.ts';
import { createRecentText, droppedLines } from './recent-text.ts';
import type { ActionReading } from './report-of.ts';
import { isTemplate, rawOfBlock, readingOf } from './report-of.ts';
import { readWholeObject } from './whole-object.ts';

export interface ActionReader {
  /** Text of the assistant itself, in pieces of any size. */
  onText(piece: string): void;
  /** A tool call ends a block. A block before it still counts if none follows. */
  onToolCall(): void;
  end(): ActionReading;
}

/** Four times the limit of state_updates; the log keeps everything. */
const lengthMax = 256 * 1024;
/** Only such lines affect how later lines are read. */
const decisive = /[`~]{3}|ACTION_RESULT|\0/;

export function createActionReader(): ActionReader {
  const fences = createFenceReader();
  let hasDroppedHeader = false;
  const passLine = (line: string): void => {
    if (line === toolCallLine) return fences.onToolCall();
    fences.onLine(line);
    if (headerOf(line) !== null) hasDroppedHeader = true;
  };
  const recent = createRecentText(lengthMax, (lines) => {
    if (!decisive.test(lines)) return;
    plainText(droppedLines(lines).join('\n')).split('\n').forEach(passLine);
  });
  let reading: ActionReading | null = null;
  const read = (): ActionReading => {
    const { text, isCut } = recent.end();
    const lines = plainText(text).split('\n');
    const found = readWholeObject(lines, isCut) ?? readLastBlock(lines, fences);
    return found.kind === 'none' && hasDroppedHeader ? tooFarBack : found;
  };
  return {
    onText: (piece) => recent.add(withoutNul(piece)),
    onToolCall: () => recent.add(`\n${toolCallLine}\n`),
    end: () => (reading ??= read()),
  };
}

/** The last block that is no template decides. A quoted block counts only as the end of the answer. */
function readLastBlock(lines: readonly string[], fences: FenceReader): ActionReading {
  let template: ActionReading | null = null;
  let isQuoted = false;
  for (const block of findBlocks(lines, fences)) {
    const read = readBlock(block);
    if (read.isFollowed) isQuoted = true;
    else if (read.isObject && read.json?.kind === 'problem')
      return { kind: 'problems', problems: [`The JSON object after ACTION_RESULT ${read.json.problem}`] };
    else {
      const raw = rawOfBlock(read);
      if (!isTemplate(raw)) return readingOf(raw);
      template ??= readingOf(raw);
    }
  }
  return template ?? (isQuoted ? quoted : { kind: 'none' });
}

const quoted: ActionReading = {
  kind: 'problems',
  problems: [
    'The last ACTION_RESULT block stands in a code block or a quotation with other text after it, so it counts as quoted. End your answer with an ACTION_RESULT block, outside of code blocks.',
  ],
};

const tooFarBack: ActionReading = {
  kind: 'problems',
  problems: [
    `The last ACTION_RESULT block begins more than ${lengthMax / 1024} KB before the end of your answer and was not read. End your answer with a shorter one.`,
  ],
};
