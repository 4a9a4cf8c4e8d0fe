import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';
import { orNewest, withRun } from '#surfaces/cli/options/run-option.ts';

export const defineShow: DefineCommand = (program, act) => {
  withRun(program.command('show'), orNewest)
    .description('show every event of a run and its summary')
    .option('--check <id>', 'show all evidence for one criterion, with output')
    .option('--json', 'print JSON with every event')
    .addHelpText(
      'after',
      '\nExamples:\n  untildone show\n  untildone show --check npm-test\n  untildone show 20261115 --json | jq ".events[].type"',
    )
    .action(act(async () => (await import('./show-action.ts')).showCommand));
};
