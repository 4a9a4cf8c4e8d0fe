import { type DefineCommand, more } from '#surfaces/cli/options/define-command.ts';
import { orNewest, withRun } from '#surfaces/cli/options/run-option.ts';

export const defineFork: DefineCommand = (program, act) => {
  withRun(program.command('fork'), orNewest)
    .description('start a new run from an event of another')
    .option('--from <event>', 'event to start after; default: the last possible')
    .option('--budget <limits>', 'raise limits of the fork: usd=50,sessions=80,attempts=5', more)
    .option('--json', 'print JSON')
    .addHelpText('after', forkHelp)
    .action(act(async () => (await import('./fork-action.ts')).forkCommand));
};

const forkHelp = `
A fork begins after an event at which no step was running; \`untildone show\`
numbers the events. The old run stays as it is. The fork has its own branch,
worktree and budget. It does not start by itself: \`untildone resume\` drives it.

Examples:
  untildone fork 20261115-2204-a1b2
  untildone fork 20261115-2204-a1b2 --from 41 --budget attempts=8`;
