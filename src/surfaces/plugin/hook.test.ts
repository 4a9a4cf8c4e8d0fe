import { describe, expect, it } from 'vitest';
import { parseHookInput } from './hook.ts';
import { splitWords } from './split-words.ts';

describe('the input of a hook', () => {
  it('The used fields of a hook input are read', () => {
    const text = JSON.stringify({ session_id: 's', cwd: '/x', prompt: 'hi', stop_hook_active: true });
    expect(parseHookInput(text)).toMatchObject({ sessionId: 's', cwd: '/x', prompt: 'hi', isHeld: true });
  });

  it.each(['', 'null', '[]', '{"session_id":7}', '{"cwd":"/x"}', '\0\xff', '{"session_id":'])(
    'The hook input %j is ignored',
    (text) => {
      expect(parseHookInput(text)).toBeNull();
    },
  );
});

describe('words of a typed command', () => {
  it('The words of a typed command are split as a shell would', () => {
    const words = splitWords(`add "a \\"b\\" c" --check 'npm test' it's`).map(({ text }) => text);
    expect(words).toEqual(['add', 'a "b" c', '--check', 'npm test', "it's"]);
  });

  it('A quoted word of a typed command is no option', () => {
    expect(splitWords('"--check"')).toEqual([{ text: '--check', isQuoted: true }]);
  });
});
