import { Argument } from 'commander';
import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';

export const defineCompletion: DefineCommand = (program, act) => {
  program
    .command('completion')
    .description('print a completion script for a shell')
    .addArgument(new Argument('<shell>', 'which shell').choices(shells))
    .addHelpText(
      'after',
      '\nExamples:\n  echo "source <(untildone completion bash)" >> ~/.bashrc\n  echo "source <(untildone completion zsh)" >> ~/.zshrc        after compinit\n  untildone completion fish > ~/.config/fish/completions/untildone.fish',
    )
    .action(act(async () => (await import('./completion-action.ts')).completionCommand.bind(null, program)));
};

const shells = ['bash', 'zsh', 'fish'] as const;
