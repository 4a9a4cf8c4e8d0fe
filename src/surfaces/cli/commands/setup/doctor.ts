import { type DefineCommand, more } from '#surfaces/cli/options/define-command.ts';

export const defineDoctor: DefineCommand = (program, act) => {
  program
    .command('doctor')
    .summary('check agents, logins, sandbox and machine')
    .description('check agents, logins, sandbox and machine')
    .option('--agent <name>', 'test this agent in a temporary repository', more)
    .option('--pay <how>', 'pay by login or by key: login, key')
    .option('--allow-root', 'let the agent work as root, in a container')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  untildone doctor\n  untildone doctor --agent claude:opus\n  untildone doctor --agent builder=claude --agent verifier=codex\n  untildone doctor --json | jq ".agents[] | select(.state == \\"ready\\").name"\n\nExit codes: 0 ready · 1 no run could start here, or the test of the agent failed\n            2 the configuration cannot be read',
    )
    .action(act(async () => (await import('./doctor-action.ts')).doctorCommand));
};
