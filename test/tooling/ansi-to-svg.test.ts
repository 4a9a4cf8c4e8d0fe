import { expect, it } from 'vitest';
import { ansiToSvg } from '../../scripts/ansi-to-svg.mjs';

it('A style of a terminal holds until the next one, also across lines', () => {
  const svg = ansiToSvg('\u001B[90mfirst\nsecond\u001B[0m third\nfourth\n', { title: 'x', columns: 20 });
  const classOf = (text: string): string | undefined =>
    new RegExp(`<text [^>]*?(?:class="([^"]*)")?>\\s*${text}</text>`).exec(svg)?.[1];
  expect(['first', 'second', 'third', 'fourth'].map(classOf)).toEqual(['c0', 'c0', undefined, undefined]);
});
