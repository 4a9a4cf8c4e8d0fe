import { describe, expect, it } from 'vitest';
import type { FileDiff, FileDiffs } from '#kernel/model/base.ts';
import { reportInput } from '#test/simulated/report-input.ts';
import { playRun, simulatedTask } from '#test/simulated/simulated-run.ts';
import { htmlReport } from './html-report.ts';

const file = (path: string, lines: readonly string[], known: Partial<FileDiff> = {}): FileDiff => ({
  path,
  oldPath: null,
  change: 'changed',
  mode: null,
  counts: { added: 1, removed: 1 },
  lines,
  linesHidden: 0,
  ...known,
});

function pageWith(files: readonly FileDiff[], known: Partial<FileDiffs> = {}, goal = 'make it work'): string {
  const { run, events } = playRun({ tasks: [simulatedTask('main')], config: { goal } });
  const diffs = { files, filesHidden: 0, added: 1, removed: 1, ...known };
  const changes = {
    kind: 'shown',
    diffs,
    command: 'git diff aaaaaaaaaaaa..bbbbbbbbbbbb',
    note: null,
  } as const;
  return htmlReport(reportInput(run, { events, changes }));
}

describe('The diff on the page of a report', () => {
  it('Added and removed lines are told apart by their element and their sign, and neighbours share one', () => {
    const page = pageWith([file('a.ts', ['@@ -1,2 +1,2 @@', ' same', '-old', '+new', '+newer'])]);
    expect(page).toContain(
      '<pre><b>@@ -1,2 +1,2 @@</b><span> same</span><del>-old</del><ins>+new\n+newer</ins></pre>',
    );
    expect(page).toContain('The same in a terminal: <code>git diff aaaaaaaaaaaa..bbbbbbbbbbbb</code>');
  });

  it('Hostile paths and lines stay text, and invisible characters are shown by their number', () => {
    const page = pageWith([
      file('</script>\n\u202Egpj.exe', ['+</pre><script>x</script>', '+a\u200Bb\u001B[31m', '+x\r']),
    ]);
    const body = page.slice(page.indexOf('<body>'));
    expect(body).not.toMatch(/<script|<\/script|\u202E|\u200B/);
    expect(body).not.toContain('\u001B');
    expect(body).toContain('<code>&lt;/script&gt;⟨U+000A⟩⟨U+202E⟩gpj.exe</code>');
    expect(body).toContain('+a⟨U+200B⟩b⟨U+001B⟩[31m\n+x␍');
    const tags = [...body.matchAll(/<[a-z][^>]*>/gi)].map(([tag]) => tag);
    expect(tags.filter((tag) => !/^<[a-z0-9]+( class="[a-z]+"| open)?>$/.test(tag))).toEqual([]);
  });

  it('The page says how much of a large change is left out, and the command that shows it', () => {
    const page = pageWith(
      [
        file('big.ts', ['+x'], { linesHidden: 4000 }),
        file('logo.png', [], { change: 'added', counts: null }),
      ],
      { filesHidden: 7 },
    );
    expect(page).toContain('9 files changed');
    expect(page).toContain(
      'Left out here: 4000 lines of 1 file and 7 whole files. To see everything: <code>git diff ',
    );
    expect(page).toContain('added, binary or too large to show');
  });
});

describe('Code in the sentences of a report', () => {
  it('Text between backticks becomes code, and no backtick is left in the page', () => {
    const page = pageWith([file('a', ['+`x`'])], {}, 'make `greet` work, even with one ` alone');
    expect(page).toContain('make <code>greet</code> work, even with one &#96; alone');
    expect(page).not.toContain('`');
  });
});
