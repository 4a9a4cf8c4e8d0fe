// The entry of the command line. Every action is imported when it is used, so that `--help` loads only definitions.
import { CommanderError } from 'commander';
import { exitCodes } from '#kernel/model/outcome.ts';
import { exitWith, guardStreams } from './output.ts';
import { createProgram } from './program.ts';
import { reportError } from './report-error.ts';
import { reportUsage } from './report-usage.ts';
import { wakeOnStart } from './wake-on-start.ts';

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

/** No option begins with a dash and a blank: `- [ ] it works` is a sentence, and commander reads it so behind a blank. */
function withSentences(argv: readonly string[]): string[] {
  return argv.map((word) => (/^-\s/.test(word) ? ` ${word}` : word));
}

await main(process.argv);
