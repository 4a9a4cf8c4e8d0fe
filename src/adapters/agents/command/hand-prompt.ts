// How a prompt of any size reaches the program.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandOptions } from './command-options.ts';

export interface HandedPrompt {
  readonly command: string | readonly [string, ...string[]];
  readonly input: string | null;
  readonly env: { readonly [name: string]: string };
  cleanUp(): Promise<void>;
}

export async function handPrompt(options: CommandOptions, prompt: string): Promise<HandedPrompt> {
  const nothing = { env: {}, cleanUp: async () => {} };
  switch (options.prompt) {
    case 'argument':
      return { ...nothing, command: withArgument(options.command, prompt), input: null };
    case 'stdin':
      return { ...nothing, command: options.command, input: prompt };
    case 'file': {
      const folder = await mkdtemp(join(tmpdir(), 'untildone-prompt-'));
      const file = join(folder, 'prompt.md');
      await writeFile(file, prompt, { mode: 0o600 });
      return {
        command: withArgument(options.command, file),
        input: null,
        env: { UNTILDONE_PROMPT_FILE: file },
        cleanUp: () => rm(folder, { recursive: true, force: true }),
      };
    }
  }
}

/** As the last argument. Through a shell it goes as a parameter, so that nothing in it is ever interpreted. */
function withArgument(command: CommandOptions['command'], text: string): readonly [string, ...string[]] {
  if (typeof command !== 'string') return [...command, text];
  return ['/bin/sh', '-c', `${command} "$1"`, 'sh', text];
}
