import type { Rule } from './source-file.ts';

/** Each runtime dependency is argued for in a decision record. */
export const arguedDependencies: Rule = (files) => {
  const records = files.filter((file) => file.path.startsWith('docs/adr/')).map((file) => file.text);
  return runtimeDependencies(files)
    .filter((name) => !records.some((text) => text.includes(name)))
    .map((name) => `package.json: no decision record in docs/adr names the dependency ${name}`);
};

function runtimeDependencies(files: Parameters<Rule>[0]): string[] {
  const manifest = files.find((file) => file.path === 'package.json');
  if (manifest === undefined) return [];
  const parsed: unknown = JSON.parse(manifest.text);
  if (typeof parsed !== 'object' || parsed === null || !('dependencies' in parsed)) return [];
  return Object.keys(parsed.dependencies ?? {});
}
