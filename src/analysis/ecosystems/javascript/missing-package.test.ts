import { describe, expect, it } from 'vitest';
import { isManifest, whyRed } from '#analysis/why-red/why-red.ts';

interface Files {
  readonly [path: string]: string;
}

function why(output: string, files: Files = {}, command = 'npm test', folder = ''): string | null {
  const manifests = new Map(Object.entries(files).filter(([path]) => isManifest(path)));
  const paths = new Set(Object.keys(files));
  const cause = whyRed({ command, folder, output, exitCode: 1, files: paths, manifests });
  return cause === null ? null : `${cause.kind}: ${cause.text}`;
}

const manifest = (value: object, path = 'package.json'): Files => ({ [path]: JSON.stringify(value) });
const unfound = (specifier: string): string => `Error: Cannot find module '${specifier}'`;
const unresolved = (specifier: string): string => `Failed to resolve import "${specifier}" from "a.test.ts".`;

describe('a test written before its file', () => {
  it.each<[string, string, Files]>([
    [
      'an alias of vite that begins with @',
      '@components/Button',
      { 'vite.config.ts': "export default { resolve: { alias: { '@components': '/src/ui' } } }" },
    ],
    [
      'an alias that vite finds by a pattern',
      '@site/pages/home',
      {
        'vitest.config.ts': "export default { resolve: { alias: [{ find: /^@site/, replacement: '/s' }] } }",
      },
    ],
    [
      'an alias that vite finds by a pattern with a group',
      '@site/pages/home',
      { 'vite.config.mts': 'export default { alias: [{ find: /^@site\\/(.*)$/, replacement: "/s/$1" }] }' },
    ],
    [
      'an alias without quotes',
      'ui/Button',
      { 'vite.config.ts': "export default { resolve: { alias: { ui: '/source' } } }" },
    ],
    [
      'an alias of craco',
      '@ui/Button',
      { 'craco.config.js': "module.exports = { webpack: { alias: { '@ui': '/source' } } }" },
    ],
    [
      'a declared package that jest maps to a file of the work',
      'canvas',
      manifest({ dependencies: { canvas: '1' }, jest: { moduleNameMapper: { canvas: '<rootDir>/c.js' } } }),
    ],
    ['a name of module-alias', '@root/add', manifest({ _moduleAliases: { '@root': '.' } })],
    ['a folder of modules of jest', 'helpers/add', manifest({ jest: { modulePaths: ['<rootDir>/lib'] } })],
    [
      'a folder of modules of jest in its own file',
      'helpers/add',
      { 'jest.config.js': "module.exports = { moduleDirectories: ['node_modules', 'lib'] }" },
    ],
    ['a name from NODE_PATH', 'helpers', manifest({ scripts: { test: 'NODE_PATH=lib node --test' } })],
    [
      'an alias of tsconfig below a comment with a bracket',
      '@app/add',
      {
        'tsconfig.json': '{ "paths": { // {"old": 1}\n /* } */ "@lib/*": ["l/*"], "@app/*": ["./src/*"] } }',
      },
    ],
    [
      'a new package in the scope of the workspaces',
      '@acme/parser',
      {
        ...manifest({ name: '@acme/core' }, 'packages/core/package.json'),
        ...manifest({ name: '@acme/app' }, 'packages/app/package.json'),
      },
    ],
    [
      'a workspace that another one declares',
      '@acme/core',
      {
        ...manifest({ name: '@acme/core' }, 'packages/core/package.json'),
        ...manifest({ dependencies: { '@acme/core': '*' } }, 'packages/app/package.json'),
      },
    ],
    [
      'a new workspace that is declared already',
      'parser',
      manifest({ dependencies: { parser: 'workspace:*' } }),
    ],
    [
      'a linked folder that is still to be written',
      'parser',
      manifest({ dependencies: { parser: 'file:./packages/parser' } }),
    ],
    [
      'a file of a linked folder',
      'core/next',
      {
        ...manifest({ dependencies: { core: 'file:./core' } }),
        ...manifest({ name: 'core' }, 'core/package.json'),
      },
    ],
  ])('A test written before its file is an ordinary failure if it imports %s', (_, specifier, files) => {
    expect(why(unfound(specifier), files)).toBeNull();
    expect(why(unresolved(specifier), files)).toBeNull();
  });
});

