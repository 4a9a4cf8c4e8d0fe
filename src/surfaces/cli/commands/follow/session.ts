// `untildone session`: the durable sessions of a repository, which are its runs.
import type { Command } from 'commander';
import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';

export const defineSession: DefineCommand = (program, act) => {
  const session = program.command('session').description('show the durable sessions of this repository');
  sub(session, 'status', 'show each unfinished run and the next command').action(
    act(async () => (await import('./session-action.ts')).sessionStatusCommand),
  );
  sub(session, 'stats', 'count sessions, completed ones and tokens saved').action(
    act(async () => (await import('./session-action.ts')).sessionStatsCommand),
  );
};

function sub(session: Command, name: string, description: string): Command {
  return session
    .command(name)
    .description(description)
    .option('--json', 'print JSON')
    .addHelpText('after', `\nExample:\n  untildone session ${name}`);
}
