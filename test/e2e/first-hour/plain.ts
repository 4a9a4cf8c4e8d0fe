// Output of the program without the parts that differ from run to run.
import type { Finished } from '../package.ts';
import type { Place } from '../place.ts';

export function plain(place: Place, text: string): string {
  return (
    text
      .replaceAll(place.repo, 'REPO')
      .replaceAll(place.folder, 'PLACE')
      .replaceAll(/\d{8}-\d{4,6}-[a-z0-9-]+/g, 'RUN')
      .replaceAll(/\b[0-9a-f]{10,40}\b/g, 'COMMIT')
      .replaceAll(/\b(at|from) [0-9a-f]{7}\b/g, '$1 COMMIT')
      .replaceAll(/_\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d/g, '_TIME')
      // Trailing blanks would be lost in an editor.
      .replaceAll(/[ \t]+$/gm, '')
  );
}

/** Lines of the list that are the same in every small repository. */
const usual = /^ {2}[✓!] (sandbox|builder|budget):/;

/** The list before the first session, the outcome, the next step and the errors: the lines that a new user acts on. */
export function printed(place: Place, { stdout, stderr }: Finished): string {
  const lines = plain(place, stdout)
    .split('\n')
    .map((line) => line.replace(/^\d\d:\d\d:\d\d /, ''));
  const parked = lines.findIndex((line) => line.startsWith('⏸'));
  const kept = lines.filter(
    (line, at) => (parked >= 0 && at >= parked) || isTold(line) || isBelow(lines[at - 1] ?? '', line),
  );
  return [...kept, ...plain(place, stderr).trimEnd().split('\n')].filter((line) => line !== '').join('\n');
}

function isTold(line: string): boolean {
  return (
    (/^ {2}[✓!✗] /.test(line) && !usual.test(line)) ||
    /^(\p{Extended_Pictographic}|✓|✗|(Next|Proof):)/u.test(line)
  );
}

/** The way on stands below its line, further in. */
function isBelow(before: string, line: string): boolean {
  return /^ {2}[!✗] |^Next:/.test(before) && /^ {2,}\S/.test(line) && !/^ {2}[✓!✗] /.test(line);
}
