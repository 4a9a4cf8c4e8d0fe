import { isScript, placeAt, programOf, type Rule, type SourceFile } from './source-file.ts';

/** Of the package; and of the agents, where a client or a driver is one line. */
const publicLists = new Set([
  'src/index.ts',
  'src/testing/index.ts',
  'src/agents/clients.ts',
  'src/agents/drivers.ts',
]);

/** No file only passes on what others export, but the public lists and the lists of agents; and those list by hand. */
export const noBarrels: Rule = (files) =>
  files
    .filter((file) => file.path.startsWith('src/') && isScript(file))
    .flatMap((file) => [
      ...starExports(file),
      ...(isBarrel(file) ? [`${file.path} only passes on exports`] : []),
    ]);

function isBarrel(file: SourceFile): boolean {
  if (publicLists.has(file.path)) return false;
  const { body } = programOf(file);
  return body.length > 0 && body.every((node) => 'source' in node && node.source !== null);
}

function starExports(file: SourceFile): string[] {
  return programOf(file)
    .body.filter((node) => node.type === 'ExportAllDeclaration')
    .map((node) => `${placeAt(file, node.start)} 'export *' hides what is exported`);
}
