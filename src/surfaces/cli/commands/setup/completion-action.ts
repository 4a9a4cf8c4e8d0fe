import type { Command } from 'commander';
import { bashScript } from '#surfaces/cli/completion/bash.ts';
import { fishScript } from '#surfaces/cli/completion/fish.ts';
import { wordsOf } from '#surfaces/cli/completion/words.ts';
import { zshScript } from '#surfaces/cli/completion/zsh.ts';
import { printDocument } from '#surfaces/cli/output.ts';

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

export async function completionCommand(program: Command, shell: keyof typeof scripts): Promise<number> {
  printDocument(scripts[shell](wordsOf(program)).trimEnd());
  return 0;
}
