import { describe, expect, it } from 'vitest';
import { isManifest, whyRed } from './why-red.ts';

interface Given {
  readonly command?: string;
  readonly folder?: string;
  readonly exitCode?: number;
  /** Path to text; files without a text are sources. */
  readonly files?: { readonly [path: string]: string };
}

function why(
  output: string,
  { command = 'npm test', folder = '', exitCode = 1, files = {} }: Given = {},
): string | null {
  const manifests = new Map(Object.entries(files).filter(([path]) => isManifest(path)));
  const cause = whyRed({ command, folder, output, exitCode, files: new Set(Object.keys(files)), manifests });
  return cause === null ? null : `${cause.kind}: ${cause.text}`;
}

const packageJson = (value: object): { 'package.json': string } => ({
  'package.json': JSON.stringify(value),
});

describe('a missing program of a check', () => {
  it.each([
    ['sh: 1: nmp: not found', 127],
    ['bash: line 1: nmp: command not found', 127],
    ['bash: nmp: command not found', 127],
    ['sh: nmp: not found', 127],
    ['/bin/sh: nmp: command not found', 127],
  ])('A missing program is named from the message of the shell: %s', (output, exitCode) => {
    expect(why(output, { command: 'cd app && nmp test', exitCode })).toBe(
      'missing-program: there is no program "nmp" on PATH',
    );
  });

  it('A missing program of a package is reported with the npx command', () => {
    const files = packageJson({ devDependencies: { vitest: '^3' } });
    expect(why('sh: 1: vitest: not found', { command: 'vitest run', exitCode: 127, files })).toBe(
      'missing-program: there is no program "vitest" on PATH; package.json has it, so start it by "npx vitest"',
    );
  });

  it('A repository script that cannot be started is reported, and a script that is still to be written is not', () => {
    const files = { 'app/run.sh': '' };
    const given = { command: './run.sh all', folder: 'app', files };
    expect(why('sh: 1: ./run.sh: Permission denied', { ...given, exitCode: 126 })).toMatch(
      /^missing-program: the file \.\/run\.sh is not executable/,
    );
    expect(why('sh: 1: ./run.sh: not found', { ...given, exitCode: 127 })).toMatch(
      /^missing-program: the file \.\/run\.sh cannot be started: the program of its first line is missing/,
    );
    expect(
      why('bash: ./run.sh: cannot execute: required file not found', { ...given, exitCode: 127 }),
    ).toMatch(/^missing-program/);
    expect(
      why('sh: 1: ./verify.sh: not found', { ...given, command: './verify.sh', exitCode: 127 }),
    ).toBeNull();
  });

  it('A program that a script calls is reported as a missing package, or as suspicious', () => {
    const output = '> test\n> vitest run\n\nsh: 1: vitest: not found';
    const files = packageJson({ devDependencies: { vitest: '^3' } });
    expect(why(output, { exitCode: 127, files })).toBe(
      'missing-package: the package "vitest" is declared in package.json and not installed',
    );
    expect(why(output, { exitCode: 127, files: packageJson({}) })).toBe(
      'suspicious: a script calls the program "vitest", which is not on PATH',
    );
    const make =
      'vitest run\nmake: vitest: No such file or directory\nmake: *** [Makefile:2: test] Error 127';
    expect(why(make, { command: 'make test', exitCode: 2, files })).toMatch(/^missing-package/);
  });

  it('A script that a shell should read and that is still to be written is not reported', () => {
    const output = 'bash: verify.sh: No such file or directory';
    expect(why(output, { command: 'bash verify.sh', exitCode: 127 })).toBeNull();
    expect(why('sh: scripts/verify.sh: No such file or directory', { exitCode: 127 })).toBeNull();
    expect(
      why('sh: 0: cannot open verify.sh: No such file', { command: 'sh verify.sh', exitCode: 2 }),
    ).toBeNull();
  });

  it('A missing program that a package manager should start is reported as a missing package', () => {
    const files = packageJson({ devDependencies: { vitest: '^3' } });
    const declared = 'missing-package: the package "vitest" is declared in package.json and not installed';
    expect(why('sh: 1: vitest: not found', { command: 'npx vitest run', exitCode: 127, files })).toBe(
      declared,
    );
    expect(why('command not found: vitest', { command: 'yarn vitest', exitCode: 127, files })).toBe(declared);
    expect(why('error: Command "vitest" not found.', { command: 'pnpm test', files })).toBe(declared);
    expect(why('error: Failed to spawn: `pytest`', { command: 'uv run pytest', exitCode: 2 })).toMatch(
      /^suspicious/,
    );
  });

  it.each([
    ['timeout 60 nmp test', 'timeout: failed to run command ‘nmp’: No such file or directory'],
    ['env A=1 nmp test', 'env: ‘nmp’: No such file or directory'],
    ['ls | xargs nmp', 'xargs: nmp: No such file or directory'],
    ['command time nmp test', 'time: cannot run nmp: No such file or directory\nCommand exited with 127'],
    ['nice nmp test', "nice: 'nmp': No such file or directory"],
    ['nohup nmp test', "nohup: failed to run command 'nmp': No such file or directory"],
    ['timeout 60 nmp test', "timeout: can't execute 'nmp': No such file or directory"],
    ['npm --version && nmp test', '11.0.0\nsh: 1: nmp: not found'],
    ['npm ci; nmp test', 'bash: line 1: nmp: command not found'],
  ])('A missing program behind another program or a package manager is named: %s', (command, output) => {
    expect(why(output, { command, exitCode: 127 })).toBe(
      'missing-program: there is no program "nmp" on PATH',
    );
  });

  it('A missing package manager is named, and one that a script calls is only suspicious', () => {
    const missing = 'missing-program: there is no program "pnpm" on PATH';
    expect(why('sh: 1: pnpm: not found', { command: 'pnpm test', exitCode: 127 })).toBe(missing);
    const output = 'timeout: failed to run command ‘pnpm’: No such file or directory';
    expect(why(output, { command: 'timeout 9 pnpm test', exitCode: 127 })).toBe(missing);
    expect(why('sh: 1: pnpm: not found', { command: 'npm test', exitCode: 127 })).toMatch(/^suspicious/);
  });

  it.each(['~/bin/tool x', '$HOME/bin/tool x', '"${HOME}/bin/tool" x', 'timeout 9 ~/bin/tool'])(
    'A missing program in the home folder is reported, because no work writes there: %s',
    (command) => {
      expect(why('sh: 1: /home/me/bin/tool: not found', { command, exitCode: 127 })).toMatch(
        /^missing-program: the program (?:~|\$HOME|\$\{HOME\})\/bin\/tool cannot be started$/,
      );
    },
  );

  it.each([
    '.venv/bin/pytest',
    './node_modules/.bin/vitest',
    '../node_modules/.bin/vitest',
    'vendor/bin/phpunit',
  ])('A missing program that only an installation provides is reported: %s', (program) => {
    const text = `${program} is not installed; name a setup that makes it`;
    const given = { folder: 'app', exitCode: 127 };
    const output = `sh: 1: ${program}: not found`;
    expect(why(output, { ...given, command: `${program} run` })).toBe(`missing-program: ${text}`);
    expect(
      why(`timeout: failed to run command ‘${program}’: No such file or directory`, {
        ...given,
        command: `timeout 60 ${program} run`,
      }),
    ).toBe(`missing-program: ${text}`);
    // The check installs by itself, from a list that the work may change.
    expect(why(output, { ...given, command: `make install && ${program} run` })).toBe(`suspicious: ${text}`);
  });

  it('A script that is still to be written is not reported, whatever starts it', () => {
    const output = 'timeout: failed to run command ‘./verify.sh’: No such file or directory';
    expect(why(output, { command: 'timeout 60 ./verify.sh', exitCode: 127 })).toBeNull();
  });

  it('A missing program does not hide a package that is missing as well', () => {
    const output = "sh: 1: helper: not found\nError: Cannot find module 'zod'";
    expect(why(output)).toMatch(/^missing-package: the package "zod"/);
  });

  it('A missing program is recognised by the exit code alone if the shell output is discarded', () => {
    const given = { command: 'cd . && nmp test 2>/dev/null', exitCode: 127 };
    expect(why('', given)).toBe('missing-program: there is no program "nmp" on PATH');
    expect(why('', { command: 'nmp test 2>/dev/null || tset 2>/dev/null', exitCode: 127 })).toBe(
      'missing-program: the program "nmp" or "tset" is not on PATH',
    );
    expect(why('', { ...given, exitCode: 126 })).toBe('missing-program: the program "nmp" cannot be started');
    expect(why('sh: 1: ./verify.sh: not found', { command: './verify.sh', exitCode: 127 })).toBeNull();
    for (const command of ['./verify.sh 2>/dev/null', 'bash verify.sh 2>/dev/null', 'nmp verify.sh'])
      expect([command, why('', { command, exitCode: 127 })]).toEqual([command, null]);
    const relayed = 'suspicious: it ended with exit code 127: a program that it calls is not on PATH';
    for (const command of ['npm test --silent', 'sh run.sh 2>/dev/null', './run.sh 2>/dev/null'])
      expect([command, why('', { command, exitCode: 127, files: { 'run.sh': '' } })]).toEqual([
        command,
        relayed,
      ]);
    // mocha ends with the number of the tests that failed.
    const failing = '  0 passing (1ms)\n  127 failing\n\n  1) adds:\n     Error: no';
    expect(why(failing, { command: 'mocha', exitCode: 127 })).toBeNull();
  });

  it('The output of a test that ran is not mistaken for a missing program', () => {
    expect(why('sh: 1: nmp: not found', { command: 'node cli.test.js nmp', exitCode: 1 })).toMatch(
      /^suspicious/,
    );
  });

  it('A missing tool that Python runs as a module is reported', () => {
    const output = '/usr/bin/python3: No module named pytest';
    expect(why(output, { command: 'python3 -m pytest -q' })).toBe(
      'missing-program: the Python module "pytest", which the check runs, is not installed',
    );
    expect(
      why('/usr/bin/python3: No module named mytool', { command: 'python3 -m mytool --version' }),
    ).toBeNull();
  });
});

