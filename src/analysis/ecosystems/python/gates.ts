import { type Gate, gate, noWays, type Root, sure, type Ways } from '#analysis/ecosystems/gates/ways.ts';

const marks = ['pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt', 'tox.ini', 'Pipfile'];

export function pythonWays(root: Root): Ways {
  if (!marks.some((file) => root.files.has(file))) return noWays;
  const project = root.text('pyproject.toml');
  const prefix = runnerOf(root);
  const gates = [
    testsGate(root, prefix),
    lintGate(root, prefix),
    typesGate(root, prefix),
    buildGate(root, project),
  ];
  return {
    gates: gates.filter((gate) => gate !== null),
    serve: null,
    programs: [...section(project, 'project.scripts').matchAll(/^\s*["']?([\w.-]+)["']?\s*=/gm)].map(
      (found) => found[1] ?? '',
    ),
    hasPages: false,
  };
}

/** The prefix of a tool so that it finds the project's own packages. */
function runnerOf({ files }: Root): string {
  const locks = {
    'uv.lock': 'uv run ',
    'poetry.lock': 'poetry run ',
    'pdm.lock': 'pdm run ',
    'Pipfile.lock': 'pipenv run ',
  };
  return Object.entries(locks).find(([file]) => files.has(file))?.[1] ?? '';
}

function testsGate(root: Root, prefix: string): Gate | null {
  const { files } = root;
  const isSet =
    has(root, 'tool.pytest.ini_options') ||
    files.has('pytest.ini') ||
    has(root, 'tool:pytest') ||
    hasIn(root, 'tox.ini', 'pytest');
  const run = prefix === '' ? 'python -m pytest' : `${prefix}pytest`;
  if (isSet) return gate('tests', run, sure.configured, 'pytest is configured');
  const isUsed = [...files].some((path) => /(?:^|\/)conftest\.py$/.test(path)) || depends(root, 'pytest');
  if (isUsed) return gate('tests', run, sure.customary, 'pytest is used');
  if (files.has('tox.ini')) return gate('tests', `${prefix}tox`, sure.likely, 'tox.ini is there');
  const hasTests = [...files].some((path) => /(?:^|\/)test_\w+\.py$/.test(path));
  return hasTests
    ? gate(
        'tests',
        `${prefix}python -m unittest discover`,
        sure.guessed,
        'there are files test_*.py and no runner is named',
      )
    : null;
}

function lintGate(root: Root, prefix: string): Gate | null {
  const { files } = root;
  if (has(root, 'tool.ruff') || files.has('ruff.toml') || files.has('.ruff.toml')) {
    return gate('lint', `${prefix}ruff check .`, sure.configured, 'ruff is configured');
  }
  if (files.has('.flake8') || has(root, 'flake8'))
    return gate('lint', `${prefix}flake8`, sure.configured, 'flake8 is configured');
  if (has(root, 'tool.pylint') || files.has('.pylintrc')) {
    return gate('lint', `${prefix}pylint .`, sure.likely, 'pylint is configured');
  }
  return depends(root, 'ruff')
    ? gate('lint', `${prefix}ruff check .`, sure.likely, 'ruff is depended on')
    : null;
}

function typesGate(root: Root, prefix: string): Gate | null {
  const { files } = root;
  const isMypy =
    has(root, 'tool.mypy') || files.has('mypy.ini') || files.has('.mypy.ini') || has(root, 'mypy');
  if (isMypy) {
    const settings =
      section(root.text('pyproject.toml'), 'tool.mypy') + root.text('mypy.ini') + root.text('.mypy.ini');
    const namesFiles = /^\s*(?:files|packages|modules)\s*=/m.test(settings);
    const target = [...files].some((path) => path.startsWith('src/') && path.endsWith('.py')) ? ' src' : ' .';
    return gate('types', `${prefix}mypy${namesFiles ? '' : target}`, sure.configured, 'mypy is configured');
  }
  const isPyright = has(root, 'tool.pyright') || files.has('pyrightconfig.json');
  return isPyright ? gate('types', `${prefix}pyright`, sure.configured, 'pyright is configured') : null;
}

function buildGate({ files }: Root, project: string): Gate | null {
  if (!/^\[build-system\]/m.test(project)) return null;
  const run = files.has('uv.lock')
    ? 'uv build'
    : files.has('poetry.lock')
      ? 'poetry build'
      : 'python -m build';
  return gate('build', run, sure.likely, 'pyproject.toml names a build system');
}

/** Whether a table of pyproject.toml or setup.cfg is there, itself or one below it. */
function has(root: Root, table: string): boolean {
  const head = new RegExp(`^\\[${table.replaceAll('.', '\\.')}[\\].]`, 'm');
  return head.test(root.text('pyproject.toml')) || head.test(root.text('setup.cfg'));
}

function hasIn(root: Root, file: string, word: string): boolean {
  return new RegExp(`\\b${word}\\b`).test(root.text(file));
}

function depends(root: Root, name: string): boolean {
  const asked = new RegExp(`(?:^|["'\\s])${name}(?:[\\s"'<>=~!;[]|$)`, 'm');
  return [...root.files].some(
    (file) =>
      /^(?:pyproject\.toml|Pipfile|requirements[\w.-]*\.txt)$/.test(file) && asked.test(root.text(file)),
  );
}

function section(text: string, name: string): string {
  const start = text.indexOf(`[${name}]`);
  if (start < 0) return '';
  const rest = text.slice(start + name.length + 2);
  return rest.split(/^\[/m)[0] ?? '';
}
