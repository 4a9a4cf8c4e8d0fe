import { expect, it } from 'vitest';
import { withComment } from './harmless-comment.ts';

it.each([
  ['a.test.ts', 'one();\n', 'one();\n\n// Words.\n'],
  ['test_a.py', 'one()', 'one()\n\n\n# Words.\n'],
  ['a.c', 'int one;\n', 'int one;\n\n/* Words. */\n'],
  ['tests/a', '#!/bin/sh\n[ 1 = 1 ]\n', '#!/bin/sh\n[ 1 = 1 ]\n\n# Words.\n'],
])('A comment at the end of %s changes no test', (path, text, commented) => {
  expect(withComment({ path, text }, 'Words.')).toBe(commented);
});

it('A file that ends with data or with a page has no place for a comment', () => {
  expect(withComment({ path: 'a.t', text: 'ok(1);\n__END__\ndata\n' }, 'Words.')).toBeNull();
  expect(withComment({ path: 'a.php', text: '<?php one(); ?>\n' }, 'Words.')).toBeNull();
  expect(withComment({ path: 'a.txt', text: 'text\n' }, 'Words.')).toBeNull();
});