describe('a JavaScript package that does not resolve', () => {
  it.each([
    "Error: Cannot find module 'zod'\nRequire stack:\n- /c/a.test.js",
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'zod' imported from /c/a.test.mjs",
    ' FAIL  a.test.ts [ a.test.ts ]\nError: Failed to resolve import "zod" from "a.test.ts". Does the file exist?',
    "  ● Test suite failed to run\n\n    Cannot find module 'zod' from 'a.test.js'",
    "a.ts(1,15): error TS2307: Cannot find module 'zod' or its corresponding type declarations.",
    '✘ [ERROR] Could not resolve "zod"',
    "Module not found: Error: Can't resolve 'zod' in '/c/src'",
    "Error: Cannot find module 'zod/v4'",
    "Error: Cannot find module '/c/node_modules/zod/index.cjs'",
  ])('A JavaScript package that does not resolve stops the run, declared or not: %s', (output) => {
    expect(why(output, { files: packageJson({ dependencies: { zod: '^4' } }) })).toBe(
      'missing-package: the package "zod" is declared in package.json and not installed',
    );
    expect(why(output)).toBe(
      'missing-package: the package "zod" is not installed, and no package.json declares it',
    );
  });

  it.each([
    ['a relative path', "Error: Cannot find module './add'", {}],
    ['a path above', "Cannot find module '../src/add' from 'test/add.test.js'", {}],
    ['an absolute path of the checkout', "Cannot find module '/c/add.mjs' imported from /c/b.mjs", {}],
    [
      'a relative import in vite',
      'Failed to resolve import "./add" from "a.test.ts". Does the file exist?',
      {},
    ],
    ['the package itself', "Cannot find package 'mine' imported from /c/a.js", packageJson({ name: 'mine' })],
    [
      'a workspace',
      "Cannot find module '@acme/core/next' from 'a.js'",
      { 'packages/core/package.json': '{"name":"@acme/core"}' },
    ],
    [
      'an alias of tsconfig',
      "Cannot find package '@app/add' imported from /c/a.ts",
      { 'tsconfig.json': '{ // own paths\n "compilerOptions": { "paths": { "@app/*": ["./src/*"] } } }' },
    ],
    [
      'a name from the base folder of tsconfig',
      "Cannot find module 'utils/add' from 'a.test.ts'",
      { 'tsconfig.json': '{ "compilerOptions": { "baseUrl": "." } }' },
    ],
    ['an alias without a name', "Cannot find package '@/lib/add' imported from /c/a.ts", {}],
    ['a subpath import', "Cannot find package '#lib/add' imported from /c/a.ts", {}],
    [
      'an alias of vite',
      'Failed to resolve import "app/add" from "a.test.ts".',
      { 'vite.config.ts': "export default { resolve: { alias: { 'app': './source' } } }" },
    ],
    [
      'a name that jest maps',
      "Cannot find module 'app/add' from 'a.test.js'",
      packageJson({ jest: { moduleNameMapper: { '^app/(.*)$': '<rootDir>/source/$1' } } }),
    ],
    ['a path from the root', "Cannot find module 'src/add' from 'a.test.js'", { 'src/index.js': '' }],
    ['a picture below a folder', "error TS2307: Cannot find module 'assets/logo.svg'", {}],
    ['a file without a folder', "Cannot find module 'add.js'", {}],
    ['a module of Node itself', "Cannot find module 'node:sqlite'", {}],
  ])('A missing import that is %s is an ordinary failure, not a missing package', (_, output, files) => {
    expect(why(output, { files })).toBeNull();
  });

  it('A missing package does not stop a run whose other tests fail by an assertion', () => {
    const output = [
      "Error: Cannot find module 'zod'",
      '✖ adds (1.2ms)',
      '  AssertionError [ERR_ASSERTION]: 3 !== 4',
      'ℹ pass 1',
      'ℹ fail 1',
    ].join('\n');
    expect(why(output)).toMatch(/^suspicious: the package "zod"/);
    const python = [
      '    def test_adds():',
      '>       assert add(1, 2) == 4',
      'E       assert 3 == 4',
      '',
      'test_sum.py:4: AssertionError',
      "E   ModuleNotFoundError: No module named 'rich'",
      '=========================== short test summary info ============================',
      'FAILED test_sum.py::test_adds - assert 3 == 4',
      'FAILED test_show.py::test_shows - ModuleNotFoundError: No module named...',
      '2 failed in 0.03s',
    ].join('\n');
    const files = { 'requirements.txt': 'rich\n' };
    expect(why(python, { command: 'pytest', files })).toMatch(/^suspicious: the module "rich"/);
  });
});

