import { type DefineCommand, more } from '#surfaces/cli/options/define-command.ts';
import { withRunOption } from '#surfaces/cli/options/run-option.ts';

export const defineSuspend: DefineCommand = (program, act) => {
  withRunOption(program.command('suspend'))
    .description('suspend a run or a task until a condition holds')
    .argument('[why]', 'the reason, shown to everyone')
    .option('--time <duration>', 'until a time has passed: 90s, 20m, 1h, 2d')
    .option('--until <time>', 'until a time: YYYY-MM-DDTHH:MM')
    .option('--poll', 'until a command exits 0')
    .option('--command <command>', 'the command of --poll; repeatable', more)
    .option('--every <duration>', 'time between two polls; default: suspension.pollIntervalSeconds')
    .option('--tries <number>', 'polls at most; default: suspension.maxPollAttempts')
    .option('--timeout <duration>', 'limit of one poll; default: suspension.pollTimeoutSeconds')
    .option('--file <path>', 'until a file exists; repeatable', more)
    .option('--contains <text>', 'until the file of --file contains this text')
    .option('--manual', 'until a person approves')
    .option('--any', 'of several conditions, one is enough')
    .option('--all', 'of several conditions, all must hold')
    .option('--task <task>', 'suspend this task only; others continue')
    .option('--now', 'end the running session instead of interrupting it')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      [
        '\nExamples:',
        '  untildone suspend --time 1h "the nightly build runs"',
        '  untildone suspend --poll --command "gh run watch --exit-status" "wait for CI"',
        '  untildone suspend --file /srv/export/done "the export is not there yet"',
        '  untildone suspend --manual "legal review"',
        '  untildone suspend --any --time 8h --manual "whatever comes first"',
        '\nMore: untildone help waiting',
      ].join('\n'),
    )
    .action(act(async () => (await import('./suspend-action.ts')).suspendCommand));
};
