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
      // Trailing blanks would be lost in an editor.
      .replaceAll(/[ \t]+$/gm, '')
  );
}

/** The list before the first session, the outcome, the next step and the errors: the lines that a new user acts on. */
export function told(place: Place, { stdout, stderr }: Finished): string {
  const lines = plain(place, stdout)
    .split('\n')
    .map((line) => line.replace(/^\d\d:\d\d:\d\d /, ''));
  const kept = lines.filter((line, at) => isTold(line) || isHintOf(lines[at - 1] ?? '', line));
  return [...kept, ...plain(place, stderr).trimEnd().split('\n')].filter((line) => line !== '').join('\n');
}

function isTold(line: string): boolean {
  return /^ {2}[✓!✗] |^(✅|❌|⏸|❓|⚠️|🛑)|^(Next|Proof|Error|Hint):/u.test(line);
}

/** The way on stands below its line, four blanks in. */
function isHintOf(before: string, line: string): boolean {
  return /^ {2}[!✗] /.test(before) && /^ {4}\S/.test(line);
}
