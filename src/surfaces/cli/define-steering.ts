// The commands by which a person steers a run from another terminal.
import type { Command } from 'commander';
import type { PauseOptions } from '#surfaces/cli/commands/pause.ts';
import type { ResumeFlags } from '#surfaces/cli/commands/resume.ts';
import type { StopOptions } from '#surfaces/cli/commands/stop.ts';
import type { TellOptions } from '#surfaces/cli/commands/tell.ts';
import type { Act } from './define-run.ts';
import { more } from './define-run.ts';
import { noteBothSetups } from './setup-flags.ts';

const whichRun = 'id of a run, or its beginning; default: the unfinished one';

export function addSteeringCommands(program: Command, act: Act): void {
  program
    .command('pause')
    .description('pause a run; its driver waits for resume or stop')
    .argument('[run]', whichRun)
    .option('--why <reason>', 'recorded with it')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  untildone pause --why "the machine is needed"')
    .action((run: string | undefined, options: PauseOptions) =>
      act(async () => (await import('#surfaces/cli/commands/pause.ts')).pauseCommand(run, options)),
    );
  noteBothSetups(program.command('resume'))
    .description('go on with a run that is paused, parked, or whose driver died')
    .argument('[run]', whichRun)
    .option('--budget <limits>', 'raise limits: usd=50,sessions=80', more)
    .option('--setup <command>', 'change the command that installs dependencies')
    .option('--no-setup', 'install nothing from now on')
    .option('--mode <who>', 'who chooses the next action: auto, interactive; preset actions')
    .option('--allow-root', 'let agents work as root, in a container')
    .option('--json', 'print one event a line')
    .addHelpText(
      'after',
      '\nExamples:\n  untildone resume\n  untildone resume --budget usd=50\n  untildone resume --setup "npm install"',
    )
    .action((run: string | undefined, options: ResumeFlags) =>
      act(async () => (await import('#surfaces/cli/commands/resume.ts')).resumeCommand(run, options)),
    );
  program
    .command('stop')
    .description('end a run as stopped; what is proven stays on its branch')
    .argument('[run]', whichRun)
    .option('--now', 'do not wait for the session under way')
    .option('--why <reason>', 'recorded with it')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExamples:\n  untildone stop\n  untildone stop --now')
    .action((run: string | undefined, options: StopOptions) =>
      act(async () => (await import('#surfaces/cli/commands/stop.ts')).stopCommand(run, options)),
    );
  program
    .command('tell')
    .description('say something to the builder of a run')
    .argument('<text>', 'what to say')
    .option('--run <run>', whichRun)
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  untildone tell "keep the old API working"')
    .action((text: string, options: TellOptions) =>
      act(async () => (await import('#surfaces/cli/commands/tell.ts')).tellCommand(text, options)),
    );
}
