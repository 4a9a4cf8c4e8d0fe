import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';

export const definePlugin: DefineCommand = (program, act) => {
  program
    .command('plugin')
    .description('show the plugin for Claude Code and its installation')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  claude --plugin-dir "$(untildone plugin --json | jq -r .folder)"')
    .action(act(async () => (await import('./inside-action.ts')).pluginCommand));
};
