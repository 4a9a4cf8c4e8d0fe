import { posix } from 'node:path';
import { importsOf } from './import-law.ts';
import { isProduct, placeAt, type Rule, type SourceFile } from './source-file.ts';

const commandsFolder = 'src/surfaces/cli/commands/';
const optionsFolder = 'src/surfaces/cli/options/';
const programPath = 'src/surfaces/cli/program.ts';
/** The flags of settings and their help are in one table, which names the known clients. */
const mayLoad = ['commander', '#base/operator-error.ts', '#config/setting-table.ts'];

/** `--help` and every other command load all definitions: none of them may load the body of a command. */
export const lightDefinitions: Rule = (files) =>
  files
    .filter((file) => isDefinition(file) || (isProduct(file) && file.path.startsWith(optionsFolder)))
    .flatMap((file) =>
      staticImports(file)
        .filter(({ specifier }) => !mayLoad.includes(specifier))
        .filter(({ specifier }) => !targetOf(file.path, specifier)?.startsWith(optionsFolder))
        .map(
          ({ specifier, position }) =>
            `${placeAt(file, position)} loads '${specifier}': a definition imports it as a type, or when it is used`,
        ),
    );

/** To add a command is to write its definition and to name it in one group of program.ts. */
export const listedCommands: Rule = (files) => {
  const targets = files.filter(isProduct).map((one) => ({
    path: one.path,
    imports: importsOf(one).map(({ specifier }) => targetOf(one.path, specifier)),
  }));
  return files.filter(isDefinition).flatMap((file) => {
    const name = posix.basename(file.path, '.ts');
    const importers = targets.filter(({ imports }) => imports.includes(file.path)).map(({ path }) => path);
    return [
      ...(file.text.includes(`.command('${name}'`) ? [] : [`${file.path} defines no command '${name}'`]),
      ...(importers.join(' ') === programPath
        ? []
        : [`${file.path} is imported by ${importers.join(', ') || 'no file'}, not by ${programPath} alone`]),
    ];
  });
};

export function isDefinition(file: SourceFile): boolean {
  return isProduct(file) && file.path.startsWith(commandsFolder) && /: DefineCommand = /.test(file.text);
}

/** The paths of all files that are loaded with this one, itself included, before any `import()`. */
export function staticClosure(files: readonly SourceFile[], entry: string): readonly string[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const found = new Set<string>();
  const add = (path: string): void => {
    const file = byPath.get(path);
    if (file === undefined || found.has(path)) return;
    found.add(path);
    for (const { specifier } of staticImports(file)) add(targetOf(path, specifier) ?? '');
  };
  add(entry);
  return [...found].toSorted();
}

function staticImports(file: SourceFile) {
  return importsOf(file).filter(({ isType, isLazy }) => !isType && !isLazy);
}

/** Null for a package. */
function targetOf(from: string, specifier: string): string | null {
  if (specifier.startsWith('#')) return `src/${specifier.slice(1)}`;
  return specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier) : null;
}
