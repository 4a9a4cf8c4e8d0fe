// `untildone help`: guides, and the help of commands; `untildone completion`: for shells.
import { Argument } from 'commander';
import type { Command } from 'commander';
import type { Act } from './define-run.ts';

export function addHelpCommands(program: Command, act: Act): void {
  program
    .command('help')
    .description('show a guide or the help of a command')
    .argument('[topic...]', 'a guide or a command; default: list them')
    .addHelpText(
      'after',
      '\nExamples:\n  untildone help\n  untildone help checks | less\n  untildone help run',
    )
    .action((words: readonly string[]) =>
      act(async () => (await import('#surfaces/cli/commands/help.ts')).helpCommand(program, words)),
    );
  program
    .command('completion')
    .description('print a completion script for a shell')
    .addArgument(new Argument('<shell>', 'which shell').choices(shells))
    .addHelpText(
      'after',
      '\nExamples:\n  echo "source <(untildone completion bash)" >> ~/.bashrc\n  echo "source <(untildone completion zsh)" >> ~/.zshrc        behind compinit\n  untildone completion fish > ~/.config/fish/completions/untildone.fish',
    )
    .action((shell: (typeof shells)[number]) =>
      act(async () =>
        (await import('#surfaces/cli/commands/completion.ts')).completionCommand(program, shell),
      ),
    );
}

const shells = ['bash', 'zsh', 'fish'] as const;
