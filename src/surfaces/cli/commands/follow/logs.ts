import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';
import { orNewest, withRun } from '#surfaces/cli/options/run-option.ts';

export const defineLogs: DefineCommand = (program, act) => {
  withRun(program.command('logs'), orNewest)
    .description('show what the agents of a run said and did')
    .option('-f, --follow', 'follow the logs until the run ends')
    .option('--session <name>', 'only these sessions, for example builder_002')
    .option('--json', 'print the raw log lines, one event per line')
    .addHelpText(
      'after',
      '\nExamples:\n  untildone logs -f\n  untildone logs --session verifier\n  untildone logs --json | jq -r "select(.type == \\"text\\").text"',
    )
    .action(act(async () => (await import('./logs-action.ts')).logsCommand));
};
