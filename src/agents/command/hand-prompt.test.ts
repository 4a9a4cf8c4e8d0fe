import { expect, it } from 'vitest';
import { parseCommandOptions } from './command-options.ts';
import { handPrompt } from './hand-prompt.ts';

it('A prompt is a parameter of the shell if the shell has parameters; Windows requires a list', async () => {
  const options = parseCommandOptions({ command: 'my-cli --flag' });
  expect((await handPrompt(options, '$(rm x)', 'darwin')).command).toEqual([
    '/bin/sh',
    '-c',
    'my-cli --flag "$1"',
    'sh',
    '$(rm x)',
  ]);
  await expect(handPrompt(options, '%PATH%', 'win32')).rejects.toMatchObject({
    name: 'OperatorError',
    hint: expect.stringContaining('as a list') as string,
  });
  const list = parseCommandOptions({ command: ['my-cli', '--flag'] });
  expect((await handPrompt(list, '%PATH%', 'win32')).command).toEqual(['my-cli', '--flag', '%PATH%']);
  expect((await handPrompt({ ...options, prompt: 'stdin' }, 'x', 'win32')).input).toBe('x');
});
