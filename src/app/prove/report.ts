// Collects what a report needs beside the run itself.
import { createRedactor } from '#config/redact.ts';
import type { Run } from '#kernel/fold/run.ts';
import { asOperatorError } from '#base/operator-error.ts';
import type { ReportInput } from '#views/report/report-page.ts';
import { ownVersion } from '#app/own-files.ts';
import { readTreeDiff, type Site } from '#app/site.ts';

export async function reportOf(site: Site, run: Run): Promise<ReportInput> {
  const redactor = createRedactor(site.env);
  const redact = (text: string): string => redactor.redact(text);
  return { run, stat: await statOf(site, run), version: ownVersion(), redact };
}

/** '' if git no longer has the objects: the report does without it. */
async function statOf(site: Site, { base, tip }: Run): Promise<string> {
  if (base === null || tip === null) return '';
  const diff = await readTreeDiff(site, base.tree, tip.tree).catch(asOperatorError);
  return 'stat' in diff ? diff.stat : '';
}
