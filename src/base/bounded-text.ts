// Keeps the beginning and the end of a text of any length, with a note of how much was omitted between; or the
// beginning alone.

export interface BoundedText {
  add(piece: string): void;
  /** At most `head + tail` bytes of UTF-8, plus the note; the same however the text was cut in pieces. */
  text(): string;
  clear(): void;
}

export function createBoundedText(bytes: { readonly head: number; readonly tail: number }): BoundedText {
  let head = '';
  let tail: string[] = [];
  let tailLength = 0;
  let length = 0;

  const add = (piece: string): void => {
    length += piece.length;
    const room = bytes.head - head.length;
    if (room > 0) head += piece.slice(0, room);
    const rest = room > 0 ? piece.slice(room) : piece;
    if (rest === '') return;
    tail.push(rest);
    tailLength += rest.length;
    while (tailLength - (tail[0]?.length ?? 0) >= bytes.tail) tailLength -= tail.shift()?.length ?? 0;
    // Many tiny pieces cost more memory than their text.
    if (tail.length > 1024) tail = [tail.join('')];
  };

  const text = (): string => {
    const end = tail.join('').slice(-bytes.tail);
    if (head.length + end.length === length && utf8Length(head + end) <= bytes.head + bytes.tail)
      return head + end;
    const first = firstBytes(head, bytes.head);
    const last = lastBytes(end, bytes.tail);
    return `${first}\n[… ${length - first.length - last.length} characters left out …]\n${last}`;
  };

  const clear = (): void => {
    head = '';
    tail = [];
    tailLength = 0;
    length = 0;
  };
  return { add, text, clear };
}

/** The text, or its beginning and `…`: at most `max` UTF-16 units, without half of a character. */
export function clipped(text: string, max: number): string {
  if (text.length <= max) return text;
  const beginning = text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '');
  return `${beginning.trimEnd()}…`;
}

function firstBytes(text: string, bytesMax: number): string {
  let bytes = 0;
  for (let at = 0; at < text.length;) {
    const size = sizeAt(text, at);
    if (bytes + size.bytes > bytesMax || isHalf(text, at)) return text.slice(0, at);
    bytes += size.bytes;
    at += size.units;
  }
  return text;
}

function lastBytes(text: string, bytesMax: number): string {
  let bytes = utf8Length(text);
  let at = isLowSurrogate(text, 0) ? 1 : 0;
  if (at === 1) bytes -= 3;
  while (bytes > bytesMax) {
    const size = sizeAt(text, at);
    bytes -= size.bytes;
    at += size.units;
  }
  return text.slice(at);
}

function utf8Length(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length;) {
    const size = sizeAt(text, at);
    bytes += size.bytes;
    at += size.units;
  }
  return bytes;
}

function sizeAt(text: string, at: number): { bytes: number; units: number } {
  const code = text.codePointAt(at) ?? 0;
  if (code < 0x80) return { bytes: 1, units: 1 };
  if (code < 0x800) return { bytes: 2, units: 1 };
  return code < 0x10000 ? { bytes: 3, units: 1 } : { bytes: 4, units: 2 };
}

/** A cut text may end with the first half of a surrogate pair. */
function isHalf(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return at === text.length - 1 && code >= 0xd800 && code < 0xdc00;
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code < 0xe000;
}
