// Fills {{placeholders}} of templates in one pass, so that a value that looks like one stays text.

export function render(template: string, values: { readonly [name: string]: string }): string {
  return template
    .replaceAll(/\{\{\s*([a-z-]+)\s*\}\}/g, (whole, name: string) =>
      Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
    )
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

/** Rewrites lines that hold only the marker: a client that echoes its prompt must not count as done. */
export function withoutMarkerLines(prompt: string, marker: string): string {
  if (!prompt.includes(marker)) return prompt;
  const isBare = (line: string): boolean =>
    line.includes(marker) && /^[*_`\s]*$/.test(line.replace(marker, ''));
  return prompt
    .split('\n')
    .map((line) => (isBare(line) ? `(the marker ${marker})` : line))
    .join('\n');
}

export function mentions(template: string, name: string): boolean {
  return new RegExp(`\\{\\{\\s*${name}\\s*\\}\\}`).test(template);
}

/** A code fence that the content cannot close. */
export function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text.replace(/\n+$/, '')}\n${fence}`;
}

export function fencedOutput(text: string): string {
  return text.trim() === '' ? '(it printed nothing)' : fenced(text);
}

export function clipped(text: string, max: number): string {
  return text.length <= max ? text : `[… ${text.length - max} characters left out …]\n${text.slice(-max)}`;
}
