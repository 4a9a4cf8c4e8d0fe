// The commands around runs: what the machine offers, settings, the first files, the demonstration.
import type { Command } from 'commander';
import type { DemoOptions } from '#surfaces/cli/commands/demo.ts';
import type { Act } from './define-run.ts';

interface JsonOption {
  readonly json?: boolean;
}

export function addSetupCommands(program: Command, act: Act): void {
  program
    .command('doctor')
    .description('what is installed, which agents can be used, what would be sandboxed')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  untildone doctor')
    .action((options: JsonOption) =>
      act(async () => (await import('#surfaces/cli/commands/doctor.ts')).doctorCommand(options)),
    );
  const config = program.command('config').description('the settings that are in force');
  config
    .command('show')
    .description('print every setting and where it comes from')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  untildone config show')
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .action((options: JsonOption) =>
      act(async () => (await import('#surfaces/cli/commands/config-show.ts')).configShowCommand(options)),
    );
  program
    .command('init')
    .description('make .untildone/config.jsonc and a plan to fill in; never overwrites')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  untildone init')
    .action((options: JsonOption) =>
      act(async () => (await import('#surfaces/cli/commands/init.ts')).initCommand(options)),
    );
  program
    .command('demo')
    .description(
      'a whole run in a temporary repository, with a scripted agent: nothing to install, nothing to pay',
    )
    .option('--keep', 'leave the repository for you to look at')
    .option('--json', 'print one event a line')
    .addHelpText('after', '\nExamples:\n  untildone demo\n  untildone demo --keep')
    .action((options: DemoOptions) =>
      act(async () => (await import('#surfaces/cli/commands/demo.ts')).demoCommand(options)),
    );
}
