import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';
import { runOrCommit, withRun } from '#surfaces/cli/options/run-option.ts';

export const defineVerify: DefineCommand = (program, act) => {
  withRun(program.command('verify'), runOrCommit, 'run|commit')
    .summary('check finished work again on a clean checkout')
    .description('check finished work again on a clean checkout, and say what differs from what was recorded')
    .option('--signature', "also ask for a valid signature of the commit's statement")
    .option('--json', 'print one JSON document')
    .addHelpText('after', verifyHelp)
    .action(act(async () => (await import('./verify-action.ts')).verifyCommand));
};

const verifyHelp = `
Machine checks are run again and pinned files compared with the base; the words of reviewers and persons are listed as they
were recorded, not asked for again.

Examples:
  untildone verify
  untildone verify HEAD --json | jq .problems
  untildone verify 20261115 --signature

Exit codes: 0 proven again · 1 not proven · 2 nothing to verify`;
