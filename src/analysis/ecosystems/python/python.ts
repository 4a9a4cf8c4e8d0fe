// Facts about Python: pip, uv, poetry, pdm, pipenv and conda, and the runners and tools of its projects.
import { missingPythonModule } from './missing-module.ts';
import { pythonModules } from './modules.ts';
import { steersTests } from './new-test-files.ts';
import { pythonTests } from './test-facts.ts';
import { pythonWays } from './gates.ts';
import type { Ecosystem } from '#analysis/ecosystems/ecosystem.ts';
import { pipenvLock, pythonLock } from './locks.ts';
import { pythonSections, requirementSections } from './sections.ts';
import { isOffered, pythonManifests } from './setup.ts';
import { commandTables } from '#analysis/ecosystems/manifests/task-sections.ts';

const loadedByPython = 'sitecustomize* usercustomize* *.pth pytest.py';

// Asks for pip's settings and its defaults: one start of Python, where pip's own commands would need two.
const pipQuestion = `
from pip._internal.configuration import Configuration
from pip._internal.models.index import PyPI
settings = Configuration(isolated=False)
settings.load()
print([(name, value) for name, value in settings.items() if 'index' in name or 'links' in name])
print(PyPI.url, 'https://' + PyPI.file_storage_domain)
`;

export const python: Ecosystem = {
  name: 'Python',
  setup: {
    locks: [
      {
        file: 'uv.lock',
        use: { kind: 'install', command: 'uv sync --frozen', isReadLater: true },
        read: pythonLock,
      },
      { file: 'poetry.lock', use: { kind: 'install', command: 'poetry install' }, read: pythonLock },
      { file: 'Pipfile.lock', use: { kind: 'install', command: 'pipenv sync --dev' }, read: pipenvLock },
      { file: 'pdm.lock', use: { kind: 'install', command: 'pdm sync' }, read: pythonLock },
    ],
    manifests: pythonManifests,
    inputs: [
      'pyproject.toml',
      'setup.py',
      'setup.cfg',
      'requirements.txt',
      'Pipfile',
      '.python-version',
      /(^|\/)requirements([\w.-]*|\/[\w.-]+)\.txt$/,
      /(^|\/)environment\.ya?ml$/,
    ],
    madeFolders: '.venv venv __pycache__ .tox .mypy_cache',
    tools: { uv: { updatesLock: true, makes: '.venv' }, pdm: { makes: '.venv __pypackages__' } },
    declaring: [
      /(?:^|\/)(?:pyproject\.toml|[\w.-]*requirements[\w.-]*\.(?:txt|in)|setup\.(?:py|cfg)|Pipfile|environment\.ya?ml)$/,
      /(?:^|\/)requirements\/[\w.-]+\.txt$/,
    ],
    missing: missingPythonModule,
    asking: [
      'pyproject.toml requirements.txt requirements-dev.txt dev-requirements.txt requirements/dev.txt',
      'requirements/test.txt setup.py setup.cfg Pipfile tox.ini environment.yml',
    ].join(' '),
    programFolders: '.venv/bin venv/bin',
    installed: [/(?:^|\/)(?:\.?v?env|\.tox\/[^/]+|\.nox\/[^/]+)\/(?:bin|Scripts)\//],
    lockedManifests: 'pyproject.toml',
    loading: [/(^|\/)(pyproject\.toml|setup\.(cfg|py)|requirements[^/]*\.txt)$/i],
    offers: { manifests: 'pyproject.toml setup.cfg setup.py', shipping: 'MANIFEST.in', isOffered },
  },
  pins: {
    settings: [
      /^(\.?ruff\.toml)$/,
      /^(\.?mypy\.ini|pyrightconfig\.json)$/,
      /^(\.pylintrc|pylintrc|\.flake8)$/,
      /^setup\.cfg$/,
    ],
    runnerSettings: [
      /(^|\/)(\.?pytest\.(ini|toml)|tox\.(ini|toml)|noxfile\.py)$/,
      /(^|\/)(site|user)customize\.py$/,
    ],
    readByRunners: [
      /(^|\/)(conftest\.py|sitecustomize\.py|usercustomize\.py|\.?pytest\.(ini|toml)|tox\.(ini|toml)|\.nocover)$/,
      /\.pth$/,
    ],
    runnerFiles: ['pytest.ini', 'tox.ini', 'conftest.py'],
    recipes: [[/\b(invoke|inv)\b/, ['tasks.py']]],
    ownSettings: [[/\btox\b/, ['tox.toml']]],
    notData: [/(^|\/)(pyproject\.toml|setup\.cfg|requirements[^/]*\.txt)$/i],
    sections: [
      [/^pyproject\.toml$/, pythonSections],
      [/^[\w.-]*requirements[\w.-]*\.(txt|in)$/, requirementSections],
      [/^(Pipfile|hatch\.toml|pixi\.toml)$/, commandTables],
    ],
    neverWhole: [/(^|\/)pyproject\.toml$/],
    materialParts: {
      'pyproject.toml': /pytest|coverage|tox|nox|unittest|scripts|tasks|taskipy|poe/,
      'setup.cfg': /pytest|coverage|tox|unittest/,
    },
    suspicious: [
      {
        files: /\.py$/,
        pattern:
          /\bPYTEST_CURRENT_TEST\b|["'](?:pytest|unittest)["']\s+(?:not\s+)?in\s+sys\.modules|\bsys\.modules\.get\(\s*["'](?:pytest|unittest)|\binspect\.stack\(\)[^\n]{0,120}test/,
        says: 'asks whether it is tested',
      },
      {
        files: /\.py$/,
        pattern: /\bdef __eq__\(\w+,[^)]*\)[^:\n]*:\s*return True\b|\b__eq__ *= *lambda\b[^:\n]*: *True\b/,
        says: 'makes something that equals everything',
      },
      { files: /\.py$/, pattern: /^\s*builtins\.\w+\s*=(?!=)/m, says: 'replaces what is built in' },
    ],
    testLibraries: [
      /^(?:src\/|tests?\/)?((?:_?pytest|unittest|hypothesis|pluggy|nose2?|doctest)(?:\.py$|\/__init__\.py$))/,
    ],
    modules: pythonModules,
    steers: steersTests,
  },
  tests: pythonTests,
  gates: {
    reads: [/^(?:pyproject\.toml|setup\.cfg|tox\.ini|Pipfile|requirements[\w.-]*\.txt|\.?mypy\.ini)$/],
    ways: pythonWays,
  },
  machine: {
    steering: [
      { below: 'home', folder: '', names: '.pylintrc .mypy.ini .flake8 .pydistutils.cfg' },
      { below: 'home', folder: '.pip', names: 'pip.conf' },
      {
        below: 'home',
        folder: '.local/lib/python3*/site-packages',
        names: `${loadedByPython} pytest _pytest`,
      },
      { below: 'home', folder: '.pyenv/versions/*/lib/python3*/site-packages', names: loadedByPython },
      {
        below: 'home',
        folder: 'Library/Python/*/lib/python/site-packages',
        names: `${loadedByPython} pytest _pytest`,
      },
      { below: 'config', folder: '', names: 'flake8 pylintrc' },
      { below: 'config', folder: 'pip', names: 'pip.conf' },
      { below: 'config', folder: 'uv', names: 'uv.toml' },
      { below: 'config', folder: 'pypoetry', names: 'config.toml' },
      { below: 'config', folder: 'ruff', names: 'ruff.toml .ruff.toml' },
      { below: 'config', folder: 'mypy', names: 'config' },
      { below: 'program', folder: 'lib/python3*/site-packages', names: loadedByPython },
    ],
    upwards:
      'pytest.ini .pytest.ini tox.ini setup.cfg pyproject.toml conftest.py ruff.toml .ruff.toml .python-version',
    registries: {
      questions: [['python3', '-c', pipQuestion]],
      files: [{ path: '.condarc' }],
      variables: [/^(PIP_(EXTRA_)?INDEX_URL|PIP_FIND_LINKS|UV_(DEFAULT_)?INDEX(_URL)?)$/i],
      settings: '.config/pip/pip.conf .pip/pip.conf',
      machineSettings: '/etc/pip.conf',
      telling: [/^(PIP|UV)/i],
    },
    shownSettings: '.config/pip/pip.conf .pip/pip.conf .condarc',
    folderVariables: 'PYENV_ROOT VIRTUAL_ENV',
    certificateVariables: 'REQUESTS_CA_BUNDLE PIP_CERT',
    downloads: '.local/lib',
    sharedFolders: 'uv pipx',
  },
  programs: {
    checking: 'pytest python python3 tox uv',
    started: 'python python3 pytest py.test tox nox uv uvx poetry pdm hatch pipenv ruff mypy',
    spoken: 'pytest uv poetry tox python python3',
    quoted: 'ruff mypy flake8 pyright black',
    common: 'python python3 pytest tox nox uv poetry ruff mypy',
    rare: 'pip pip3 pipx pdm hatch rye conda',
    relays: 'pipenv hatch rye pdm tox',
    starters: 'uv uvx poetry',
    linters: 'mypy ruff flake8',
    formatters: 'black',
    testers: 'pytest unittest',
    rootFiles: ['pyproject.toml', 'ruff.toml', 'tox.ini', /^requirements[\w-]*\.txt$/],
    products: 'PyTest',
  },
};
