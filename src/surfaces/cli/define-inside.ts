// The commands that programs use: an agent inside a run, and the hooks of the plugin.
import type { Command } from 'commander';
import type { Act } from './define-run.ts';

export function addInsideCommands(program: Command, act: Act): void {
  program
    .command('mcp')
    .description('for agents: a Model Context Protocol server for the run that they work on')
    .option('--run <run>', 'id of a run; default: the one that this process was started by')
    .addHelpText(
      'after',
      '\nIts tools read the task, ask for a look at the work, ask a person, report progress and propose criteria.\nNone of them decides anything.\n\nExample:\n  claude --mcp-config \'{"mcpServers":{"untildone":{"command":"untildone","args":["mcp"]}}}\'',
    )
    .action((options: { readonly run?: string }) =>
      act(async () => (await import('#surfaces/cli/commands/inside.ts')).mcpCommand(options)),
    );
  program
    .command('plugin')
    .description('where the plugin for Claude Code is, and how it is installed')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  claude --plugin-dir "$(untildone plugin --json | jq -r .folder)"')
    .action((options: { readonly json?: boolean }) =>
      act(async () => (await import('#surfaces/cli/commands/inside.ts')).pluginCommand(options)),
    );
  program
    .command('hook', { hidden: true })
    .description('for the plugin: answers a hook of the client')
    .argument('<event>')
    .argument('[rest...]')
    .action((event: string, rest: readonly string[]) =>
      act(async () => (await import('#surfaces/cli/commands/inside.ts')).hookCommand(event, rest)),
    );
}
