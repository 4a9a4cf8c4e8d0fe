import type { ESTree } from 'vite';
import { forbiddenWords } from './glossary.ts';
import { isScript, isTest, placeAt, type Rule, type SourceFile, visit } from './source-file.ts';

// Words that name nothing: each hides what the thing is.
const emptyWords = /manager|service|helper|utils?(?![a-z])/i;

export const kebabCase: Rule = (files) =>
  files
    .filter((file) => /^(src|test|scripts|bench|bin)\//.test(file.path) && isScript(file))
    .filter((file) => !file.path.split('/').every((part) => /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z]+)*$/.test(part)))
    .map((file) => `${file.path} is not in kebab-case`);

export const emptyNames: Rule = (files) =>
  files
    .filter((file) => /^(src|test|scripts|bench)\//.test(file.path) && isScript(file))
    .flatMap((file) => [...emptyPath(file), ...emptyDeclarations(file)]);

function emptyPath(file: SourceFile): string[] {
  return emptyWords.test(file.path) ? [`${file.path} has a name that says nothing`] : [];
}

function emptyDeclarations(file: SourceFile): string[] {
  const found: string[] = [];
  const judge = (id: { type: string; name?: string; start: number } | null): void => {
    if (id?.name === undefined || !emptyWords.test(id.name)) return;
    found.push(`${placeAt(file, id.start)} '${id.name}' is a name that says nothing`);
  };
  visit(file, {
    FunctionDeclaration: (node) => judge(node.id),
    ClassDeclaration: (node) => judge(node.id),
    VariableDeclarator: (node) => judge(node.id.type === 'Identifier' ? node.id : null),
    TSInterfaceDeclaration: (node) => judge(node.id),
    TSTypeAliasDeclaration: (node) => judge(node.id),
  });
  return found;
}

/** Words of an old dialect, and those of the glossary that are wrong in names alone. Stored fields keep theirs; files, types and functions do not. */
const avoided = new Set(
  'brand branded deed deeds door eyes foreign heard knock ladder look looked looking looks matter matters meant nobody rung seen setback setbacks somebody told whoever'.split(
    ' ',
  ),
);

export const plainNames: Rule = (files) => {
  const words = new Set([...avoided, ...forbiddenWords(files)]);
  return files
    .filter((file) => file.path.startsWith('src/') && isScript(file))
    .flatMap((file) => [...avoidedPath(file, words), ...avoidedDeclarations(file, words)]);
};

function avoidedPath(file: SourceFile, words: ReadonlySet<string>): string[] {
  const word = avoidedIn(file.path.slice('src/'.length), words);
  return word === undefined ? [] : [`${file.path} is named "${word}"; GLOSSARY.md has the word to use`];
}

/** Types and functions wherever they are declared, and every exported name. Tests may name their own. */
function avoidedDeclarations(file: SourceFile, words: ReadonlySet<string>): string[] {
  const found = new Map<number, string>();
  const judge = (id: { type: string; name?: string; start: number } | null): void => {
    const word = id?.name === undefined ? undefined : avoidedIn(id.name, words);
    if (id === null || word === undefined) return;
    found.set(
      id.start,
      `${placeAt(file, id.start)} '${id.name}' says "${word}"; GLOSSARY.md has the word to use`,
    );
  };
  const judgeAll = (declarations: readonly ESTree.VariableDeclarator[]): void => {
    for (const { id } of declarations) judge(id.type === 'Identifier' ? id : null);
  };
  visit(file, {
    ExportNamedDeclaration: ({ declaration }) => {
      if (declaration?.type === 'VariableDeclaration') judgeAll(declaration.declarations);
    },
  });
  if (isTest(file)) return [...found.values()];
  visit(file, {
    FunctionDeclaration: ({ id }) => judge(id),
    ClassDeclaration: ({ id }) => judge(id),
    VariableDeclarator: (node) => {
      if (/^(?:Arrow)?FunctionExpression$/.test(node.init?.type ?? '')) judgeAll([node]);
    },
    TSInterfaceDeclaration: ({ id }) => judge(id),
    TSTypeAliasDeclaration: ({ id }) => judge(id),
    TSMethodSignature: ({ key }) => judge(key.type === 'Identifier' ? key : null),
  });
  return [...found.values()];
}

/** Words of a name: `pickMatter`, `pick-matter` and `PICK_MATTER` have the same ones. */
function avoidedIn(name: string, avoidedHere: ReadonlySet<string>): string | undefined {
  const words = name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' ').split(/[^A-Za-z0-9]+/);
  return words.map((word) => word.toLowerCase()).find((word) => avoidedHere.has(word));
}

/** Everyday words and past participles that each file could mean otherwise. At most one file may export one of them; of src/base, this holds for every name. */
const vagueNames = new Set(['Found', 'Told', 'Seen', 'Heard', 'Given', 'Place', 'Answer', 'Look']);

export const sharedNames: Rule = (files) => {
  const places = new Map<string, string[]>();
  const note = (file: SourceFile, declaration: { type: string; id?: unknown } | null): void => {
    const id = declaration !== null && 'id' in declaration ? declaration.id : null;
    if (typeof id !== 'object' || id === null || !('name' in id) || !('start' in id)) return;
    const { name, start } = id;
    if (typeof name !== 'string' || typeof start !== 'number') return;
    if (!vagueNames.has(name) && !file.path.startsWith('src/base/')) return;
    places.set(name, [...(places.get(name) ?? []), placeAt(file, start)]);
  };
  for (const file of files.filter((one) => one.path.startsWith('src/') && isScript(one)))
    visit(file, { ExportNamedDeclaration: (node) => note(file, node.declaration) });
  return [...places]
    .filter(([, found]) => found.length > 1)
    .flatMap(([name, found]) => found.map((place) => `${place} '${name}' is exported by several files`));
};
