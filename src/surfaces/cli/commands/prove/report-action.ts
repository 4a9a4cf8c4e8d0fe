import { holderName } from '#surfaces/cli/open-here.ts';
import { printDocument, printNote } from '#surfaces/cli/output.ts';
import { pickToRead } from '#surfaces/cli/pick/pick-run.ts';
import { writeOutput } from '#surfaces/cli/write-output.ts';
import { withPresentTime } from '#views/words.ts';

export interface ReportOptions {
  readonly html?: string | boolean;
  readonly output?: string;
}

export async function reportCommand(name: string | undefined, options: ReportOptions): Promise<number> {
  const { site, run: known, holder } = await pickToRead(name, 'report');
  // As in `status`: the work of a run under way includes the time since its newest event.
  const run = holder === null ? known : withPresentTime(known, Date.now());
  const { reportOf } = await import('#app/prove/report.ts');
  if (options.html !== undefined && options.html !== false) {
    const { htmlReport } = await import('#views/report/html/html-report.ts');
    const file = options.html === true ? `untildone-${run.id}.html` : options.html;
    printNote(`Wrote ${await writeOutput(file, htmlReport(await reportOf(site, run, holderName(holder))))}`);
    if (options.output === undefined) return 0;
  }
  const { markdownReport } = await import('#views/report/markdown-report.ts');
  const text = markdownReport(await reportOf(site, run, holderName(holder)));
  if (options.output === undefined) printDocument(text.trimEnd());
  else printNote(`Wrote ${await writeOutput(options.output, text)}`);
  return 0;
}
