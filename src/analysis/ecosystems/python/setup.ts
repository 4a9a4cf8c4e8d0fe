// Finds the tool that installs a Python project without a lock file; often only the user knows. Pure.
import { escaped } from '#analysis/texts/path-words.ts';
import { valueAt } from '#analysis/texts/plain.ts';
import { readToml } from '#analysis/texts/toml.ts';
import type { Manifest, ManifestKind } from '#analysis/ecosystems/ecosystem.ts';
import type { DetectedSetup } from '#analysis/ecosystems/setup/detected-setup.ts';
import { isFilled, unlocked } from '#analysis/ecosystems/setup/manifest-answers.ts';

export const pythonManifests: readonly ManifestKind[] = [
  { file: 'pyproject.toml', judge: ofPyproject },
  { file: 'Pipfile', judge: ({ path }) => unlocked('pipenv install --dev', path, 'Pipfile.lock') },
  { file: 'requirements.txt', judge: ofRequirements },
  {
    file: 'setup.py',
    judge: ({ path, text }) => (/(install|extras|tests)_require/.test(text) ? asked(path) : null),
  },
  {
    file: 'setup.cfg',
    judge: ({ path, text }) =>
      /^(install_requires\s*=|\[options\.extras_require\])/m.test(text) ? asked(path) : null,
  },
  { file: /^(requirements[\w.-]*|requirements\/[\w.-]+)\.txt$/, judge: ofRequirements },
  { file: /^environment\.ya?ml$/, judge: ({ path, text }) => (/\S/.test(text) ? asked(path) : null) },
];

const pythonTools = [
  { table: 'tool.poetry', backend: /^poetry[._]/, command: 'poetry install', lock: 'poetry.lock' },
  { table: 'tool.uv', backend: /^uv_build\b/, command: 'uv sync', lock: 'uv.lock' },
  { table: 'tool.pdm', backend: /^pdm\./, command: 'pdm install', lock: 'pdm.lock' },
] as const;

const pythonTables = [
  'project.dependencies',
  'project.optional-dependencies',
  'dependency-groups',
  'tool.poetry.dependencies',
  'tool.poetry.dev-dependencies',
  'tool.poetry.group',
];

/** A table of a tool names the installer; without one, a build backend that belongs to one tool decides. */
function ofPyproject({ path, text, has }: Manifest): DetectedSetup | null {
  const about = readToml(text);
  if (about === null) return asked(path, `${path} is not valid TOML`);
  const isOfTool = ['tool.uv', 'tool.pdm'].some((table) => valueAt(about, table) !== undefined);
  if (!isOfTool && !pythonTables.some((table) => isFilled(valueAt(about, table)))) return null;
  const backend = valueAt(about, 'build-system.build-backend');
  const tool =
    pythonTools.find(({ table }) => valueAt(about, table) !== undefined) ??
    pythonTools.find((one) => typeof backend === 'string' && one.backend.test(backend));
  if (tool !== undefined) return unlocked(tool.command, path, tool.lock);
  return asked(
    path,
    has('requirements.txt') ? `${path} and requirements.txt declare dependencies` : undefined,
  );
}

/** Whether an entry point of the package names the module of this file. */
export function isOffered(path: string, manifest: string): boolean {
  const module = path.replace(/^src\/|(\/__init__)?\.py$/g, '').replaceAll('/', '.');
  return path.endsWith('.py') && new RegExp(String.raw`=\s*["']?${escaped(module)}(?![\w.])`).test(manifest);
}

function ofRequirements({ path, text }: Manifest): DetectedSetup | null {
  return /^[ \t]*[^\s#]/m.test(text) ? asked(path) : null;
}

/** Python projects install into an environment that only the user knows. */
function asked(
  path: string,
  why = `${path} declares dependencies, and no committed file says which tool installs them`,
): DetectedSetup {
  return {
    kind: 'ask',
    why,
    hint: `Name the command: --setup "…"${exampleFor(path)}, or --no-setup to install nothing.`,
    asked: { manifest: path, tools: 'uv poetry pipenv pdm' },
  };
}

function exampleFor(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name.startsWith('environment.'))
    return ` (for example "conda env create --prefix .conda --file ${name}")`;
  const list = /(^|\/)(requirements(\/[\w.-]+|[\w.-]*)\.txt)$/.exec(path)?.[2];
  const install = list === undefined ? '-e .' : `-r ${list}`;
  return ` (for example "python3 -m venv .venv && .venv/bin/pip install ${install}")`;
}
