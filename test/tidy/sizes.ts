import { isProduct, lineAt, placeAt, type Rule, type SourceFile, visit } from './source-file.ts';

const fileLinesMax = 300;
const functionLinesMax = 80;
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

export const functionLength: Rule = (files) => files.filter(isProduct).flatMap(longFunctions);

function longFunctions(file: SourceFile): string[] {
  const found: string[] = [];
  const measure = (node: { start: number; end: number }): void => {
    const lines = lineAt(file, node.end) - lineAt(file, node.start) + 1;
    if (lines <= functionLinesMax) return;
    found.push(`${placeAt(file, node.start)} a function of ${lines} lines, at most ${functionLinesMax}`);
  };
  visit(file, {
    FunctionDeclaration: measure,
    FunctionExpression: measure,
    ArrowFunctionExpression: measure,
  });
  return found;
}

function lineCount(file: SourceFile): number {
  return file.text.trimEnd().split('\n').length;
}
