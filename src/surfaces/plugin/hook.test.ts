import { describe, expect, it } from 'vitest';
import { parseHookInput } from './hook.ts';
import { splitWords } from './split-words.ts';

describe('what a hook is given', () => {
  it('is read as far as we look at it', () => {
    const text = JSON.stringify({ session_id: 's', cwd: '/x', prompt: 'hi', stop_hook_active: true });
    expect(parseHookInput(text)).toMatchObject({ sessionId: 's', cwd: '/x', prompt: 'hi', isHeld: true });
  });

  it.each(['', 'null', '[]', '{"session_id":7}', '{"cwd":"/x"}', '\0\xff', '{"session_id":'])(
    'is nothing of ours when it is %j',
    (text) => {
      expect(parseHookInput(text)).toBeNull();
    },
  );
});

describe('words of a typed command', () => {
  it('are split as a shell would', () => {
    const words = splitWords(`add "a \\"b\\" c" --check 'npm test' it's`).map(({ text }) => text);
    expect(words).toEqual(['add', 'a "b" c', '--check', 'npm test', "it's"]);
  });

  it('are no options when they stand in quotes', () => {
    expect(splitWords('"--check"')).toEqual([{ text: '--check', isQuoted: true }]);
  });
});
