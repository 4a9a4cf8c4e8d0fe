// The change of a run as HTML: one part per file that opens and closes, added and removed lines coloured.
import type { FileDiff } from '#kernel/model/base.ts';
import type { H, Html } from './html-words.ts';
import { visible } from './html-words.ts';
import type { ReportedChanges } from '#views/report/report-page.ts';
import { count } from '#views/words.ts';

/** A small change is open from the start. */
const openFiles = 6;
const openLines = 150;

export function changesHtml(h: H, changes: ReportedChanges): Html {
  if (changes.kind === 'none') return h`<p class="quiet">${changes.why}</p>`;
  if (changes.kind === 'gone')
    return h`<p>Git can no longer show this change: ${changes.why}</p>${changes.landed === null ? null : h`<p>The landed commit: <code>git show ${changes.landed}</code></p>`}`;
  const { diffs, command, note } = changes;
  const { files, filesHidden, added, removed } = diffs;
  const lines = files.reduce((sum, file) => sum + file.lines.length, 0);
  const isOpen = files.length <= openFiles && lines <= openLines;
  return h`<p>${count(files.length + filesHidden, 'file')} changed: <ins>+${added}</ins> <del>−${removed}</del> lines</p>
${note === null ? null : h`<p class="quiet">${note}</p>`}<div class="files">${files.map((file) => fileHtml(h, file, isOpen))}</div>
<p class="quiet">${hiddenWords(diffs)} <code>${command}</code></p>`;
}

/** What is left out, and an introduction of the command that shows it. */
function hiddenWords({
  files,
  filesHidden,
}: {
  readonly files: readonly FileDiff[];
  readonly filesHidden: number;
}): string {
  const cut = files.filter(({ linesHidden }) => linesHidden > 0);
  const lines = cut.reduce((sum, file) => sum + file.linesHidden, 0);
  const left = [
    ...(lines === 0 ? [] : [`${count(lines, 'line')} of ${count(cut.length, 'file')}`]),
    ...(filesHidden === 0 ? [] : [count(filesHidden, 'whole file')]),
  ];
  return left.length === 0
    ? 'The same in a terminal:'
    : `Left out here: ${left.join(' and ')}. To see everything:`;
}

function fileHtml(h: H, file: FileDiff, isOpen: boolean): Html {
  const { path, oldPath, change, mode, counts, lines, linesHidden } = file;
  const how = [
    change === 'changed' ? null : change,
    oldPath === null ? null : `from ${visible(oldPath)}`,
    mode === null ? null : `mode ${mode}`,
    counts === null ? 'binary or too large to show' : null,
  ].filter((word) => word !== null);
  const plus = (counts?.added ?? 0) === 0 ? null : h` <ins>+${counts?.added ?? 0}</ins>`;
  const minus = (counts?.removed ?? 0) === 0 ? null : h` <del>−${counts?.removed ?? 0}</del>`;
  const head = h`<code>${visible(path)}</code>${plus}${minus} <small>${how.join(', ')}</small>`;
  const hidden =
    linesHidden === 0 ? null : h`<p class="quiet">${count(linesHidden, 'line')} of this file left out.</p>`;
  if (lines.length === 0) return h`<div class="file">${head}${hidden}</div>`;
  const body = h`<pre>${groups(lines).map((group) => groupHtml(h, group))}</pre>${hidden}`;
  return isOpen
    ? h`<details open><summary>${head}</summary>${body}</details>`
    : h`<details><summary>${head}</summary>${body}</details>`;
}

/** Neighbouring lines with the same sign. */
function groups(lines: readonly string[]): string[][] {
  const found: string[][] = [];
  for (const line of lines) {
    const last = found.at(-1);
    if (last !== undefined && last[0]?.[0] === line[0] && line[0] !== '@') last.push(line);
    else found.push([line]);
  }
  return found;
}

function groupHtml(h: H, group: readonly string[]): Html {
  const text = group.map((line) => visible(line.replace(/\r$/, '␍'))).join('\n');
  const sign = group[0]?.[0];
  if (sign === '+') return h`<ins>${text}</ins>`;
  if (sign === '-') return h`<del>${text}</del>`;
  return sign === '@' ? h`<b>${text}</b>` : h`<span>${text}</span>`;
}
