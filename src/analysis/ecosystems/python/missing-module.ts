// Finds modules that Python could not import. Pure.
import { listOf, type Table, tableOf, valueAt } from '#analysis/texts/plain.ts';
import { readToml } from '#analysis/texts/toml.ts';
import type { RedCause } from '#kernel/model/criterion.ts';
import {
  allOf,
  inRepository,
  isInRepository,
  manifestsNamed,
  type RedCheck,
} from '#analysis/why-red/red-check.ts';

const unresolved = /\bNo module named '([\w.]+)'|^\S*python[\d.]*\S*: No module named ([\w.]+)/gm;

/** Null if tests import a module that is still to be written: neither declared nor in the repository. */
export function missingPythonModule(check: RedCheck): RedCause | null {
  const modules = allOf(check.output, unresolved);
  if (modules.length === 0) return null;
  const declared = declaredIn(check);
  let doubt: RedCause | null = null;
  for (const module of modules) {
    const { name, where } = declaredName(check, declared, module);
    const isPart = name.includes('.');
    // The package of a dotted name was found; only a distribution of the whole name could provide it.
    if (isPart && where === undefined) continue;
    // A package of the repository may share its name with distributions, and the work adds to it.
    const path = name.replaceAll('.', '/');
    if (isPart && isImportable(check, name.split('.')[0] ?? '') && !isImportable(check, path)) continue;
    const isRun = new RegExp(`\\s-m\\s+${name.replaceAll('.', '\\.')}\\b`).test(check.command);
    if (isRun && (where !== undefined || tools.has(name)))
      return {
        kind: 'missing-program',
        text: `the Python module "${name}", which the check runs, is not installed`,
      };
    // A declared name deep in another package is not a module of that name.
    if (where === undefined ? isInRepository(check, name, ['.py']) : isImportable(check, path)) {
      doubt ??= {
        kind: 'suspicious',
        text: `the module "${name}" is in the repository, but Python does not find it; a setup such as "pip install -e ." may be missing`,
      };
      continue;
    }
    if (where !== undefined)
      return {
        kind: 'missing-package',
        text: `the module "${name}" is declared in ${where} and not installed`,
      };
  }
  return doubt;
}

interface DeclaredName {
  readonly name: string;
  /** The file that declares a distribution for it. */
  readonly where: string | undefined;
}

/** Python names the first missing part; the import above may name a longer one, which a distribution has. */
function declaredName(
  { output }: RedCheck,
  declared: ReadonlyMap<string, string>,
  module: string,
): DeclaredName {
  const imported = [...output.matchAll(importLine)].slice(0, importsMax).flatMap(([, from, names, whole]) => {
    const parts =
      whole === undefined ? (names ?? '').split(/[\s,]+/).map((one) => `${from}.${one}`) : [whole];
    return [...(from === undefined ? [] : [from]), ...parts].filter((one) => one.startsWith(`${module}.`));
  });
  for (const name of [module, ...imported])
    for (const distribution of distributionsOf(name)) {
      const where = declared.get(distribution);
      if (where !== undefined) return { name, where };
    }
  return { name: module, where: undefined };
}

