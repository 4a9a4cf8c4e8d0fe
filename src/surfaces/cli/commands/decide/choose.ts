import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';
import { withRunOption } from '#surfaces/cli/options/run-option.ts';

export const defineChoose: DefineCommand = (program, act) => {
  withRunOption(program.command('choose'))
    .description('choose the next action of an action loop')
    .argument('<action>', 'develop, debug, validate or complete')
    .option('--text <words>', 'message to the agent')
    .option('--data <json>', 'JSON data for the agent')
    .option('--json', 'print one JSON event per line')
    .addHelpText('after', '\nExample:\n  untildone choose develop --text "begin with the parser"')
    .action(act(async () => (await import('./choose-action.ts')).chooseCommand));
};
