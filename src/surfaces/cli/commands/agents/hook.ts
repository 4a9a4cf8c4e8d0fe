import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';

export const defineHook: DefineCommand = (program, act) => {
  program
    .command('hook', { hidden: true })
    .description('answer a hook of the client (for the plugin)')
    .argument('<event>')
    .argument('[rest...]')
    .action(act(async () => (await import('./inside-action.ts')).hookCommand));
};
