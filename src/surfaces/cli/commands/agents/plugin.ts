import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';

export const definePlugin: DefineCommand = (program, act) => {
  program
    .command('plugin')
    .description('show where the plugin for Claude Code is and how to install it')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  claude --plugin-dir "$(untildone plugin --json | jq -r .folder)"')
    .action(act(async () => (await import('./inside-action.ts')).pluginCommand));
};
