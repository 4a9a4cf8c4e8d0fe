import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';
import { withRunOption } from '#surfaces/cli/options/run-option.ts';

export const defineChoose: DefineCommand = (program, act) => {
  withRunOption(program.command('choose'))
    .description('choose the next action of an action loop, and go on')
    .argument('<action>', 'develop, debug, validate or complete')
    .option('--text <words>', 'tell the agent something with it')
    .option('--data <json>', 'give the agent data with it')
    .option('--json', 'print one event a line')
    .addHelpText('after', '\nExample:\n  untildone choose develop --text "begin with the parser"')
    .action(act(async () => (await import('./choose-action.ts')).chooseCommand));
};