const importLine = /^[>\s]*(?:from ([\w.]+) import \(?([\w, ]+)|import ([\w.]+))/gm;
const importsMax = 1000;

/** In a folder from which Python imports: the root, that of the check, and `src` of both. */
function isImportable({ files, folder }: RedCheck, name: string): boolean {
  const places = ['', 'src', folder, `${folder}/src`].map((place) => inRepository(place, name));
  return places.some(
    (place) => files.has(`${place}.py`) || [...files].some((path) => path.startsWith(`${place}/`)),
  );
}

const tools = new Set(
  'pytest unittest2 tox nox mypy ruff flake8 pylint black isort coverage pyright build behave nose2 hatch poetry pdm uv pip'.split(
    ' ',
  ),
);

/** Modules that come with a distribution of another name. */
const others: { readonly [module: string]: string } = {
  attr: 'attrs',
  bs4: 'beautifulsoup4',
  crypto: 'pycryptodome',
  cv2: 'opencv-python',
  dateutil: 'python-dateutil',
  docx: 'python-docx',
  dotenv: 'python-dotenv',
  git: 'gitpython',
  jose: 'python-jose',
  jwt: 'pyjwt',
  magic: 'python-magic',
  multipart: 'python-multipart',
  mysqldb: 'mysqlclient',
  openssl: 'pyopenssl',
  pil: 'pillow',
  psycopg2: 'psycopg2-binary',
  serial: 'pyserial',
  sklearn: 'scikit-learn',
  slugify: 'python-slugify',
  yaml: 'pyyaml',
  zmq: 'pyzmq',
};

function distributionsOf(module: string): string[] {
  const own = canonical(module);
  const other = others[module.toLowerCase()];
  return other === undefined ? [own] : [own, other];
}

function canonical(distribution: string): string {
  return distribution.toLowerCase().replaceAll(/[-_.]+/g, '-');
}

/** Distribution to the file that declares it, without the project's own name. */
function declaredIn(check: RedCheck): ReadonlyMap<string, string> {
  const declared = new Map<string, string>();
  const own = new Set<string>();
  for (const [path, text] of manifestsNamed(check, /^(?:pyproject\.toml|Pipfile)$/)) {
    const table = readToml(text) ?? {};
    for (const at of ['project.name', 'tool.poetry.name']) {
      const name = valueAt(table, at);
      if (typeof name === 'string') own.add(canonical(name));
    }
    for (const name of fromToml(table)) declared.set(canonical(name), path);
  }
  for (const [path, text] of manifestsNamed(
    check,
    /^(?:.*\.(?:txt|in)|setup\.(?:py|cfg)|environment\.ya?ml)$/,
  ))
    for (const name of fromText(path, text)) declared.set(canonical(name), path);
  for (const name of own) declared.delete(name);
  return declared;
}

/** Lists of requirements. */
const lists = ['project.dependencies', 'tool.uv.dev-dependencies', 'tool.hatch.envs.default.dependencies'];
/** Tables whose values are such lists. */
const groups = ['project.optional-dependencies', 'dependency-groups', 'tool.pdm.dev-dependencies'];
/** Tables whose keys are distributions. */
const keyed = ['tool.poetry.dependencies', 'tool.poetry.dev-dependencies', 'packages', 'dev-packages'];

function fromToml(table: Table): string[] {
  const requirements = [
    ...lists.flatMap((path) => listOf(valueAt(table, path))),
    ...groups.flatMap((path) =>
      Object.values(tableOf(valueAt(table, path)) ?? {}).flatMap((list) => listOf(list)),
    ),
  ];
  const poetry = Object.values(tableOf(valueAt(table, 'tool.poetry.group')) ?? {});
  const tables = [
    ...keyed.map((path) => valueAt(table, path)),
    ...poetry.map((group) => valueAt(tableOf(group) ?? {}, 'dependencies')),
  ];
  return [
    ...requirements.flatMap((one) => (typeof one === 'string' ? nameOf(one) : [])),
    ...tables.flatMap((one) => Object.keys(tableOf(one) ?? {})).filter((name) => name !== 'python'),
  ];
}

function fromText(path: string, text: string): string[] {
  if (path.endsWith('.py'))
    return allOf(
      text,
      /(?:install_requires|tests_require|extras_require)\s*=\s*([[{][\s\S]*?[\]}])/g,
    ).flatMap((block) => allOf(block, /["']([A-Za-z\d][^"']*)["']/g).flatMap(nameOf));
  if (path.endsWith('.cfg'))
    return allOf(text, /^(?:install_requires|tests_require)\s*=[ \t]*((?:.*)(?:\n[ \t]+.+)*)/gm).flatMap(
      (block) => block.split('\n').flatMap(nameOf),
    );
  if (/\.ya?ml$/.test(path)) return allOf(text, /^\s*-\s+([A-Za-z\d][\w.-]*)/gm);
  return text.split('\n').flatMap(nameOf);
}

function nameOf(requirement: string): string[] {
  const name = /^\s*([A-Za-z\d][\w.-]*)\s*(?:$|[[<>=!~;@#,(])/.exec(requirement)?.[1];
  return name === undefined ? [] : [name];
}