describe('a package that is not installed', () => {
  it.each(['chart.js', 'lodash/fp.js', '@acme/parser', '@vitejs/plugin-react'])(
    'A package that package.json declares and that is not installed stops the run, whatever its name: %s',
    (specifier) => {
      const name = specifier === 'lodash/fp.js' ? 'lodash' : specifier;
      const files = {
        ...manifest({ name: '@acme/app', dependencies: { [name]: '^4' } }),
        'vite.config.ts': `import x from '${specifier}';\nexport default { resolve: { alias: { '@acme': '/x' } } }`,
      };
      expect(why(unfound(specifier), files)).toBe(
        `missing-package: the package "${name}" is declared in package.json and not installed`,
      );
    },
  );

  it.each(['file:./core', 'link:./core', 'portal:./core', 'file:/opt/core'])(
    'A package whose folder only an installation links stops the run: %s',
    (version) => {
      const files = {
        ...manifest({ dependencies: { core: version } }),
        ...manifest({ name: 'core' }, 'core/package.json'),
      };
      expect(why(unfound('core'), files)).toBe(
        'missing-package: the package "core" is declared in package.json and not installed',
      );
    },
  );

  it.each(['test/fixtures/a', 'examples/a', '__fixtures__/a'])(
    'A package whose name only an example has is not one of the repository: %s',
    (folder) => {
      const files = manifest({ name: 'zod', dependencies: { y: '1' } }, `${folder}/package.json`);
      expect(why(unfound('zod'), files)).toMatch(/^missing-package: the package "zod"/);
      expect(why(unfound('zod'), files, 'npm test', folder)).toBeNull();
      const workspaces = manifest({ workspaces: [folder.replace(/a$/, '*')] });
      expect(why(unfound('zod'), { ...files, ...workspaces })).toBeNull();
    },
  );
});

describe('a package that a program only mentions', () => {
  const stack = '    at require (node:internal/modules/helpers:157:16)';
  const end = '\n\nNode.js v24.0.0';
  const optional = `${unfound('bufferutil')}\n${stack} {\n  code: 'MODULE_NOT_FOUND'\n}`;

  it.each([
    ['by its message', "Cannot find module 'bufferutil'\n1 of 3 checks failed"],
    ['after a word of its own', "warning: Cannot find module 'bufferutil'\nfailed"],
    ['before another error', `Cannot find module 'bufferutil'\n\nTypeError: add is not a function\n${stack}`],
    ['with its stack, before another error', `${optional}\n\nTypeError: add is not a function\n${stack}`],
    [
      'with its stack, before another error ends Node',
      `${optional}\n/c/a.js:1\n\nRangeError: no\n${stack}${end}`,
    ],
    [
      'in a test of jest that fails by another error',
      "  console.warn\n    Cannot find module 'bufferutil' from 'lib/ws.js'\n\n  ● adds\n\n    TypeError: add is not a function",
    ],
  ])(
    'A missing package that a program only mentions is suspicious, and does not stop the run: %s',
    (_, output) => {
      expect(why(output)).toMatch(/^suspicious: the package "bufferutil"/);
    },
  );

  it.each([
    ['Node', `${optional}${end}`],
    [
      'a child of the runner, beside a test with another error',
      `${optional}${end}\n✖ adds\n  TypeError: no\n`,
    ],
    ['the test runner in TAP', `# ${unfound('bufferutil')}\n# Node.js v24.0.0\nnot ok 1 - a.test.js`],
    ['a runner, after a message of another error', `TypeError: shown\n\n${optional}`],
    ['mocha, after a message of another error', `TypeError: shown\n\n Exception during run: ${optional}`],
    [
      'mocha, at an import',
      "\n Exception during run: Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'bufferutil' imported from /c/a.test.mjs\n    at packageResolve (node:internal/modules/esm/resolve:873:9)",
    ],
    [
      'vitest, beside a test with another error',
      " FAIL  a.test.ts [ a.test.ts ]\nError: Cannot find package 'bufferutil' imported from /c/a.test.ts\n FAIL  b.test.ts > adds\nTypeError: no",
    ],
    [
      'jest, beside a test with another error',
      "  ● Test suite failed to run\n\n    Cannot find module 'bufferutil' from 'a.test.js'\n\n  ● adds\n\n    TypeError: no",
    ],
  ])('A missing package stops the run if the program ended %s', (_, output) => {
    expect(why(output)).toMatch(/^missing-package: the package "bufferutil"/);
  });
});
