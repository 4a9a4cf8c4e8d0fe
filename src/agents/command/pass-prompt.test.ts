import { expect, it } from 'vitest';
import { parseCommandOptions } from './command-options.ts';
import { passPrompt } from './pass-prompt.ts';

it('A prompt is a parameter of the shell if the shell has parameters; Windows requires a list', async () => {
  const options = parseCommandOptions({ command: 'my-cli --flag' });
  expect((await passPrompt(options, '$(rm x)', 'darwin')).command).toEqual([
    '/bin/sh',
    '-c',
    'my-cli --flag "$1"',
    'sh',
    '$(rm x)',
  ]);
  await expect(passPrompt(options, '%PATH%', 'win32')).rejects.toMatchObject({
    name: 'OperatorError',
    hint: expect.stringContaining('as a list') as string,
  });
  const list = parseCommandOptions({ command: ['my-cli', '--flag'] });
  expect((await passPrompt(list, '%PATH%', 'win32')).command).toEqual(['my-cli', '--flag', '%PATH%']);
  expect((await passPrompt({ ...options, prompt: 'stdin' }, 'x', 'win32')).input).toBe('x');
});
