import { type DefineCommand, more } from '#surfaces/cli/options/define-command.ts';

export const defineDoctor: DefineCommand = (program, act) => {
  program
    .command('doctor')
    .summary('check which agents can be used here, and who pays for them')
    .description('what is here, which agents can be used and who pays for them; or try one of them for real')
    .option('--agent <name>', 'run the sanity check with this agent, in a temporary repository', more)
    .option('--pay <how>', "by the agent's own login, or by a key in a variable: login, key")
    .option('--allow-root', 'let the agent work as root, in a container')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExamples:\n  untildone doctor\n  untildone doctor --agent claude:opus\n  untildone doctor --agent builder=claude --agent verifier=codex\n  untildone doctor --json | jq ".agents[] | select(.state == \\"ready\\").name"\n\nIt exits with 1 when no run could start here, and with 2 when the configuration cannot be read. With --agent it exits with 0 when everything worked and with 1 when something did not.',
    )
    .action(act(async () => (await import('./doctor-action.ts')).doctorCommand));
};
