// The commands by which a person decides what a run cannot decide itself.
import type { Command } from 'commander';
import type { AcceptOptions } from '#surfaces/cli/commands/accept.ts';
import type { ChooseOptions } from '#surfaces/cli/commands/choose.ts';
import type { AnswerOptions } from '#surfaces/cli/commands/answer.ts';
import type { TaskOptions } from '#surfaces/cli/commands/task-control.ts';
import type { VerdictOptions } from '#surfaces/cli/commands/verdict.ts';
import type { Act } from './define-run.ts';
import { more } from './define-run.ts';

const whichRun = 'id of a run, or its beginning; default: the unfinished one';
const seeFirst = '`untildone status` shows the question, what was seen and changed, and what to type.';

export function addDecidingCommands(program: Command, act: Act): void {
  addVerdict(program, act, 'approve');
  addVerdict(program, act, 'reject');
  program
    .command('answer')
    .description('answer the question of an agent, so that its task goes on')
    .argument('<text>', 'the answer')
    .option('--run <run>', whichRun)
    .option('--task <task>', 'whose question, where several are open')
    .option('--question <id>', 'which question, where several are open')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  untildone answer "use SQLite, and keep the old table"')
    .action((text: string, options: AnswerOptions) =>
      act(async () => (await import('#surfaces/cli/commands/answer.ts')).answerCommand(text, options)),
    );
  program
    .command('choose')
    .description('choose the next action of an action loop, and go on')
    .argument('<action>', 'develop, debug, validate or complete')
    .option('--text <words>', 'tell the agent something with it')
    .option('--data <json>', 'give the agent data with it')
    .option('--run <run>', whichRun)
    .option('--json', 'print one event a line')
    .addHelpText('after', '\nExample:\n  untildone choose develop --text "begin with the parser"')
    .action((action: string, options: ChooseOptions) =>
      act(async () => (await import('#surfaces/cli/commands/choose.ts')).chooseCommand(action, options)),
    );
  program
    .command('accept')
    .description('accept a change to a pinned file')
    .argument('<path>', 'as the tamper ledger names it')
    .option('--run <run>', whichRun)
    .option('--why <reason>', 'recorded in the ledger with your name')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\n`untildone status` shows the ledger. Look at the change first.\n\nExample:\n  untildone accept src/sum.test.js --why "the old test asked for the wrong sum"',
    )
    .action((path: string, options: AcceptOptions) =>
      act(async () => (await import('#surfaces/cli/commands/accept.ts')).acceptCommand(path, options)),
    );
  addTaskControl(program, act, 'retry');
  addTaskControl(program, act, 'skip');
}

function addVerdict(program: Command, act: Act, kind: 'approve' | 'reject'): void {
  const isApprove = kind === 'approve';
  const command = program
    .command(kind)
    .description(
      isApprove
        ? 'approve a criterion, a plan, or the work of an unverified run'
        : 'reject a criterion, a plan or work, and say why; the next attempt, or the architect, is told',
    )
    .argument('[run]', isApprove ? `${whichRun}, or the last without proof` : whichRun)
    .option('--criterion <id>', 'which one, where several are open')
    .option('--task <task>', 'of which task, where several are open')
    .option('--tree <tree>', 'the work that you looked at; refused if it is another one by now')
    .option('--json', 'print one JSON document');
  if (!isApprove) command.option('--why <reason>', 'what is wrong; recorded, and told to the builder');
  const example = isApprove ? 'untildone approve' : 'untildone reject --why "the button is missing"';
  command
    .addHelpText('after', `\n${seeFirst}\n\nExample:\n  ${example}`)
    .action((run: string | undefined, options: VerdictOptions) =>
      act(async () => (await import('#surfaces/cli/commands/verdict.ts')).verdictCommand(kind, run, options)),
    );
}

function addTaskControl(program: Command, act: Act, kind: 'retry' | 'skip'): void {
  const isRetry = kind === 'retry';
  const command = program
    .command(kind)
    .description(
      isRetry
        ? 'retry a failed or skipped task with fresh attempts, and go on'
        : 'leave a task out; the outcome says so, and by whom',
    )
    .argument(
      isRetry ? '[task]' : '<task>',
      `id of the task, or its number${isRetry ? '; default: the only one that can be retried' : ''}`,
    )
    .option('--run <run>', `${whichRun}, else the newest`)
    .option('--json', 'print one JSON document');
  if (isRetry)
    command
      .option('--budget <limits>', 'raise limits: usd=50,sessions=80', more)
      .option('--allow-root', 'let agents work as root, in a container')
      .option('--no-drive', 'write it down only; `untildone resume` goes on');
  else command.option('--why <reason>', 'recorded with it');
  const example = isRetry ? 'untildone retry 3' : 'untildone skip docs --why "they are written elsewhere"';
  command
    .addHelpText(
      'after',
      `\nA run that is over is open again by it, and nothing that is done is paid for again.${isRetry ? '' : ' `untildone resume` goes on.'}\n\nExample:\n  ${example}`,
    )
    .action((task: string | undefined, options: TaskOptions) =>
      act(async () =>
        (await import('#surfaces/cli/commands/task-control.ts')).taskCommand(kind, task, options),
      ),
    );
}
