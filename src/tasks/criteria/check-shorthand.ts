// Reads a check on one line, as after `--check`: a command, or another kind that fits on a line. Pure.
import type { CheckTable } from './check-schema.ts';

/** `npm test` · `file:docs/api.md` · `file:README.md=Usage` · `symbol:parse@src/parse.ts` · `http://…`. */
export function tableOf(line: string): CheckTable {
  const [, kind = '', rest = ''] = /^(file|symbol):(?!\/\/)(.*)$/s.exec(line.trim()) ?? [];
  if (kind === 'file') {
    const [path = '', ...text] = rest.split('=');
    return text.length === 0 ? { file: path } : { file: path, contains: text.join('=') };
  }
  if (kind === 'symbol') {
    const [name = '', ...place] = rest.split('@');
    return place.length === 0 ? { symbol: name } : { symbol: name, in: place.join('@') };
  }
  return /^https?:\/\/\S+$/.test(line.trim()) ? { url: line.trim() } : { run: line };
}

/** Whether a text is such a line instead of a sentence; commands cannot be distinguished from sentences. */
export function isCheckLine(text: string): boolean {
  return /^(?:(?:file|symbol):(?!\/\/)\S+|https?:\/\/\S+)$/.test(text.trim());
}
