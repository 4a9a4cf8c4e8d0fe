// The entry of the command line. Every action is imported when it is used, so that `--help` loads nothing else.
import { Command, CommanderError } from 'commander';
import { ownVersion } from '#compose/own-version.ts';
import { exitCodes } from '#kernel/outcome.ts';
import { addDecidingCommands } from './define-deciding.ts';
import { addCriteriaCommands } from './define-criteria.ts';
import { addHelpCommands } from './define-help.ts';
import { addMapCommand } from './define-map.ts';
import { addPlanCommand } from './define-plan.ts';
import { addProbeCommand } from './define-probe.ts';
import { addProofCommands } from './define-proof.ts';
import { addCleanCommand } from './define-clean.ts';
import { addInsideCommands } from './define-inside.ts';
import { addRunCommands } from './define-run.ts';
import { addSetupCommands } from './define-setup.ts';
import { addSteeringCommands } from './define-steering.ts';
import { addTaskCommands } from './define-tasks.ts';
import { exitWith, guardStreams } from './output.ts';
import { reportError } from './report-error.ts';
import { reportUsage } from './report-usage.ts';

async function main(argv: readonly string[]): Promise<void> {
  guardStreams();
  let exitCode: number = exitCodes.completed;
  const isJson = argv.includes('--json');
  // A bug outside every await; what was recorded is on the disk already.
  process.on('uncaughtException', (error) => exitWith(reportError(error, isJson)));
  const program = createProgram((code) => {
    exitCode = code;
  });
  try {
    // Nobody asked for anything: show what there is.
    if (argv.length <= 2) program.outputHelp();
    else await program.parseAsync(withSentences(argv));
  } catch (error) {
    exitCode =
      error instanceof CommanderError
        ? reportUsage(error, program, argv, isJson)
        : reportError(error, isJson);
  }
  exitWith(exitCode);
}

function createProgram(setExitCode: (code: number) => void): Command {
  const program = new Command('untildone')
    .description('Runs coding agents until the work is proven done.')
    .version(ownVersion(), '-V, --version')
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .addHelpText('after', topExamples);
  const act = (run: () => Promise<number>): Promise<void> => run().then(setExitCode);
  addRunCommands(program, act);
  addTaskCommands(program, act);
  addSteeringCommands(program, act);
  addCriteriaCommands(program, act);
  addDecidingCommands(program, act);
  addProofCommands(program, act);
  addProbeCommand(program, act);
  addMapCommand(program, act);
  addPlanCommand(program, act);
  addCleanCommand(program, act);
  addSetupCommands(program, act);
  addInsideCommands(program, act);
  addHelpCommands(program, act);
  for (const command of program.commands) command.exitOverride().configureOutput({ writeErr: () => {} });
  return program;
}

const topExamples = `
Examples:
  untildone demo                                              see it work, without any agent of yours
  untildone doctor                                            which agents are here, and who pays for them
  untildone run "add a --version flag" --check "node cli.js --version | grep 1.0" --check "npm test" --agent claude
  untildone queue tasks.md --agent claude                     the tasks of a file, one after the other
  untildone plan "move the store to SQLite" --agent claude     a plan to approve, then proven tasks
  untildone status                                            from another terminal
  untildone pause · untildone resume · untildone stop
  untildone approve · untildone reject · untildone answer     what only a person can decide
  untildone help                                              list the guides; untildone help checks shows one

Exit codes: 0 completed · 1 failed · 2 wrong usage · 3 exhausted · 4 blocked · 5 stopped · 6 parked · 7 unverified`;

/** No option begins with a dash and a blank: `- [ ] it works` is a sentence, and commander reads it so behind a blank. */
function withSentences(argv: readonly string[]): string[] {
  return argv.map((word) => (/^-\s/.test(word) ? ` ${word}` : word));
}

await main(process.argv);
