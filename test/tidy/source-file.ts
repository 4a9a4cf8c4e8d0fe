import { type ESTree, parseSync, Visitor, type VisitorObject } from 'vite';

/** One text file of the repository, as the house rules see it: by its path from the root. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** A house rule: what it finds wrong, one sentence each, beginning with the place. */
export type Rule = (files: readonly SourceFile[]) => readonly string[];

export function isScript(file: SourceFile): boolean {
  return /\.(ts|mjs|js)$/.test(file.path);
}

/** Tests, and the suites that tests call. */
export function isTest(file: SourceFile): boolean {
  return /\.test\.ts$|^test\/|^src\/testing\/contracts\//.test(file.path);
}

/** A product source: what is neither a test nor a tool. */
export function isProduct(file: SourceFile): boolean {
  return /^src\/.*\.ts$/.test(file.path) && !isTest(file);
}

const parsed = new WeakMap<SourceFile, ESTree.Program>();

export function programOf(file: SourceFile): ESTree.Program {
  const known = parsed.get(file);
  if (known !== undefined) return known;
  const { program, errors } = parseSync(file.path, file.text);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${file.path} does not parse: ${error.message}`);
  parsed.set(file, program);
  return program;
}

export function visit(file: SourceFile, visitor: VisitorObject): void {
  new Visitor(visitor).visit(programOf(file));
}

/** `src/kernel/fold/run.ts:12`, for a position in the text. */
export function placeAt(file: SourceFile, position: number): string {
  return `${file.path}:${lineAt(file, position)}`;
}

export function lineAt(file: SourceFile, position: number): number {
  return file.text.slice(0, position).split('\n').length;
}
