import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';

export const defineWatch: DefineCommand = (program, act) => {
  program
    .command('watch')
    .description('wake parked runs of all repositories when they are due')
    .option('--once', 'wake what is due now, then exit')
    .option('--repo <folder>', 'with --once: only this repository')
    .option('--runs <n>', 'runs at a time (4)')
    .option('--install', 'start it at login, as a systemd user unit')
    .option('--uninstall', 'remove that unit')
    .option('--yes', 'with --install or --uninstall: do not ask')
    .option('--json', 'print one JSON event per line')
    .addHelpText('after', '\nExamples:\n  untildone watch\n  untildone watch --install')
    .action(act(async () => (await import('./watch-action.ts')).watchCommand));
};
