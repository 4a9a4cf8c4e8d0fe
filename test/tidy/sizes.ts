import { isProduct, lineAt, placeAt, type Rule, type SourceFile, visit } from './source-file.ts';

export const fileLinesMax = 300;
export const functionLinesMax = 60;
/** Files with longer functions, each with its own limit. An entry that is not needed any more is an error. */
const longFunctionFiles: Readonly<Record<string, number>> = {};
const documentLinesMax: Readonly<Record<string, number>> = { 'README.md': 80, 'AGENTS.md': 59 };

export const fileLength: Rule = (files) =>
  files.filter(isProduct).flatMap((file) => {
    const lines = lineCount(file);
    return lines > fileLinesMax ? [`${file.path} has ${lines} lines, at most ${fileLinesMax}`] : [];
  });

export const documentLength: Rule = (files) =>
  files.flatMap((file) => {
    const max = documentLinesMax[file.path];
    const lines = lineCount(file);
    return max !== undefined && lines > max ? [`${file.path} has ${lines} lines, at most ${max}`] : [];
  });

export const functionLength: Rule = (files) => functionLengthExcept(longFunctionFiles)(files);

export function functionLengthExcept(limits: Readonly<Record<string, number>>): Rule {
  return (files) =>
    files.filter(isProduct).flatMap((file) => {
      const limit = limits[file.path];
      if (limit === undefined) return longFunctions(file, functionLinesMax);
      if (longFunctions(file, functionLinesMax).length > 0) return longFunctions(file, limit);
      return [`${file.path} has short functions: remove it from the files with longer ones`];
    });
}

function longFunctions(file: SourceFile, max: number): string[] {
  const found: string[] = [];
  const measure = (node: { start: number; end: number }): void => {
    const lines = lineAt(file, node.end) - lineAt(file, node.start) + 1;
    if (lines <= max) return;
    found.push(`${placeAt(file, node.start)} a function of ${lines} lines, at most ${max}`);
  };
  visit(file, {
    FunctionDeclaration: measure,
    FunctionExpression: measure,
    ArrowFunctionExpression: measure,
  });
  return found;
}

/** AGENTS.md tells the limits that are enforced, and no others. */
export const namedLimits: Rule = (files) => {
  const text = files.find(({ path }) => path === 'AGENTS.md')?.text ?? '';
  const named = [...text.matchAll(/\b(files|functions) up to (\d+)/gi)].map(([words]) => words.toLowerCase());
  const enforced = [`files up to ${fileLinesMax}`, `functions up to ${functionLinesMax}`];
  if (named.join() === enforced.join()) return [];
  return [`AGENTS.md must say: ${enforced.join(', ')}; it says: ${named.join(', ') || 'nothing'}`];
};

function lineCount(file: SourceFile): number {
  return file.text.trimEnd().split('\n').length;
}
