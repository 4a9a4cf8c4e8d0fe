// The command that makes a plan, shows it and changes it.
import type { Command } from 'commander';
import type { PlanOptions } from '#surfaces/cli/commands/plan.ts';
import type { Act, GivenOptions } from './define-run.ts';
import { withoutDefaultSetup, withRunOptions } from './define-run.ts';

export function addPlanCommand(program: Command, act: Act): void {
  withRunOptions(
    program
      .command('plan')
      .description('have a plan made for a goal, to be approved; without a goal: show the plan of a run')
      .argument(
        '[goal]',
        'what is wanted; it becomes a run of the preset campaign that waits for your approval',
      ),
  )
    .option('--run <run>', 'whose plan to show or change; default: the unfinished one')
    .option('--out <file>', 'write the plan as JSON to a file as well')
    .option('--mermaid', 'print the plan as a Mermaid graph')
    .option('--replace <file>', 'put your own plan in force for what is not done yet')
    .option('--again <why>', 'have the architect think again, and say why')
    .addHelpText('after', planHelp)
    .action((goal: string | undefined, given: GivenOptions & PlanOptions) =>
      act(async () =>
        (await import('#surfaces/cli/commands/plan.ts')).planCommand(goal, {
          ...given,
          ...withoutDefaultSetup(given),
        }),
      ),
    );
}

const planHelp = `
The plan is kept in .untildone/runs/RUN/plan.json. What is done stays done, whatever a new plan says.

Examples:
  untildone plan "move the store to SQLite" --agent claude --check "npm test"
  untildone approve && untildone resume                 work by it
  untildone plan --mermaid > plan.mmd                   draw it
  untildone plan --json > plan.json                     take it away, edit it, then:
  untildone run --plan plan.json --agent claude         a run by your own plan, without an architect
  untildone plan --replace plan.json                    or put it in force in the run that is under way

Exit codes: 0 shown or changed · 2 wrong usage · 6 the plan waits for approval · else as \`untildone run\``;
