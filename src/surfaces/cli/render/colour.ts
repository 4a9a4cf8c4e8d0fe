// Colours plain text lines: views write text, and only this file decides what is highlighted.
import { clean } from './words.ts';

export type ColourWish = 'auto' | 'always' | 'never';

interface ColourInput {
  readonly wish: ColourWish;
  readonly isTerminal: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** https://no-color.org: any non-empty NO_COLOR means no colours, unless the user asks for them. */
export function usesColour({ wish, isTerminal, env }: ColourInput): boolean {
  if (wish !== 'auto') return wish === 'always';
  const isSet = (name: string): boolean => (env[name] ?? '') !== '';
  return isTerminal && !isSet('NO_COLOR') && env['TERM'] !== 'dumb';
}

const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;
type Colour = keyof typeof codes;

function styled(text: string, ...colours: readonly Colour[]): string {
  return `\u001B[${colours.map((colour) => codes[colour]).join(';')}m${text}\u001B[0m`;
}

/** The first rule that matches paints the line. */
const rules: readonly (readonly [pattern: RegExp, paint: (...groups: string[]) => string])[] = [
  [/^(✅.*)$/u, (all = '') => styled(all, 'bold', 'green')],
  [/^((?:❌|✗|⛔).*)$/u, (all = '') => styled(all, 'bold', 'red')],
  [/^((?:⚠️|⏸️|❓|Warning:|Unprotected:|WEAK PROOF).*)$/u, (all = '') => styled(all, 'yellow')],
  [/^(\d\d:\d\d:\d\d )(.*)$/u, (time = '', rest = '') => styled(time, 'dim') + paintText(rest)],
  [/^(\s+> .*)$/u, (all = '') => styled(all, 'dim')],
  [
    /^(\s*)(✓|✅)( .*)$/u,
    (indent = '', mark = '', rest = '') => indent + styled(mark, 'green') + paintText(rest),
  ],
  [/^(\s*)(!|⚠️)( .*)$/u, (indent = '', mark = '', rest = '') => indent + styled(mark + rest, 'yellow')],
  [/^(\s+)(✗|❌)( .*)$/u, (indent = '', mark = '', rest = '') => indent + styled(mark + rest, 'red')],
  [/^([A-Z][\w ]{1,30}:)$/u, (heading = '') => styled(heading, 'bold')],
  [/^([A-Z][\w ]{1,24}:)( .*)$/u, (label = '', rest = '') => styled(label, 'bold') + paintText(rest)],
];

/** Contract: without its styles the result is `clean(line)`. */
export function paintLine(line: string): string {
  const text = clean(line);
  for (const [pattern, paint] of rules) {
    const found = pattern.exec(text);
    if (found !== null) return paint(...found.slice(1));
  }
  return paintText(text);
}

const words: readonly (readonly [pattern: RegExp, colour: Colour])[] = [
  [/`[^`]+`/gu, 'cyan'],
  [/(?<=: )(?:pass|passed)\b/gu, 'green'],
  [/(?<=: )(?:fail|failed)\b|\battempt \d+ failed\b/gu, 'red'],
  [/(?<=: )(?:unknown|flaky)\b/gu, 'yellow'],
];

function paintText(text: string): string {
  // A code span that was wrapped has its other end on another line.
  if (text.split('`').length % 2 === 0) return text;
  return words.reduce(
    (now, [pattern, colour]) => now.replaceAll(pattern, (word) => styled(word, colour)),
    text,
  );
}
