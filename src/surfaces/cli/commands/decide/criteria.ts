// `untildone criteria`: the criteria of a run, and who changed them.
import { type Command, Option } from 'commander';
import type { Act, DefineCommand } from '#surfaces/cli/options/define-command.ts';
import { orNewest, withRun, withRunOption } from '#surfaces/cli/options/run-option.ts';
import type { ChangeOptions } from './criteria-change.ts';

const changes = () => import('./criteria-change.ts');

export const defineCriteria: DefineCommand = (program, act) => {
  const criteria = withRun(program.command('criteria'), orNewest)
    .summary('list, add, change or explain the criteria of a run')
    .description('list, add, change or explain the criteria of a run')
    .option('--json', 'print JSON')
    .addHelpText('after', examples)
    .action(act(async () => (await import('./criteria-action.ts')).criteriaCommand));
  sub(criteria, 'explain', 'explain a criterion, or the check that a sentence would get')
    .argument('<id|sentence>', 'id of a criterion, or a sentence in quotes')
    .action(act(async () => withGroup((await import('./criteria-action.ts')).explainCommand)));
  addChanges(criteria, act);
  addProposals(criteria, act);
};

function addChanges(criteria: Command, act: Act): void {
  written(sub(criteria, 'add', 'add a criterion to an unfinished run'))
    .argument('<text>', 'the criterion, as a sentence')
    .option('--id <id>', 'default: the next AC number')
    .option('--entry', 'must hold before the first session')
    .option('--optional', 'checked, but not required')
    .action(act(async () => withGroup((await changes()).addCommand)));
  written(sub(criteria, 'edit', 'change a criterion; weakening it needs --why'))
    .argument('<id>', 'of the criterion')
    .option('--text <text>', 'new sentence; its check is inferred unless given')
    .option('--optional', 'no longer required')
    .addOption(new Option('--required', 'required from now on').conflicts('optional'))
    .action(act(async () => withGroup((await changes()).editCommand)));
  for (const kind of ['skip', 'remove'] as const) {
    const what = kind === 'skip' ? 'skip a criterion and keep it listed' : 'remove a criterion';
    sub(criteria, kind, `${what}; needs --why`)
      .argument('<id>', 'of the criterion')
      .action(act(async () => withGroup((await changes()).dropCommand.bind(null, kind))));
  }
}

function addProposals(criteria: Command, act: Act): void {
  written(sub(criteria, 'propose', 'propose a criterion to a person (for agents)'))
    .argument('<text>', 'the sentence, or the id of a criterion to skip')
    .option('--skip', 'propose to skip the criterion with this id')
    .action(act(async () => withGroup((await changes()).proposeCommand)));
  for (const kind of ['accept', 'reject'] as const) {
    sub(criteria, kind, `${kind} what was proposed`)
      .argument('<proposal>', 'id of the proposal')
      .action(act(async () => withGroup((await changes()).settleCommand.bind(null, kind))));
  }
}

/** A subcommand also gets the options that were given to `criteria` itself. */
function withGroup(body: (text: string, options: ChangeOptions) => Promise<number>) {
  return (text: string, _: unknown, command: Command) => body(text, command.optsWithGlobals());
}

/** The usual options; `--json` belongs to `criteria` itself. */
function sub(criteria: Command, name: string, description: string): Command {
  return withRunOption(criteria.command(name))
    .description(description)
    .option('--task <task>', 'task of the criterion, if there are several')
    .option('--why <reason>', 'recorded with it')
    .option('--json', 'print JSON');
}

function written(command: Command): Command {
  return command
    .option('--check <command>', 'command that decides it by exit code 0')
    .addOption(new Option('--human', 'a person decides it').conflicts('check'))
    .option('--at-acceptance', 'slow: run on the base and at the acceptance only');
}

const examples = `
Examples:
  untildone criteria
  untildone criteria add "the README names the new flag" \\
    --check "grep -q -- --fast README.md"
  untildone criteria explain AC-2
  untildone criteria explain 'src/tax.ts exports \`vatOf\`'
  untildone criteria edit AC-3 --optional --why "the vendor is down"
  untildone criteria skip AC-4 --why "moved to the next release"
  untildone criteria accept mhx3k2a1f-9c01d2e3`;
