import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';
import { type RawOptions, withoutDefaultSetup, withRunOptions } from '#surfaces/cli/options/run-flags.ts';
import type { PlanOptions } from './plan-action.ts';

export const definePlan: DefineCommand = (program, act) => {
  withRunOptions(
    program
      .command('plan')
      .summary('plan a goal, or show the plan of a run')
      .description('plan a goal for your approval, or show a plan')
      .argument('[goal]', 'goal of a new run that waits for your approval'),
  )
    .option('--run <run>', 'run of the plan; default: the unfinished one')
    .option('--out <file>', 'also write the plan to this file as JSON')
    .option('--mermaid', 'print the plan as a Mermaid graph')
    .option('--replace <file>', 'replace the open part of the plan with your own')
    .option('--again <why>', 'request a new plan, with a reason')
    .addHelpText('after', planHelp)
    .action(
      act(async () => {
        const { planCommand } = await import('./plan-action.ts');
        return (goal: string | undefined, options: RawOptions & PlanOptions) =>
          planCommand(goal, { ...options, ...withoutDefaultSetup(options) });
      }),
    );
};

const planHelp = `
The plan is kept in .untildone/runs/RUN/plan.json. Finished tasks stay finished
in every new plan.

Examples:
  untildone plan "move the store to SQLite" --agent claude --check "npm test"
  untildone approve && untildone resume           accept it and start
  untildone plan --mermaid > plan.mmd             draw it
  untildone plan --json > plan.json               save it, edit it, then:
  untildone run --plan plan.json --agent claude   run it without an architect
  untildone plan --replace plan.json              or use it in the running run

Exit codes: 0 shown or changed · 2 wrong usage · 6 the plan waits for approval
            else as \`untildone run\``;
