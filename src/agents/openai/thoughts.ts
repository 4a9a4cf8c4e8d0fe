// Separates a model's thoughts, which some endpoints leave between <think> tags at the beginning of its text.
// They are not the assistant's text: a marker in them means nothing.

export interface ThoughtSplitter {
  add(piece: string): { readonly said: string; readonly thought: string };
  /** Returns the text that was held back because a tag might have begun there. */
  end(): string;
}

const opening = '<think>';
const closing = '</think>';

export function createThoughtSplitter(): ThoughtSplitter {
  let state: 'beginning' | 'thinking' | 'saying' = 'beginning';
  let held = '';

  const begin = (): { said: string; thought: string } => {
    const text = held.trimStart();
    if (text.startsWith(opening)) {
      state = 'thinking';
      held = text.slice(opening.length);
      return think();
    }
    if (opening.startsWith(text)) return { said: '', thought: '' };
    state = 'saying';
    return { said: release(), thought: '' };
  };
  const think = (): { said: string; thought: string } => {
    const end = held.indexOf(closing);
    if (end >= 0) {
      const thought = held.slice(0, end);
      held = held.slice(end + closing.length).trimStart();
      state = 'saying';
      return { said: release(), thought };
    }
    const thought = held.slice(0, Math.max(held.length - closing.length + 1, 0));
    held = held.slice(thought.length);
    return { said: '', thought };
  };
  const release = (): string => {
    const text = held;
    held = '';
    return text;
  };
  return {
    add: (piece) => {
      if (state === 'saying') return { said: piece, thought: '' };
      held += piece;
      return state === 'beginning' ? begin() : think();
    },
    end: () => (state === 'beginning' ? release() : ''),
  };
}