describe('a Python module that cannot be imported', () => {
  const output = "E   ModuleNotFoundError: No module named 'calc'\nERROR test_x.py\n1 error in 0.77s";

  it('A missing Python module is an ordinary failure if no manifest declares it and the repository lacks it', () => {
    expect(why(output, { command: 'pytest' })).toBeNull();
    expect(
      why(output, { files: { 'pyproject.toml': '[project]\nname = "calc"\ndependencies = ["rich"]\n' } }),
    ).toBeNull();
    expect(
      why(output, { files: { 'setup.py': "setup(name='calc', install_requires=['rich'])" } }),
    ).toBeNull();
    expect(why("No module named 'calc.next'", { files: { 'calc/__init__.py': '' } })).toBeNull();
  });

  it.each([
    ['requirements.txt', '# tools\ncalc>=2 ; python_version > "3.8"\n'],
    ['requirements-dev.txt', 'calc[extra]==1\n'],
    ['requirements/test.txt', 'calc\n'],
    ['pyproject.toml', '[project]\nname = "x"\ndependencies = ["rich", "calc~=1.0"]\n'],
    ['pyproject.toml', '[project.optional-dependencies]\ntest = ["calc"]\n'],
    ['pyproject.toml', '[dependency-groups]\ndev = ["calc>=1"]\n'],
    ['pyproject.toml', '[tool.poetry.group.dev.dependencies]\ncalc = "^1"\n'],
    ['setup.cfg', '[options]\ninstall_requires =\n    rich\n    calc>=1\n'],
    ['setup.py', "setup(name='x', install_requires=['rich', 'calc>=1'])"],
    ['Pipfile', '[packages]\ncalc = "*"\n'],
  ])('A missing Python module stops the run if %s declares it', (path, text) => {
    expect(why(output, { files: { [path]: text } })).toBe(
      `missing-package: the module "calc" is declared in ${path} and not installed`,
    );
  });

  it('A missing Python module is recognised by the distribution that provides it', () => {
    const files = { 'requirements.txt': 'PyYAML==6\n' };
    expect(why("ModuleNotFoundError: No module named 'yaml'", { files })).toMatch(
      /^missing-package: the module "yaml"/,
    );
  });

  it('A declared Python module stops the run if only a part of another package has its name', () => {
    const files = { 'requirements.txt': 'calc\n', 'app/calc.py': '', 'app/tests/calc/test_a.py': '' };
    expect(why(output, { files })).toBe(
      'missing-package: the module "calc" is declared in requirements.txt and not installed',
    );
    expect(why(output, { files, folder: 'app' })).toMatch(/^suspicious/);
    expect(why(output, { files: { ...files, 'calc.py': '' } })).toMatch(/^suspicious/);
    expect(why(output, { files: { ...files, 'src/calc/__init__.py': '' } })).toMatch(/^suspicious/);
  });

  it('A missing Python module is recognised by the whole name of a distribution in a namespace', () => {
    const dotted = "E   ModuleNotFoundError: No module named 'ruamel.zyaml'";
    const whole =
      "t.py:1: in <module>\n    import ruamel.zyaml\nE   ModuleNotFoundError: No module named 'ruamel'";
    const declared = { 'requirements.txt': 'ruamel.zyaml>=1\n' };
    expect(why(dotted, { files: declared })).toBe(
      'missing-package: the module "ruamel.zyaml" is declared in requirements.txt and not installed',
    );
    expect(why(whole, { files: declared })).toBe(
      'missing-package: the module "ruamel.zyaml" is declared in requirements.txt and not installed',
    );
    const google = { 'requirements.txt': 'google-cloud-storage' };
    const text = 'missing-package: the module "google.cloud.storage" is declared';
    expect(why("No module named 'google.cloud.storage'", { files: google })).toContain(text);
    expect(
      why("    from google.cloud import storage\nModuleNotFoundError: No module named 'google'", {
        files: google,
      }),
    ).toContain(text);
    expect(why("No module named 'google.cloud.storage.blob'", { files: google })).toBeNull();
    expect(why(dotted, { files: { 'requirements.txt': 'ruamel-zyaml-clib\n' } })).toBeNull();
    expect(why(dotted, { files: { ...declared, 'ruamel/zyaml/__init__.py': '' } })).toMatch(/^suspicious/);
    expect(why(dotted, { files: { ...declared, 'src/ruamel/other.py': '' } })).toBeNull();
    // The package is there; a module of it that no file has is for the work to write.
    expect(why("No module named 'calc.next'", { files: { 'requirements.txt': 'calc\n' } })).toBeNull();
  });

  it('A missing Python module that the repository has is suspicious', () => {
    expect(why(output, { files: { 'src/calc/__init__.py': '' } })).toMatch(
      /^suspicious: the module "calc" is in the repository/,
    );
  });
});

