import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { RepositoryMap } from '#app/plan/map.ts';
import { startFolder } from '#config/environment.ts';
import { exitCodes } from '#kernel/model/outcome.ts';
import { OperatorError } from '#base/operator-error.ts';
import { abortOnInterrupt } from '#surfaces/cli/abort-on-interrupt.ts';
import { print, printDocument, printJson, printNote } from '#surfaces/cli/output.ts';
import { busy } from '#surfaces/cli/render/busy.ts';
import { writeOutput } from '#surfaces/cli/write-output.ts';
import { count } from '#views/words.ts';

export interface MapOptions {
  readonly tokens?: string;
  readonly out?: string;
  readonly stats?: boolean;
  readonly json?: boolean;
}

export async function mapCommand(
  first: string | undefined,
  more: readonly string[],
  options: MapOptions,
): Promise<number> {
  const tokens = readTokens(options.tokens);
  const cwd = startFolder(process.cwd(), process.env);
  const isPath = first !== undefined && first !== '' && existsSync(resolve(cwd, first));
  const { mapHere } = await import('#app/plan/map-here.ts');
  const interrupt = abortOnInterrupt();
  const order = {
    goal: isPath ? '' : (first ?? ''),
    paths: isPath ? [first, ...more] : more,
    signal: interrupt.signal,
    ...(tokens === null ? {} : { tokens }),
  };
  const map = await busy('mapping the repository', () => mapHere(cwd, process.env, order))
    .catch((error: unknown) => {
      if (interrupt.signal.aborted) return null;
      throw error;
    })
    .finally(() => interrupt.dispose());
  if (map === null) {
    printNote('Interrupted: no map was made.');
    return exitCodes.stopped;
  }
  await show(map, options);
  return exitCodes.completed;
}

async function show(map: RepositoryMap, { out, stats, json }: MapOptions): Promise<void> {
  if (out !== undefined) printNote(`written: ${await writeOutput(out, map.markdown)}`);
  if (json === true) printJson(map);
  else if (stats === true) print(statsText(map));
  else if (out === undefined) printDocument(map.markdown.trimEnd());
}

function statsText({ tokens, codeTokens, stats }: RepositoryMap): string {
  const saved = (than: number): string =>
    than >= codeTokens ? '' : ` (${((1 - than / codeTokens) * 100).toFixed(1)} % fewer)`;
  return [
    `code without tests: about ${codeTokens} tokens in ${count(stats.code, 'file')}`,
    `this map:           about ${tokens} tokens${saved(tokens)}`,
    `tests, others:      ${stats.tests} and ${count(stats.others, 'file')}, by name; ${stats.vendored} written elsewhere`,
    `read now:           ${count(stats.read, 'file')}, ${stats.known} known before; ${stats.parsed} parsed`,
    'A token is counted as four characters.',
  ].join('\n');
}

// Below this, not even the head of a map fits.
const tokensMin = 500;

function readTokens(text: string | undefined): number | 'all' | null {
  if (text === undefined) return null;
  if (text === 'all') return 'all';
  const value = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (value >= tokensMin) return value;
  throw new OperatorError(
    'usage',
    `--tokens takes a whole number from ${tokensMin} on, or "all", not "${text}".`,
    'For example --tokens 4000.',
  );
}
