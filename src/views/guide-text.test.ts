import { expect, it } from 'vitest';
import { guideText } from './guide-text.ts';

const layout = { columns: 40, topics: ['safety', 'agents'] };

it('Links to guides name the command that shows them, and others keep what can be opened', () => {
  const text =
    'See [the sandbox](../safety.md#files), [agents](agents/README.md), [a decision](../adr/0001-x.md), [node](https://nodejs.org).';
  expect(guideText(text, { ...layout, columns: 400 })).toBe(
    'See the sandbox (untildone help safety), agents (untildone help agents), a decision, node (https://nodejs.org).',
  );
});

it('A picture is replaced by its description', () => {
  const text = 'Before.\n\n![The plan with its tasks](../images/plan.svg)';
  expect(guideText(text, layout)).toBe('Before.\n\n(Picture: The plan with its tasks)');
});

it('Paragraphs and list items are wrapped, and code is left as it is', () => {
  const markdown = `# Title

A paragraph that is broken
somewhere and goes on for longer than the screen is wide.

- an item with **bold** words that is longer than one line of it
1. another

\`\`\`sh
untildone run "a command that is longer than the screen and stays whole"
\`\`\`
`;
  expect(guideText(markdown, layout).split('\n')).toEqual([
    'Title',
    '',
    'A paragraph that is broken somewhere and',
    'goes on for longer than the screen is',
    'wide.',
    '',
    '- an item with bold words that is longer',
    '  than one line of it',
    '1. another',
    '',
    '    untildone run "a command that is longer than the screen and stays whole"',
  ]);
});

it('Code and paragraphs below a list item keep their lines and their indentation', () => {
  const markdown = `1. In your repository:

   \`\`\`sh
   untildone run "Add a flag" \\
     --check "npm test"
   \`\`\`

   The first check fails today, and that makes it proof.
   - a nested item that is longer than one line of it
2. Then \`untildone land\`
`;
  expect(guideText(markdown, layout).split('\n')).toEqual([
    '1. In your repository:',
    '',
    '    untildone run "Add a flag" \\',
    '      --check "npm test"',
    '',
    '   The first check fails today, and that',
    '   makes it proof.',
    '   - a nested item that is longer than',
    '     one line of it',
    '2. Then `untildone land`',
  ]);
});

it('Rows of a table become lines of a list', () => {
  const markdown = '| kind | after `--check` |\n|---|---|\n| file | `a\\|b` |\n| page | |\n';
  expect(guideText(markdown, layout)).toBe('- kind: after `--check`\n- file: `a|b`\n- page');
});

it('A row of a table has no colon or dot after a sentence, and none before its first text', () => {
  const rows = '| It drops a task. | always |\n| rn | Unknown. | Did you mean run? |\n| | Linux | macOS |\n';
  expect(guideText(rows, layout)).toBe(
    '- It drops a task. always\n- rn: Unknown. Did you mean run?\n- Linux · macOS',
  );
});

it('A word that is longer than the screen stays whole', () => {
  const long = 'x'.repeat(60);
  expect(guideText(`a ${long} b`, layout)).toBe(`a\n${long}\nb`);
});
