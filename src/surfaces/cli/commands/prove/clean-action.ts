import type { CleanedRun, CleanReport, KeptRun } from '#app/clean/clean-runs.ts';
import { parseDuration } from '#base/duration.ts';
import { exitCodes } from '#kernel/model/outcome.ts';
import { OperatorError } from '#base/operator-error.ts';
import { refuseFromInside } from '#surfaces/cli/guard.ts';
import { print, printJson } from '#surfaces/cli/output.ts';
import { pickRun } from '#surfaces/cli/pick/pick-run.ts';
import { openHere } from '#surfaces/cli/open-here.ts';
import { busy } from '#surfaces/cli/render/busy.ts';
import { sizeText } from '#views/lines/disk-use.ts';
import { count } from '#views/words.ts';

export interface CleanOptions {
  readonly older?: string;
  readonly landed?: boolean;
  readonly unlanded?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export async function cleanCommand(name: string | undefined, options: CleanOptions): Promise<number> {
  await refuseFromInside('untildone clean');
  const olderMs = options.older === undefined ? null : ageOf(options.older);
  if (options.landed === true && options.unlanded === true)
    throw new OperatorError('usage', '--landed and --unlanded cannot be combined.', 'Use one of them.');
  const site = await openHere();
  const runId = name === undefined ? null : (await pickRun(site, name, { command: 'clean' })).run.id;
  const { cleanRuns } = await import('#app/clean/clean-runs.ts');
  const isDryRun = options.dryRun === true;
  const order = {
    runId,
    olderMs,
    onlyLanded: options.landed === true,
    withUnlanded: options.unlanded === true,
    isDryRun,
  };
  const report = await busy(isDryRun ? 'measuring what can be removed' : 'removing what is not needed', () =>
    cleanRuns(site, order),
  );
  const named = report.kept.find((one) => one.runId === runId);
  if (named !== undefined)
    throw new OperatorError(
      'run-kept',
      `The run ${named.runId} was not cleaned: ${named.why}.`,
      named.next === '' ? 'See `untildone clean --help`.' : `Instead: ${named.next}`,
    );
  const exitCode = report.removed.some(({ isFailed }) => isFailed) ? exitCodes.failed : exitCodes.completed;
  if (options.json === true) printJson({ isDryRun, ...report, exitCode });
  else print(textOf(report, isDryRun));
  return exitCode;
}

function ageOf(text: string): number {
  // Elsewhere a bare number means seconds; here a person means days, and work would be lost.
  const isBare = /^\s*[\d.]+\s*$/.test(text);
  const ms = isBare ? null : parseDuration(text);
  if (ms !== null) return ms;
  throw new OperatorError(
    'usage',
    isBare ? `--older needs a unit: "${text}" has none.` : `--older takes an age, not "${text}".`,
    `For example: --older ${isBare ? `${text.trim()}d` : '14d'}`,
  );
}

function textOf({ removed, kept, caches, bytes }: CleanReport, isDryRun: boolean): string {
  const all = [
    ...removed.map(removedText),
    ...caches.map((cache) => `  ${sizeText(cache.bytes).padStart(8)}  ${cache.what}`),
  ];
  const keptTexts = kept.length === 0 ? [] : ['Kept:', ...kept.map(keptText)];
  if (all.length === 0) return ['There is nothing to remove.', ...keptTexts].join('\n');
  return [
    isDryRun ? 'Would be removed:' : 'Removed:',
    ...all,
    `  ${sizeText(bytes).padStart(8)}  in all`,
    ...(isDryRun ? ['Nothing was removed: this was --dry-run.'] : []),
    ...keptTexts,
  ].join('\n');
}

function removedText({ runId, outcome, parts, bytes, notes }: CleanedRun): string {
  const words = parts.map((part) =>
    part.what === 'branch'
      ? 'branch'
      : part.what === 'refs'
        ? count(part.count, 'ref')
        : `${part.what} ${sizeText(part.bytes)}`,
  );
  const line = `  ${sizeText(bytes).padStart(8)}  run ${runId} (${outcome}): ${words.join(', ')}`;
  return [line, ...notes.map((note) => `            ${note}`)].join('\n');
}

function keptText({ runId, why, next }: KeptRun): string {
  return `  run ${runId}: ${why}${next === '' ? '' : ` → ${next}`}`;
}
