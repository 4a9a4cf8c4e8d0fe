// Plants a failure in shell scripts that the command names. Pure.
import { isShell, isShellTest } from '#analysis/test-files/shell-tests.ts';
import { pathsIn } from '#analysis/test-files/started-scripts.ts';
import { isTest } from '#analysis/test-files/test-names.ts';
import { isAmong } from '#analysis/texts/path-words.ts';
import { mask } from '#analysis/texts/mask.ts';
import { createScriptRunner, isMatched, startingTexts } from './scripts.ts';
import { joinedId, withLineEnd } from './style.ts';
import { noPlace, type Planted, type SourceText } from './test-runner.ts';

export const shellScript = createScriptRunner(
  'shell script',
  ({ path, text }, context) =>
    isShell(path, text) &&
    (isAmong(startingTexts(context).flatMap(pathsIn), path) ||
      ((isTest(path) || isShellTest(path, text)) && isMatched(path, context))),
  plantInShell,
);

/** One failure per test word: if one passes, the script is green. Without words it only starts programs. */
function plantInShell({ path, text }: SourceText, id: string): Planted {
  const masked = mask(text, 'shell');
  const isOwn = /^\s*(?:function\s+test\b|test\s*\(\))/m.test(masked);
  const words = ['[', '[[', ...(isOwn ? [] : ['test'])].filter((word) =>
    new RegExp(String.raw`(?:^|[\s;&|!])${word.replaceAll('[', String.raw`\[`)} `, 'm').test(masked),
  );
  const exit = /^exit\b[^\n]*\s*$(?![\s\S]*^\S)/m.exec(masked)?.index ?? text.length;
  // An exit with 1 or more is itself a failure; after any other, the place may not be reached.
  const isLeftBefore = /\bexec\b|\bexit\b(?!\s+[1-9])/.test(masked.slice(0, exit));
  if (words.length === 0 || isLeftBefore || /<<-?\s*\S/.test(masked)) return noPlace(path);
  const ids = words.map((_, index) => joinedId(id, index));
  const prints = ids.map(({ parts }) => `printf 'not ok - %s_%s\\n' ${parts[0]} ${parts[1]}; `);
  const tries = ids.map(({ parts }, index) => {
    const close = { '[': ' ]', '[[': ' ]]' }[words[index] ?? ''] ?? '';
    return `${words[index] ?? ''} "$(printf '%s_%s' ${parts[0]} ${parts[1]})" = green${close} || `;
  });
  return {
    kind: 'planted',
    text: `${withLineEnd(text.slice(0, exit))}\n${tries.join('')}{ ${prints.join('')}exit 1; }\n${text.slice(exit)}`,
    failures: ids.map((one) => ({ id: one.id, test: one.id })),
  };
}
