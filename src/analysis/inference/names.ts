// Decides which bare words of a sentence are names, and of what.
import { wordsIn } from '#analysis/ecosystems/ecosystems.ts';
import { type RepositoryFacts, rootFiles } from './facts.ts';

const fileEndings =
  'tsx?|mts|cts|jsx?|mjs|cjs|py|pyi|go|rs|java|rb|php|cs|cpp|cc|c|h|hpp|json|jsonc|md|mdx|ya?ml|toml|lock|html|css|scss|sql|sh|txt|env|properties|xml|ini|cfg|kts?|vue|svelte|svg|png|csv|rst|proto|graphql|tf|swift|typed|example';
const fileName = new RegExp(
  `^(?:\\./)?(?:[\\w.@()[\\]-]+/)*[\\w.@-]+\\.(?:${[fileEndings, ...wordsIn('programs', (each) => each.endings)].join('|')})$`,
);
const rootNames = new Set([
  ...'Makefile Dockerfile LICENSE Procfile Jenkinsfile CODEOWNERS justfile'.split(' '),
  ...rootFiles.filter((file) => typeof file === 'string' && !file.includes('.')),
]);
const dotName = /^\.[a-z][\w.-]+$/;

// Words that look like names but are products, formats or parts of speech.
const products =
  /^(?:(?:node|next|vue|nuxt|express|three|d3|react)\.js|TypeScript|JavaScript|GitHub|GitLab|OpenAPI|GraphQL|ESLint|PostgreSQL|MySQL|SQLite|MongoDB|macOS|iOS|WebSockets?|DevTools|NodeJS|OAuth\d?|devDependencies|peerDependencies|optionalDependencies|e\.g|i\.e|LaTeX|MacOS|DevOps|CircleCI|README|CHANGELOG|CONTRIBUTING)$/i;

const productsOfTools = new Set(
  wordsIn('programs', (each) => each.products).map((name) => name.toLowerCase()),
);

function isProduct(text: string): boolean {
  return products.test(text) || productsOfTools.has(text.toLowerCase());
}

export function isPath(text: string): boolean {
  return (
    (fileName.test(text) || rootNames.has(text) || dotName.test(text)) &&
    !isProduct(text) &&
    !text.includes('..')
  );
}

export function isRoute(text: string): boolean {
  return (
    /^(?:https?:\/\/[\w.:-]+)?\/[\w\-./]*(?:\?[\w=&.-]*)?$/.test(text) || /^https?:\/\/[\w.:-]+$/.test(text)
  );
}

/** `name`, `name()`, `Class.member`, `Type::member`. */
export function identifierOf(text: string): string | null {
  const name = text.replace(/\(\)$/, '');
  if (!/^[A-Za-z_$][\w$]*(?:(?:\.|::|#)[A-Za-z_$][\w$]*)?$/.test(name) || isPath(name)) return null;
  return keywords.has(name) ? null : name.replace(/::|#/, '.');
}

const keywords = new Set([
  'default',
  'function',
  'class',
  'const',
  'return',
  'true',
  'false',
  'null',
  'undefined',
  'None',
  'nil',
  'self',
  'this',
]);

/** Several joined words, or an underscore, make a name even without quotes. */
export function isDistinctiveName(name: string): boolean {
  const isCamel = /^[a-z][a-z0-9]*[A-Z]\w*$/.test(name);
  const isPascal = /^[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+$/.test(name);
  return isCamel || isPascal || /^[A-Za-z0-9]+(?:_[A-Za-z0-9]+)+$/.test(name);
}

/** README and the like, named without their ending. */
export function isDocument(word: string, { files }: RepositoryFacts): boolean {
  return /^[A-Z]{4,}$/.test(word) && files.some((file) => file.startsWith(`${word}.`));
}

export function isBareName(word: string, facts: RepositoryFacts): boolean {
  if (isDocument(word, facts)) return true;
  if (word === '' || isProduct(word) || word.startsWith('<')) return false;
  if (isPath(word) || isRoute(word) || facts.files.includes(word)) return true;
  if (/^[a-z][\w-]*(?:\.[\w-]+)+$/i.test(word)) return true;
  const name = word.replace(/\(\)$/, '');
  if (!/^[A-Za-z_$][\w$]*$/.test(name)) return false;
  return name !== word || isDistinctiveName(name) || facts.symbols.some((symbol) => symbol.name === name);
}

const programs = wordsIn('programs', (each) => each.spoken).map((name) =>
  name.replaceAll('.', String.raw`\.`),
);
const subcommands = [
  ...'test build check lint ci fmt package verify compile exec compose'.split(' '),
  ...wordsIn('programs', (each) => each.subcommands),
];
const argument = String.raw`(?:--?[\w][\w=./:-]*|--|\.{1,2}(?:/[\w./-]*)?|[\w.-]+/[\w./-]*|run [\w:.-]+|${subcommands.join('|')})`;

/** A command line written without quotes, at the beginning of a sentence. */
export function bareCommand(text: string, facts: RepositoryFacts): string | null {
  const own = facts.programs.map((name) => name.replaceAll(/[^\w-]/g, String.raw`\$&`));
  const pattern = new RegExp(
    `^(?:[Rr]unning |[Tt]he command )?((?:${[...programs, ...own].join('|')})(?: ${argument})+)(?= )`,
  );
  return pattern.exec(text)?.[1] ?? null;
}

const knownPrograms = new Set([
  ...wordsIn('programs', (each) => each.spoken),
  ...wordsIn('programs', (each) => each.quoted),
]);

/** Whether a quoted text is a command line: it starts with a known program. */
export function isCommand(text: string, facts: RepositoryFacts): boolean {
  const [first = ''] = text.trim().split(/\s+/);
  if (facts.programs.includes(first) || first.startsWith('./')) return true;
  return knownPrograms.has(first);
}

/** Whether a file's symbols can be looked up. */
export function isReadable(path: string): boolean {
  return /\.(?:tsx?|mts|cts|jsx?|mjs|cjs|pyi?|go|rs|java|cs|cpp|cc|cxx|hpp|hh|h|c|php|rb|sh)$/.test(path);
}

/** A quoted word may be a text, a package or a product; a name in the code looks like one, or is known. */
export function isOfCode(
  token: { readonly text: string; readonly isCode: boolean } | null,
  { symbols }: RepositoryFacts,
): boolean {
  if (token === null) return false;
  const name = token.text.replace(/\(\)$/, '');
  if (token.isCode || token.text.endsWith('()') || isDistinctiveName(name)) return true;
  return symbols.some((symbol) => symbol.name === name);
}
