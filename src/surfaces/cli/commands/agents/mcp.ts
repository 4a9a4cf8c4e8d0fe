import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';

export const defineMcp: DefineCommand = (program, act) => {
  program
    .command('mcp')
    .summary('serve the Model Context Protocol to the agent of a run')
    .description('for agents: a Model Context Protocol server for the run that they work on')
    .option('--run <run>', 'id of a run; default: the one that this process was started by')
    .addHelpText(
      'after',
      '\nIts tools read the task, ask for a look at the work, ask a person, report progress and propose criteria.\nNone of them decides anything.\n\nExample:\n  claude --mcp-config \'{"mcpServers":{"untildone":{"command":"untildone","args":["mcp"]}}}\'',
    )
    .action(act(async () => (await import('./inside-action.ts')).mcpCommand));
};
