// The commands around runs: what the machine offers, settings, the first files, the demonstration.
import type { Command } from 'commander';
import type { DemoOptions } from '#surfaces/cli/commands/demo.ts';
import type { DoctorOptions } from '#surfaces/cli/commands/doctor.ts';
import type { Act } from './define-run.ts';
import { more } from './define-run.ts';

interface JsonOption {
  readonly json?: boolean;
}

export function addSetupCommands(program: Command, act: Act): void {
  program
    .command('doctor')
    .description('what is here, which agents can be used and who pays for them; or try one of them for real')
    .option('--agent <name>', 'run the sanity check with this agent, in a temporary repository', more)
    .option('--pay <how>', "by the agent's own login, or by a key in a variable: login, key")
    .option('--allow-root', 'let the agent work as root, in a container')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExamples:\n  untildone doctor\n  untildone doctor --agent claude:opus\n  untildone doctor --agent builder=claude --agent verifier=codex\n  untildone doctor --json | jq ".agents[] | select(.state == \\"ready\\").name"\n\nIt exits with 1 when no run could start here, and with 2 when the configuration cannot be read. With --agent it exits with 0 when everything worked and with 1 when something did not.',
    )
    .action((options: DoctorOptions) =>
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
  addNotifyCommand(program, act);
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
    .option('--preset <name>', 'what to show: builder-verifier (the default), actions')
    .option('--mode <who>', 'who chooses the next action: auto (the default), interactive; preset actions')
    .option('--keep', 'leave the repository for you to look at')
    .option('--json', 'print one event a line')
    .addHelpText(
      'after',
      '\nExamples:\n  untildone demo\n  untildone demo --keep\n  untildone demo --preset actions\n  untildone demo --preset actions --mode interactive',
    )
    .action((options: DemoOptions) =>
      act(async () => (await import('#surfaces/cli/commands/demo.ts')).demoCommand(options)),
    );
}

function addNotifyCommand(program: Command, act: Act): void {
  program
    .command('notify')
    .description('who is told how a run ends and what it asks')
    .command('test')
    .description('send a notification through everything that is configured, and say how it went')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExample:\n  untildone notify test\n\nExits with 0 when every one arrived or had nobody to reach, and with 1 when one did not arrive.',
    )
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .action((options: JsonOption) =>
      act(async () => (await import('#surfaces/cli/commands/notify-test.ts')).notifyTestCommand(options)),
    );
}
