// `untildone criteria`: what must be true of a run, and who changed it.
import { type Command, Option } from 'commander';
import type { Act, DefineCommand } from '#surfaces/cli/options/define-command.ts';
import { orNewest, withRun, withRunOption } from '#surfaces/cli/options/run-option.ts';
import type { ChangeOptions } from './criteria-change.ts';

const changes = () => import('./criteria-change.ts');

export const defineCriteria: DefineCommand = (program, act) => {
  const criteria = withRun(program.command('criteria'), orNewest)
    .summary('list, add, change or explain what must be true of a run')
    .description('what must be true of a run: list it, add to it, change it, explain it')
    .option('--json', 'print one JSON document')
    .addHelpText('after', examples)
    .action(act(async () => (await import('./criteria-action.ts')).criteriaCommand));
  sub(
    criteria,
    'explain',
    'where a criterion comes from, how it is decided, what was seen; or what would be made of a sentence',
  )
    .argument('<id|sentence>', 'id of a criterion, or a sentence in quotes')
    .action(act(async () => withGroup((await import('./criteria-action.ts')).explainCommand)));
  addChanges(criteria, act);
  addProposals(criteria, act);
};

function addChanges(criteria: Command, act: Act): void {
  written(sub(criteria, 'add', 'ask for more: a new criterion of a run that is not over'))
    .argument('<text>', 'what must be true, in a sentence')
    .option('--id <id>', 'default: the next AC number')
    .option('--entry', 'must hold before the first session')
    .option('--optional', 'looked at, but not required')
    .action(act(async () => withGroup((await changes()).addCommand)));
  written(sub(criteria, 'edit', 'change a criterion; asking for less needs --why, and the outcome says so'))
    .argument('<id>', 'of the criterion')
    .option('--text <text>', 'another sentence; its check is found anew, unless --check or --human says it')
    .option('--optional', 'no longer required')
    .addOption(new Option('--required', 'required from now on').conflicts('optional'))
    .action(act(async () => withGroup((await changes()).editCommand)));
  for (const kind of ['skip', 'remove'] as const) {
    const what = kind === 'skip' ? 'wait for it no longer, and keep it listed' : 'take it out';
    sub(criteria, kind, `${what}; needs --why, and the outcome says so`)
      .argument('<id>', 'of the criterion')
      .action(act(async () => withGroup((await changes()).dropCommand.bind(null, kind))));
  }
}

function addProposals(criteria: Command, act: Act): void {
  written(sub(criteria, 'propose', 'for agents: propose a criterion, or --skip one; a person decides'))
    .argument('<text>', 'the sentence, or the id of the one to skip')
    .option('--skip', 'propose to skip the criterion with this id')
    .action(act(async () => withGroup((await changes()).proposeCommand)));
  for (const kind of ['accept', 'reject'] as const) {
    sub(criteria, kind, `${kind} what was proposed`)
      .argument('<proposal>', 'its id, as `untildone criteria` shows it')
      .action(act(async () => withGroup((await changes()).settleCommand.bind(null, kind))));
  }
}

/** A subcommand also has the options that were given to `criteria` itself. */
function withGroup(body: (text: string, options: ChangeOptions) => Promise<number>) {
  return (text: string, _: unknown, command: Command) => body(text, command.optsWithGlobals());
}

/** The usual ones; `--json` stands above, on `criteria` itself. */
function sub(criteria: Command, name: string, description: string): Command {
  return withRunOption(criteria.command(name))
    .description(description)
    .option('--task <task>', 'whose criterion, where there are several tasks')
    .option('--why <reason>', 'recorded with it')
    .option('--json', 'print one JSON document');
}

function written(command: Command): Command {
  return command
    .option('--check <command>', 'decides it; passes by exit 0')
    .addOption(new Option('--human', 'a person decides it').conflicts('check'))
    .option('--at-acceptance', 'looked at on the base and at the end only, for a slow check');
}

const examples = `
Examples:
  untildone criteria
  untildone criteria add "the README names the new flag" --check "grep -q -- --fast README.md"
  untildone criteria explain AC-2
  untildone criteria explain 'src/tax.ts exports \`vatOf\`'
  untildone criteria edit AC-3 --optional --why "the vendor is down until Monday"
  untildone criteria skip AC-4 --why "moved to the next release"
  untildone criteria accept mhx3k2a1f-9c01d2e3`;
