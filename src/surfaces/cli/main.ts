// The entry point of the command line. Actions are imported on use, so that `--help` loads only definitions.
import { CommanderError } from 'commander';
import { exitCodes } from '#kernel/model/outcome.ts';
import { chooseJson, exitWith, guardStreams } from './output.ts';
import { createProgram } from './program.ts';
import { reportError } from './report-error.ts';
import { reportUsage } from './report-usage.ts';
import { wakeOnStart } from './wake-on-start.ts';

async function main(argv: readonly string[]): Promise<void> {
  guardStreams();
  let exitCode: number = exitCodes.completed;
  const isJson = argv.includes('--json');
  chooseJson(isJson);
  // A bug outside every await; recorded facts are on disk already.
  process.on('uncaughtException', (error) => exitWith(reportError(error, isJson)));
  const program = createProgram((code) => {
    exitCode = code;
  });
  try {
    // Without a command, show the help.
    if (argv.length <= 2) program.outputHelp();
    else {
      await program.parseAsync(withSentences(argv));
      // A run that was just left is not driven again behind the person's back.
      if (exitCode !== exitCodes.parked) await wakeOnStart(argv);
    }
  } catch (error) {
    exitCode =
      error instanceof CommanderError
        ? reportUsage(error, program, argv, isJson)
        : reportError(error, isJson);
  }
  exitWith(exitCode);
}

/** No option begins with a dash and a blank: behind a blank, commander reads `- [ ] it works` as text. */
function withSentences(argv: readonly string[]): string[] {
  return argv.map((word) => (/^-\s/.test(word) ? ` ${word}` : word));
}

await main(process.argv);
