import { resolveFileName, type RepositoryFacts } from './facts.ts';
import { identifierOf, isDocument, isPath } from './names.ts';
import type { Sentence, Token } from './sentence.ts';

/** Groups of a whole match by name; a group that holds `<n>` is that token, any other is its words. */
export interface Match {
  token(name: string): Token | null;
  word(name: string): string | null;
}

/** The first pattern that matches the sentence from its first word to its last. */
export function matchWhole(sentence: Sentence, patterns: readonly RegExp[]): Match | null {
  for (const pattern of patterns) {
    const found = pattern.exec(sentence.words);
    if (found === null) continue;
    const groups = found.groups ?? {};
    return {
      token: (name) => {
        const index = /^<(\d+)>$/.exec(groups[name] ?? '')?.[1];
        return index === undefined ? null : (sentence.tokens[Number(index)] ?? null);
      },
      word: (name) => groups[name] ?? null,
    };
  }
  return null;
}

/** Patterns from lines: `@x@` matches a token named x, `{noun}` one of the listed words; anchored. */
export function patterns(parts: Readonly<Record<string, string>>, ...lines: readonly string[]): RegExp[] {
  return lines.map((line) => {
    const filled = line.replaceAll(/\{(\w+)\}/g, (_, name: string) => `(?:${parts[name] ?? ''})`);
    return new RegExp(`^${filled.replaceAll(/@(\w+)@/g, (_, name: string) => `(?<${name}><\\d+>)`)}$`);
  });
}

export function pathOf(token: Token | null, facts: RepositoryFacts): string | null {
  if (token === null) return null;
  const { text } = token;
  const isFile = isPath(text) || facts.files.includes(text) || isDocument(text, facts);
  return isFile ? resolveFileName(text, facts) : null;
}

export function nameOf(token: Token | null): string | null {
  return token === null ? null : identifierOf(token.text);
}

/** Quoted names and full paths are certain; a bare word may have another meaning. */
export function certainty(...tokens: readonly (Token | null)[]): number {
  const isSure = tokens.every((token) => token === null || token.isQuoted || token.text.includes('/'));
  return isSure ? 0.95 : 0.85;
}
