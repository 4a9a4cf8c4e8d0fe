// The commands about work that is done: look again, show again, hand on, land.
import type { Command } from 'commander';
import type { ExportOptions } from '#surfaces/cli/commands/export.ts';
import type { LandOptions } from '#surfaces/cli/commands/land.ts';
import type { ReplayOptions } from '#surfaces/cli/commands/replay.ts';
import type { ReportOptions } from '#surfaces/cli/commands/report.ts';
import type { VerifyCommandOptions } from '#surfaces/cli/commands/verify.ts';
import type { Act } from './define-run.ts';

const finished = 'id of a run, or its beginning; default: the one that ended last';

export function addProofCommands(program: Command, act: Act): void {
  program
    .command('verify')
    .description('check finished work again on a clean checkout, and say what differs from what was recorded')
    .argument('[run|commit]', 'a run, or a commit that one has made; default: the run that ended last')
    .option('--signature', "also ask for a valid signature of the commit's statement")
    .option('--json', 'print one JSON document')
    .addHelpText('after', verifyHelp)
    .action((name: string | undefined, options: VerifyCommandOptions) =>
      act(async () => (await import('#surfaces/cli/commands/verify.ts')).verifyCommand(name, options)),
    );
  program
    .command('land')
    .description('merge the proven work of a run into your branch, squash it, or open a pull request')
    .argument('[run]', finished)
    .option('--branch <name>', 'where it goes; default: the branch that is checked out')
    .option('--squash', 'as one commit')
    .option('--no-ff', 'always as a merge commit')
    .option('--pr', 'push the branch and open a pull request with gh, with the report as its text')
    .option('--draft', 'as a draft, with --pr')
    .option('--remote <name>', 'where to push, with --pr; default: where the target comes from, or origin')
    .option('--accept-review', "accept a reviewer's pass as the only proof")
    .option('--unproven', 'land it though it is not proven; nothing is checked')
    .option('--keep', "keep the run's branch and worktree")
    .option('--json', 'print one JSON document')
    .addHelpText('after', landHelp)
    .action((run: string | undefined, options: LandOptions) =>
      act(async () => (await import('#surfaces/cli/commands/land.ts')).landCommand(run, options)),
    );
  addHandingOn(program, act);
}

function addHandingOn(program: Command, act: Act): void {
  program
    .command('replay')
    .description('show a run again as it went, from its journal, without any agent')
    .argument('[run]', 'id of a run, or its beginning; default: the unfinished one, else the newest')
    .option('--speed <factor>', 'with its pauses, so many times as fast; default: all at once')
    .option('--json', 'print one event a line')
    .addHelpText(
      'after',
      '\nExamples:\n  untildone replay\n  untildone replay 20261115 --speed 60\n\nTo play its sessions in another run instead: untildone record',
    )
    .action((run: string | undefined, options: ReplayOptions) =>
      act(async () => (await import('#surfaces/cli/commands/replay.ts')).replayCommand(run, options)),
    );
  program
    .command('export')
    .description(
      'the evidence as an in-toto test-result statement about the commit, one JSON document a line',
    )
    .argument('[run|commit]', finished)
    .option('--format <name>', 'in-toto', 'in-toto')
    .option('--sign', 'with the key that git signs your commits with')
    .option('--note', 'keep it beside the commit, in refs/notes/untildone')
    .option('-o, --output <file>', 'where to write it; default: print it')
    .addHelpText('after', exportHelp)
    .action((name: string | undefined, options: ExportOptions) =>
      act(async () => (await import('#surfaces/cli/commands/export.ts')).exportCommand(name, options)),
    );
  program
    .command('report')
    .description('one page about a run: outcome, criteria, evidence, tamper ledger, reviewers, cost')
    .argument('[run]', 'id of a run, or its beginning; default: the unfinished one, else the newest')
    .option('--html [file]', 'as a web page that needs nothing else; default: untildone-RUN.html')
    .option('-o, --output <file>', 'where to write the text; default: print it')
    .addHelpText(
      'after',
      '\nExamples:\n  untildone report                      markdown, as for a pull request\n  untildone report --html proof.html',
    )
    .action((run: string | undefined, options: ReportOptions) =>
      act(async () => (await import('#surfaces/cli/commands/report.ts')).reportCommand(run, options)),
    );
}

const verifyHelp = `
Machine checks are run again and pinned files compared with the base; the words of reviewers and persons are listed as they
were recorded, not asked for again.

Examples:
  untildone verify
  untildone verify HEAD --json | jq .problems
  untildone verify 20261115 --signature

Exit codes: 0 proven again · 1 not proven · 2 nothing to verify`;

const landHelp = `
A target that has moved meanwhile: the merged files are checked on a clean checkout before the branch moves. A conflict touches
nothing.

Examples:
  untildone land
  untildone land 20261115 --squash --branch main
  untildone land --pr --draft

Exit codes: 0 landed · 1 the merged files are not proven · 2 refused · 4 conflict`;

const exportHelp = `
Examples:
  untildone export | jq .predicate.result
  untildone export --sign --note
  untildone export HEAD -o proof.intoto.jsonl

Notes are never pushed by us: git push origin refs/notes/untildone`;
