// Text as HTML: everything is escaped and redacted, unless it is HTML that this program made.

export interface Html {
  readonly html: string;
}

export type Part = string | number | Html | null | readonly Part[];

/** A tagged template: its own text is HTML, and the parts in it are escaped. */
export type H = (strings: TemplateStringsArray, ...parts: readonly Part[]) => Html;

export function escaping(redact: (text: string) => string): H {
  const text = (part: Part): string => {
    if (part === null) return '';
    if (typeof part === 'string') return escapeHtml(redact(part));
    if (typeof part === 'number') return String(part);
    return 'html' in part ? part.html : part.map(text).join('');
  };
  return (strings, ...parts) => ({
    html: strings.map((string, at) => string + (at < parts.length ? text(parts[at] ?? null) : '')).join(''),
  });
}

/** A sentence: text between backticks is code. */
export function prose(h: H, text: string): Html {
  // Odd parts were between backticks.
  const parts = text.split(/`([^`\n]+)`/);
  return h`${parts.map((part, at) => (at % 2 === 0 ? part : h`<code>${part}</code>`))}`;
}

const entities: { readonly [sign: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};
// As strings: linters flag control characters in a literal.
const controls = new RegExp(
  String.raw`[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]`,
  'g',
);
const unseen = new RegExp(
  String.raw`[\u0000-\u0008\u000A-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF\u{E0000}-\u{E007F}]`,
  'gu',
);

/** Also drops characters that change the text direction: they make text look like something else. */
function escapeHtml(text: string): string {
  return text.replaceAll(controls, '').replaceAll(/[&<>"'`]/g, (sign) => entities[sign] ?? '');
}

/** For names and lines of files: an invisible character is shown by its number. */
export function visible(text: string): string {
  const name = (sign: string): string => (sign.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return text.replaceAll(unseen, (sign) => `⟨U+${name(sign).padStart(4, '0')}⟩`);
}
