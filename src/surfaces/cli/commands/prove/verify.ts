import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';
import { runOrCommit, withRun } from '#surfaces/cli/options/run-option.ts';

export const defineVerify: DefineCommand = (program, act) => {
  withRun(program.command('verify'), runOrCommit, 'run|commit')
    .summary('check finished work again on a clean checkout')
    .description('check finished work again on a clean checkout')
    .option('--signature', 'require a valid signature of the statement')
    .option('--json', 'print JSON')
    .addHelpText('after', verifyHelp)
    .action(act(async () => (await import('./verify-action.ts')).verifyCommand));
};

const verifyHelp = `
Machine checks are run again and pinned files compared with the base; verdicts
of reviewers and persons are listed as recorded.

Examples:
  untildone verify
  untildone verify HEAD --json | jq .problems
  untildone verify 20261115 --signature

Exit codes: 0 proven again · 1 not proven · 2 nothing to verify`;
