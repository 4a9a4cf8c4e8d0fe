// Turns a terminal screen, as `tmux capture-pane -e` prints it, into an SVG that follows the reader's theme.

const cell = { width: 8.4, height: 18 };
const margin = 14;
const bar = 30;

/** The colours of the ANSI codes 30 to 37 and 90 to 97, for a light and a dark background. */
const colours = {
  fg: ['#1f2328', '#e6edf3'],
  c0: ['#57606a', '#8b949e'],
  c1: ['#b42318', '#ff8a80'],
  c2: ['#12724a', '#5fd39b'],
  c3: ['#8a6100', '#e6bf62'],
  c4: ['#0550ae', '#79c0ff'],
  c5: ['#7a3ea8', '#d2a8ff'],
  c6: ['#0b6e7f', '#6fd7e6'],
  c7: ['#57606a', '#c9d1d9'],
};

/**
 * @param {string} screen lines with ANSI styles
 * @param {{ title: string, columns: number }} options
 */
export function ansiToSvg(screen, { title, columns }) {
  /** @type {string[]} */
  let styles = [];
  const rows = screen
    .replace(/\s+$/, '')
    .split('\n')
    .map((line) => {
      const read = spansOf(line, styles);
      // tmux names a style only where it changes, also across lines.
      styles = read.styles;
      return read.spans;
    });
  const width = Math.ceil(columns * cell.width + 2 * margin);
  const height = bar + rows.length * cell.height + 2 * margin;
  const lines = rows.flatMap((spans, row) =>
    spans
      .filter(({ text }) => text.trim() !== '')
      .map(
        ({ text, column, styles }) =>
          `<text x="${round(margin + column * cell.width)}" y="${bar + margin + row * cell.height + 13}"${
            styles.length === 0 ? '' : ` class="${styles.join(' ')}"`
          }>${escaped(text)}</text>`,
      ),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" role="img" aria-label="${escaped(title)}">
<style>
text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre;fill:var(--fg)}
svg{--bg:#fff;--line:#d0d7de;${variables(0)}}
@media(prefers-color-scheme:dark){svg{--bg:#0d1117;--line:#30363d;${variables(1)}}}
.b{font-weight:700}.d{opacity:.65}${[0, 1, 2, 3, 4, 5, 6, 7].map((code) => `.c${code}{fill:var(--c${code})}`).join('')}
</style>
<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="9" style="fill:var(--bg);stroke:var(--line)"/>
<path d="M0 ${bar}h${width}" style="stroke:var(--line)"/>
<text x="${width / 2}" y="20" text-anchor="middle" class="c0">${escaped(title)}</text>
${lines.join('\n')}
</svg>
`;
}

/** @param {0 | 1} theme */
function variables(theme) {
  return Object.entries(colours)
    .map(([name, pair]) => `--${name}:${pair[theme]}`)
    .join(';');
}

/** One line as pieces of one style, each with its column. A wide character ends its piece, so that fonts cannot shift the next one. */
function spansOf(/** @type {string} */ line, /** @type {string[]} */ before) {
  /** @type {{ text: string, column: number, styles: string[] }[]} */
  const spans = [];
  let styles = before;
  let column = 0;
  let isOpen = false;
  // oxlint-disable-next-line no-control-regex -- the codes are what is read
  for (const [, codes, character] of line.matchAll(/\u001B\[([\d;]*)m|(\p{RI}\p{RI}|.\uFE0F?)/gu)) {
    if (character === undefined) {
      styles = stylesAfter(styles, codes ?? '');
      isOpen = false;
      continue;
    }
    const wide = isWide(character);
    const last = spans.at(-1);
    if (isOpen && last !== undefined && !wide) last.text += character;
    else spans.push({ text: character, column, styles });
    isOpen = !wide;
    column += wide ? 2 : 1;
  }
  return { spans, styles };
}

/** @type {(styles: string[], codes: string) => string[]} */
function stylesAfter(styles, codes) {
  let now = styles;
  for (const code of codes.split(';').map(Number)) {
    if (code === 0) now = [];
    else if (code === 1) now = [...now, 'b'];
    else if (code === 2) now = [...now, 'd'];
    else if (code === 22) now = now.filter((style) => style !== 'b' && style !== 'd');
    else if (code === 39) now = now.filter((style) => !style.startsWith('c'));
    else if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97))
      now = [...now.filter((style) => !style.startsWith('c')), `c${code % 10}`];
  }
  return now;
}

/** @type {(character: string) => boolean} */
function isWide(character) {
  return /\p{Emoji_Presentation}|\uFE0F/u.test(character);
}

/** @type {(text: string) => string} */
function escaped(text) {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** @type {(value: number) => number} */
function round(value) {
  return Math.round(value * 10) / 10;
}
