import { knownAgentNames } from '#config/setting-table.ts';
import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';
import {
  type RawOptions,
  withRunOptions,
  withSettings,
  withoutDefaultSetup,
} from '#surfaces/cli/options/run-flags.ts';

export const defineRun: DefineCommand = (program, act) => {
  const command = program
    .command('run')
    .description('start a run, or resume the one with this goal')
    .argument('[goal]', 'the goal; default: CLAUDE.md in harness/project (or WIGGUM_PLAN_DIR)');
  withSettings(withRunOptions(command), ['taskFile', 'preset'])
    .option('--plan <file>', 'use this plan instead of an architect')
    .option('--sanity-check', 'only test that builder, verifier and logs work')
    .addHelpText('after', runExamples)
    .action(
      act(async () => {
        const { runCommand } = await import('./run-action.ts');
        return (goal: string | undefined, options: RawOptions) =>
          runCommand(goal, withoutDefaultSetup(options));
      }),
    );
};

const runExamples = `
Values:
  --check    a command, file:PATH, symbol:NAME@FILE or http://…
  --agent    NAME, NAME:model, role=NAME or task/role=NAME. Names:
             ${knownAgentNames}, ollama, lmstudio,
             a name of your configuration, "acp:my-agent",
             "command:my-cli --flag", scripted:file.json
  --budget   US dollars, or usd, sessions, tokens, hours, attempts, sessionUsd
             and sessionTokens, with commas
  --preset   builder-verifier (all criteria at once), criteria (one by one),
             queue (tasks of a file), campaign (plan first),
             actions (turn by turn)

Examples:
  untildone run "add a --version flag" --agent claude \\
    --check "node cli.js --version | grep 1.0" --check "npm test"
  untildone run "…" --agent builder=claude:opus --agent verifier=codex
  untildone run "…" --agent claude --agent main/builder=codex   only for main
  untildone run "…" --agent claude --pay login   the login, not the key in .env
  untildone run "…" --agent "command:my-cli --flag" --verifier none
  untildone run --preset criteria --task-file tasks/login.md --agent claude
  untildone run --sanity-check --agent ollama:qwen3-coder
  untildone run "…" --budget usd=50,sessions=80 --json | jq .type

Ctrl-C once pauses, twice stops.
Exit codes: 0 completed · 1 failed · 2 wrong usage · 3 exhausted · 4 blocked
            5 stopped · 6 parked · 7 unverified, or reviewed and not proven`;
