// Separates a model's thoughts, which some endpoints leave between <think> tags at the beginning of its text.
// They are not the assistant's text: a marker in them means nothing.

export interface ThoughtSplitter {
  add(piece: string): { readonly text: string; readonly thought: string };
  /** Returns the text that was held back because a tag might have begun there. */
  end(): string;
}

const opening = '<think>';
const closing = '</think>';

export function createThoughtSplitter(): ThoughtSplitter {
  let state: 'beginning' | 'thinking' | 'saying' = 'beginning';
  let held = '';

  const begin = (): { text: string; thought: string } => {
    const text = held.trimStart();
    if (text.startsWith(opening)) {
      state = 'thinking';
      held = text.slice(opening.length);
      return think();
    }
    if (opening.startsWith(text)) return { text: '', thought: '' };
    state = 'saying';
    return { text: release(), thought: '' };
  };
  const think = (): { text: string; thought: string } => {
    const end = held.indexOf(closing);
    if (end >= 0) {
      const thought = held.slice(0, end);
      held = held.slice(end + closing.length).trimStart();
      state = 'saying';
      return { text: release(), thought };
    }
    const thought = held.slice(0, Math.max(held.length - closing.length + 1, 0));
    held = held.slice(thought.length);
    return { text: '', thought };
  };
  const release = (): string => {
    const text = held;
    held = '';
    return text;
  };
  return {
    add: (piece) => {
      if (state === 'saying') return { text: piece, thought: '' };
      held += piece;
      return state === 'beginning' ? begin() : think();
    },
    end: () => (state === 'beginning' ? release() : ''),
  };
}
