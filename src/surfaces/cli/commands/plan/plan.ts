import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';
import { type GivenOptions, withoutDefaultSetup, withRunOptions } from '#surfaces/cli/options/run-flags.ts';
import type { PlanOptions } from './plan-action.ts';

export const definePlan: DefineCommand = (program, act) => {
  withRunOptions(
    program
      .command('plan')
      .summary('have a plan made for a goal, or show the plan of a run')
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
    .action(
      act(async () => {
        const { planCommand } = await import('./plan-action.ts');
        return (goal: string | undefined, given: GivenOptions & PlanOptions) =>
          planCommand(goal, { ...given, ...withoutDefaultSetup(given) });
      }),
    );
};

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
