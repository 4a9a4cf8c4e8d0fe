import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';
import {
  type GivenOptions,
  withRunOptions,
  withSettings,
  withoutDefaultSetup,
} from '#surfaces/cli/options/run-flags.ts';

export const defineRun: DefineCommand = (program, act) => {
  const command = program
    .command('run')
    .description('start a run, or go on with the one that has the same goal')
    .argument(
      '[goal]',
      'what is wanted; default: the plan CLAUDE.md in harness/project (or WIGGUM_PLAN_DIR)',
    );
  withSettings(withRunOptions(command), ['taskFile', 'preset'])
    .option(
      '--plan <file>',
      'work by this plan (plan.json of a run, or your own) instead of asking an architect; preset campaign',
    )
    .option('--sanity-check', 'only show that builder, verifier, logs and markers work here')
    .addHelpText('after', runExamples)
    .action(
      act(async () => {
        const { runCommand } = await import('./run-action.ts');
        return (goal: string | undefined, given: GivenOptions) =>
          runCommand(goal, withoutDefaultSetup(given));
      }),
    );
};

const runExamples = `
Examples:
  untildone run "add a --version flag" --check "node cli.js --version | grep 1.0" --check "npm test" --agent claude
  untildone run --agent builder=claude:opus --agent verifier=codex --check "cargo test"
  untildone run --agent claude --agent main/builder=codex    only the builder of the task main
  untildone run "…" --agent claude --pay login         not by the key that lies in .env
  untildone run "…" --agent "command:my-cli --flag" --check "npm test" --verifier none
  untildone run --preset criteria --task-file tasks/login.md --agent claude
  untildone run --sanity-check --agent ollama:qwen3-coder
  untildone run "…" --budget usd=50,sessions=80 --json | jq .type

Ctrl-C once pauses, twice stops. Exit codes: 0 completed · 1 failed · 2 wrong usage · 3 exhausted · 4 blocked ·
5 stopped · 6 parked · 7 unverified, or reviewed and not proven`;
