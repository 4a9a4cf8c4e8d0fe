// Passes a prompt of any size to the program.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperatorError } from '#base/operator-error.ts';
import type { CommandOptions } from './command-options.ts';

export interface PromptDelivery {
  readonly command: string | readonly [string, ...string[]];
  readonly input: string | null;
  readonly env: { readonly [name: string]: string };
  cleanUp(): Promise<void>;
}

export async function passPrompt(
  options: CommandOptions,
  prompt: string,
  platform: string = process.platform,
): Promise<PromptDelivery> {
  const nothing = { env: {}, cleanUp: async () => {} };
  switch (options.prompt) {
    case 'argument':
      return { ...nothing, command: withArgument(options.command, prompt, platform), input: null };
    case 'stdin':
      return { ...nothing, command: options.command, input: prompt };
    case 'file': {
      const folder = await mkdtemp(join(tmpdir(), 'untildone-prompt-'));
      const file = join(folder, 'prompt.md');
      await writeFile(file, prompt, { mode: 0o600 });
      return {
        command: withArgument(options.command, file, platform),
        input: null,
        env: { UNTILDONE_PROMPT_FILE: file },
        cleanUp: () => rm(folder, { recursive: true, force: true }),
      };
    }
  }
}

/** As the last argument. Through a shell it is a parameter, so that nothing in it is ever interpreted. */
function withArgument(
  command: CommandOptions['command'],
  text: string,
  platform: string,
): readonly [string, ...string[]] {
  if (typeof command !== 'string') return [...command, text];
  // The Windows shell interprets all its parameters.
  if (platform === 'win32')
    throw new OperatorError(
      'agent-needs-a-list',
      'On Windows a prompt cannot be the argument of a command line.',
      'Give the command as a list, ["my-cli", "--flag"], or set "prompt": "stdin".',
    );
  return ['/bin/sh', '-c', `${command} "$1"`, 'sh', text];
}
