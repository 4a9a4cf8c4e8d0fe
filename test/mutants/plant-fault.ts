// Finds the place of a fault by its symbol and its text, so that faults move with the code.
import { parseSync } from 'vite';
import { isProduct, programOf, type SourceFile } from '../tidy/source-file.ts';
import type { Fault } from './fault.ts';

export type Planted = { readonly path: string; readonly text: string } | { readonly lost: string };

/** The whole text of the file with the fault in it, or why the fault no longer applies. */
export function plantFault(fault: Fault, files: readonly SourceFile[]): Planted {
  const found = symbolsNamed(fault, files);
  const [first, second] = found;
  if (first === undefined) return { lost: `no source has ${fault.symbol} at its top level` };
  if (second !== undefined)
    return { lost: `${fault.symbol} is in ${found.map(({ file }) => file.path).join(' and ')}` };
  const { file, start, end } = first;
  const times = file.text.slice(start, end).split(fault.find).length - 1;
  if (times !== 1) return { lost: `the text is ${times} times in ${fault.symbol} of ${file.path}` };
  const at = file.text.indexOf(fault.find, start);
  const text = file.text.slice(0, at) + fault.replace + file.text.slice(at + fault.find.length);
  if (text === file.text) return { lost: 'it changes nothing' };
  const [error] = parseSync(file.path, text).errors;
  return error === undefined ? { path: file.path, text } : { lost: `it does not parse: ${error.message}` };
}

interface Place {
  readonly file: SourceFile;
  readonly start: number;
  readonly end: number;
}

/** In the file that the fault names; only where that has no such symbol, in every product source. */
function symbolsNamed({ file, symbol, find }: Fault, files: readonly SourceFile[]): Place[] {
  const named = files.filter(({ path }) => path === file).flatMap((one) => placesIn(one, symbol));
  if (named.length > 0) return named;
  const moved = files.filter(isProduct).flatMap((one) => placesIn(one, symbol));
  const fitting = moved.filter(({ file: one, start, end }) => one.text.slice(start, end).includes(find));
  return fitting.length > 0 ? fitting : moved;
}

function placesIn(file: SourceFile, symbol: string): Place[] {
  if (!file.text.includes(symbol)) return [];
  return programOf(file).body.flatMap((statement) => {
    const declared =
      statement.type === 'ExportNamedDeclaration' ? (statement.declaration ?? statement) : statement;
    return namesOf(declared).includes(symbol) ? [{ file, start: statement.start, end: statement.end }] : [];
  });
}

function namesOf(statement: ReturnType<typeof programOf>['body'][number] | object): string[] {
  if (!('type' in statement)) return [];
  if (statement.type === 'FunctionDeclaration' && 'id' in statement && statement.id !== null)
    return [statement.id.name];
  if (statement.type !== 'VariableDeclaration' || !('declarations' in statement)) return [];
  return statement.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []));
}
