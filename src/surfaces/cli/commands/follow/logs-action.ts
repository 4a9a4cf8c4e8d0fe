import type { Site } from '#app/site.ts';
import { OperatorError } from '#base/operator-error.ts';
import { createLogReader, type LogLine, readableLine } from '#surfaces/cli/log-files.ts';
import { print } from '#surfaces/cli/output.ts';
import { pickToRead } from '#surfaces/cli/pick/pick-run.ts';

export interface LogsOptions {
  readonly json?: boolean;
  readonly follow?: boolean;
  readonly session?: string;
}

const pollMs = 300;

export async function logsCommand(name: string | undefined, options: LogsOptions): Promise<number> {
  const { runFiles } = await import('#app/site.ts');
  const { site, run } = await pickToRead(name, 'logs');
  const { refuseCleaned } = await import('#app/clean/refuse-cleaned.ts');
  await refuseCleaned(site, run, 'its logs were removed');
  const { logsDir } = runFiles(site, run.id);
  const reader = createLogReader(logsDir, options.session ?? '');
  const show = shower(options.json === true);
  const found = await reader.readNew(show);
  if (options.follow === true) return follow(site, run.id, () => reader.readNew(show));
  if (found === 0 && options.session !== undefined) {
    throw new OperatorError(
      'no-log',
      `No log of the run ${run.id} begins with "${options.session}".`,
      `The logs are in ${logsDir}`,
    );
  }
  if (found === 0 && options.json !== true) print(`There are no logs in ${logsDir} yet.`);
  return 0;
}

/** Until the run is over, or the reader closes the pipe. */
async function follow(site: Site, runId: string, readNew: () => Promise<number>): Promise<number> {
  const { loadRun } = await import('#app/site.ts');
  while (process.stdout.writable) {
    if ((await readNew()) > 0) continue;
    if ((await loadRun(site, runId)).run.outcome !== null) {
      // Lines that were written between the last read and the end.
      await readNew();
      break;
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  return 0;
}

function shower(isJson: boolean): (line: LogLine) => void {
  let last = '';
  return ({ file, text }) => {
    if (isJson) return print(text);
    const readable = readableLine(text);
    if (readable === null) return;
    if (file !== last) print(`\n── ${file}`);
    last = file;
    print(readable);
  };
}
