import type { Rule } from './source-file.ts';

const record = 'docs/adr/0005-dependencies.md';

/** Each dependency of the package, also one that the user brings, begins a line of the record of dependencies. */
export const arguedDependencies: Rule = (files) => {
  const text = files.find(({ path }) => path === record)?.text ?? '';
  return runtimeDependencies(files)
    .filter((name) => !text.split('\n').some((line) => line.startsWith(`- **${name}**`)))
    .map((name) => `package.json: ${record} has no line for the dependency ${name}`);
};

function runtimeDependencies(files: Parameters<Rule>[0]): string[] {
  const manifest = files.find((file) => file.path === 'package.json');
  if (manifest === undefined) return [];
  const { dependencies = {}, peerDependencies = {} } = JSON.parse(manifest.text) as {
    readonly [group: string]: object;
  };
  return [...Object.keys(dependencies), ...Object.keys(peerDependencies)];
}