describe('a missing package of another language', () => {
  // Written in the format of Go 1.22, not recorded: a test that was written before its package, and one that needs a module that go.mod does not have.
  const goMod = { 'go.mod': 'module example.com/sums\n\ngo 1.22\n' };

  it('A missing Go package inside its own module is an ordinary failure', () => {
    const output =
      'sum_test.go:6:2: no required module provides package example.com/sums/add; to add it:\n\tgo get example.com/sums/add\nFAIL\texample.com/sums [setup failed]\nFAIL\n';
    expect(why(output, { command: 'go test ./...', files: goMod })).toBeNull();
    expect(
      why('sum_test.go:5:2: package sums/add is not in std (/usr/lib/go/src/sums/add)', { files: goMod }),
    ).toBeNull();
    expect(
      why('./sum_test.go:8:7: undefined: Add\nFAIL\texample.com/sums [build failed]', { files: goMod }),
    ).toBeNull();
  });

  it('A Go package that no module provides, or that go.sum lacks, stops the run', () => {
    expect(
      why(
        'a_test.go:6:2: no required module provides package github.com/stretchr/testify/assert; to add it:',
        {
          files: goMod,
        },
      ),
    ).toBe('missing-package: no module in go.mod provides the package "github.com/stretchr/testify/assert"');
    expect(
      why('a.go:3:8: missing go.sum entry for module providing package github.com/x/y; to add:', {
        files: goMod,
      }),
    ).toMatch(/^missing-package: go\.sum has no entry for "github\.com\/x\/y"/);
  });

  // Recorded with Go 1.19.8 behind a proxy that does not answer.
  it.each([
    [
      'no proxy answers',
      'go: downloading github.com/stretchr/testify v1.8.4\n# example.com/sums\nsum_test.go:2:20: github.com/stretchr/testify@v1.8.4: Get "http://127.0.0.1:1/github.com/stretchr/testify/@v/v1.8.4.zip": dial tcp 127.0.0.1:1: connect: connection refused\nFAIL\texample.com/sums [setup failed]',
    ],
    [
      'the proxy refuses',
      'go: github.com/stretchr/testify@v1.8.4: reading https://proxy.golang.org/github.com/stretchr/testify/@v/v1.8.4.mod: 502 Bad Gateway',
    ],
    [
      'fetching is switched off',
      'go: downloading github.com/stretchr/testify v1.8.4\n# example.com/sums\nsum_test.go:2:20: module lookup disabled by GOPROXY=off\nFAIL\texample.com/sums [setup failed]',
    ],
  ])('A declared Go module that cannot be fetched stops the run: %s', (_, output) => {
    expect(why(output, { command: 'go test ./...', files: goMod })).toBe(
      'missing-package: the module "github.com/stretchr/testify" cannot be fetched',
    );
  });

  it('A package of its own module that Go searches outside is an ordinary failure', () => {
    const output =
      'go: finding module for package example.com/sums/add\n# example.com/sums\na_test.go:2:20: module example.com/sums/add: Get "http://127.0.0.1:1/example.com/sums/add/@v/list": dial tcp 127.0.0.1:1: connect: connection refused';
    expect(why(output, { command: 'go test ./...', files: goMod })).toBeNull();
  });

  it('A crate that cannot be found is reported, unless it is one of the workspace', () => {
    expect(why("error[E0463]: can't find crate for `serde`")).toBe(
      'missing-package: the crate "serde" cannot be found',
    );
    expect(
      why("error[E0463]: can't find crate for `my_core`", {
        files: { 'core/Cargo.toml': '[package]\nname = "my-core"\n' },
      }),
    ).toBeNull();
    expect(why('error[E0432]: unresolved import `crate::add`')).toBeNull();
  });

  it('A missing gem is reported if the Gemfile declares it, and a file of the work is not', () => {
    const files = { Gemfile: "source 'x'\ngem 'rspec-rails', '~> 6'\n" };
    expect(why('cannot load such file -- rspec/rails (LoadError)', { files })).toMatch(
      /^missing-package: the gem/,
    );
    expect(why('cannot load such file -- calculator (LoadError)', { files })).toBeNull();
    expect(why('Could not find rake-13.0.6 in locally installed gems', { files })).toBe(
      'missing-package: the gem "rake-13.0.6" is not installed',
    );
  });

  it('A package that composer would install is reported', () => {
    const output = "PHP Fatal error:  Uncaught Error: Failed opening required '/c/vendor/autoload.php'";
    expect(why(output, { files: { 'composer.json': '{}' } })).toMatch(
      /^missing-package: the packages of composer\.json/,
    );
    expect(why('Error: Class "Calc" not found', { files: { 'composer.json': '{}' } })).toBeNull();
  });
});

describe('failures unrelated to the setup', () => {
  it('A failure unrelated to the setup has no cause', () => {
    expect(why('')).toBeNull();
    expect(why('✖ adds (1ms)\n  AssertionError: 3 !== 4\nℹ pass 0\nℹ fail 1')).toBeNull();
  });

  it('A failure with messages of a machine in trouble is suspicious', () => {
    expect(why('npm error Missing script: "test"')).toBe(
      'suspicious: its output says "npm error Missing script: "test""',
    );
    expect(why('Error: connect ECONNREFUSED 127.0.0.1:5432')).toMatch(/^suspicious/);
  });

  it.each([
    'npm error could not determine executable to run',
    'npm error code E404\nnpm error 404 Not Found - GET https://packages.example/vitset',
    'pattern ./...: directory prefix . does not contain main module or its selected dependencies',
    'pattern ./...: directory prefix . does not contain modules listed in go.work or their selected dependencies',
    '[ERROR] Could not create local repository at /c/.m2/repository -> [Help 1]',
  ])('A tool that reports a wrong folder or nothing to do is suspicious: %s', (output) => {
    expect(why(output)).toMatch(/^suspicious: its output says "/);
  });
});
