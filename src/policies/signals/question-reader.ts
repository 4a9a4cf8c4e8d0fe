// Reads a question to a person: the marker on its own line, by the rules of the done marker, then the text.
import { createBoundedText } from '#base/bounded-text.ts';
import { createMarkerReader } from './marker-reader.ts';

const questionMax = 4000;

export function createQuestionReader(word: string) {
  const marker = createMarkerReader(word);
  const text = createBoundedText({ head: 0, tail: 2 * questionMax });
  return {
    onText: (piece: string): void => {
      marker.onText(piece);
      text.add(piece);
    },
    onToolCall: (): void => {
      marker.onToolCall();
      text.clear();
    },
    /** Null if nothing is asked. */
    end: (): string | null => (marker.isDone() ? questionIn(text.text(), word) : null),
  };
}

/** The text after the marker; if there is none, the paragraph before it. */
function questionIn(text: string, word: string): string {
  const at = text.lastIndexOf(word);
  const after = trimmed(at === -1 ? text : text.slice(at + word.length));
  const before = at === -1 ? '' : trimmed(text.slice(0, at));
  const question = after === '' ? (before.split(/\n\s*\n/).at(-1) ?? '') : after;
  return question === ''
    ? 'It asks for a person, and does not say what for.'
    : question.slice(0, questionMax);
}

/** Without the decoration around the marker. */
function trimmed(text: string): string {
  return text.replace(/^[*_`\s]+/, '').replace(/[*_`\s]+$/, '');
}
