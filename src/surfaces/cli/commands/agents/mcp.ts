import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';

export const defineMcp: DefineCommand = (program, act) => {
  program
    .command('mcp')
    .summary('serve MCP to the agent of a run')
    .description('serve MCP to the agent of a run')
    .option('--run <run>', 'id of the run; default: the run of this process')
    .addHelpText(
      'after',
      '\nIts tools read the task, preview the checks, ask a person, suspend the task,\nreport progress and propose criteria. No tool decides anything.\n\nExample:\n  claude --mcp-config \\\n    \'{"mcpServers":{"untildone":{"command":"untildone","args":["mcp"]}}}\'',
    )
    .action(act(async () => (await import('./inside-action.ts')).mcpCommand));
};
