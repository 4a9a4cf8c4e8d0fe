// Which files decide a check, by their names and by the words of the command. Pure.
import { posix } from 'node:path';
import { runnerSettings } from '#analysis/tampering/runner-settings.ts';
import { isTest } from '#analysis/tampering/test-names.ts';
import { isInstruction } from './instructions.ts';

/** Settings of a tool by their names, one line for each tool: of a kind that the base has, one more takes the place of the other. */
export const toolSettings: readonly RegExp[] = [
  /^(\.eslintrc(\..+)?|eslint\.config\..+|\.eslintignore)$/,
  /^(\.oxlintrc\.json|biome\.jsonc?)$/,
  /^(\.?ruff\.toml)$/,
  /^(\.?mypy\.ini|pyrightconfig\.json)$/,
  /^(\.pylintrc|pylintrc|\.flake8)$/,
  /^(\.coveragerc|\.nycrc(\..+)?|\.c8rc(\..+)?)$/,
  /^\.?codecov\.ya?ml$/,
  /^\.golangci\..+$/,
  /^(\.?clippy\.toml|\.?rustfmt\.toml)$/,
  /^(\.rubocop|\.rubocop_todo)\.yml$/,
  /^(\.stylelintrc(\..+)?|stylelint\.config\..+|\.stylelintignore)$/,
  /^(\.prettierrc(\..+)?|prettier\.config\..+|\.prettierignore)$/,
  /^tslint\.json$/,
  /^\.?shellcheckrc$/,
  /^(babel\.config\..+|\.babelrc(\..+)?|\.swcrc)$/,
  /^(\.lintstagedrc(\..+)?|lint-staged\.config\..+)$/,
  /^(\.credo\.exs|\.swiftlint\.yml|analysis_options\.yaml|\.sqlfluff)$/,
  // Builds that are programs, or in a language that we have no parser for: pinned as a whole.
  /^[\w.-]+\.gradle(\.kts)?$/,
  /^pom\.xml$/,
  /(\.(cs|fs|vb)proj|^Directory\.\w+\.(props|targets))$/,
  /^(CMakeLists\.txt|[\w.-]+\.cmake)$/,
  /^BUILD(\.bazel)?$/,
  /^Gemfile$/,
  /^setup\.cfg$/,
  /^(\.hadolint\.ya?ml|\.yamllint(\.ya?ml)?|\.markdownlint(\..+|-cli2\..+)?)$/,
];

const settings: readonly RegExp[] = [
  ...runnerSettings,
  /^\.github\/workflows\//,
  /^\.gitlab-ci\.yml$/,
  /(^|\/)\.cargo\/config(\.toml)?$/,
  /(^|\/)(junit-platform\.properties|testng\.xml|checkstyle\.xml|detekt\.ya?ml|gradle-wrapper\.(jar|properties))$/,
  /(^|\/)(\.mvn\/|META-INF\/services\/org\.(junit|testng))/,
  /(^|\/)(xunit\.runner\.json|[^/]+\.runsettings|[Nn]u[Gg]et\.[Cc]onfig|\.simplecov)$/,
  /(^|\/)(phpstan(-baseline)?\.neon(\.dist)?|psalm(-baseline)?\.xml(\.dist)?|\.php-cs-fixer(\.dist)?\.php)$/,
  // Nobody but bun can read its older lock file, and nobody but yarn starts what it keeps here.
  /(^|\/)(bun\.lockb$|\.yarn\/(releases|plugins|patches)\/)/,
  // Our own: they open the sandbox of the next run, and name what is started with a person's rights.
  /(^|\/)\.untildone\/config\.jsonc$/,
  /(^|\/)(\.husky\/|\.pre-commit-config\.yaml$|\.?lefthook(-local)?\.(ya?ml|toml|json)$|\.?simple-git-hooks\.\w+$)/,
];

/** Programs that packagers run on their own; their settings are judged by their keys. */
export const packagerFiles = ['.pnpmfile.cjs', '.pnpmfile.mjs'];
/** Names that test runners look for on their own. */
export const runnerFiles = [
  'vitest.config.*',
  'vitest.workspace.*',
  'jest.config.*',
  '.mocharc*',
  'pytest.ini',
  'tox.ini',
  'conftest.py',
];
/** Settings of a build that a runner reads as well: through them it loads tests and work alike. */
export const readByRunner: { readonly [runner: string]: readonly string[] } = {
  vitest: ['vite.config.*'],
  jest: ['babel.config.*', '.babelrc', '.babelrc.*', '.swcrc'],
};
/** In the order in which `make` prefers them. */
const makefiles = ['GNUmakefile', 'makefile', 'Makefile'];

export function isDependency(path: string): boolean {
  return /(^|\/)node_modules(\/|$)/.test(path);
}

export function usesPackager(command: string): boolean {
  return /\b(npm|npx|pnpm|pnpx|yarn|node|bunx?)\b/.test(command);
}

export const testWhy = 'a test that was there at the start';

/** Why a file is pinned by its name alone; null when it is not. */
export function whyPinned(path: string): string | null {
  if (isTest(path)) return testWhy;
  const name = posix.basename(path);
  if (settings.some((pattern) => pattern.test(path)) || toolSettings.some((tool) => tool.test(name)))
    return 'decides how the work is checked';
  if (isInstruction(path)) return 'instructs whoever reviews the work';
  return null;
}

/** Words of a command or script that could be paths, as they stand and without quotes or `name=`. */
export function wordsOf(text: string): string[] {
  const words = text.split(/[\s;&|<>()`"'$={},:[\]]+/);
  return [...new Set(words)]
    .map((word) => word.replace(/^\.\//, ''))
    .filter((word) => word !== '' && word.length < 300);
}

/** A path of the tree that a word in the folder `cwd` means; null when it leads out of the tree. */
export function resolveIn(cwd: string, word: string): string | null {
  if (word.startsWith('/') || word.startsWith('-')) return null;
  const path = posix.normalize(posix.join(cwd, word)).replace(/\/$/, '');
  return path.startsWith('..') || path === '.' ? null : path;
}

/** What a runner of tasks reads in the folder where it is started; nothing else says what its tasks do. */
const recipes: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\bg?make\b/, makefiles],
  [/\bjust\b/, ['justfile', 'Justfile', '.justfile']],
  [
    /\btask\b/,
    ['yml', 'yaml', 'dist.yml', 'dist.yaml'].flatMap((end) => [`Taskfile.${end}`, `taskfile.${end}`]),
  ],
  [/\brake\b/, ['Rakefile', 'rakefile', 'Rakefile.rb', 'rakefile.rb']],
  [/\bjake\b/, ['Jakefile', 'Jakefile.js', 'jakefile.js']],
  [/\bgulp\b/, ['js', 'mjs', 'cjs', 'ts'].map((end) => `gulpfile.${end}`)],
  [/\bgrunt\b/, ['Gruntfile.js', 'Gruntfile.cjs', 'gruntfile.js']],
  [/\b(invoke|inv)\b/, ['tasks.py']],
  [/\bcargo[ -]make\b/, ['Makefile.toml']],
  [/\bmage\b/, ['magefile.go']],
  [/\bearthly\b/, ['Earthfile']],
  [/\bmoon\b/, ['moon.yml', '.moon/tasks.yml']],
  [/\blage\b/, ['lage.config.js']],
  [/\bant\b/, ['build.xml']],
  [/\b(docker|podman|buildah|nerdctl)\b/, ['Dockerfile', 'Containerfile']],
];

/** What a tool reads on its own where it is started, besides what it was told. */
const ownSettings: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\bbazel(isk)?\b/, ['.bazelrc', '.bazeliskrc', 'tools/bazel']],
  [/\btox\b/, ['tox.toml']],
  [/\bdart\b|\bflutter\b/, ['dart_test.yaml']],
  [/\bbusted\b/, ['.busted']],
  [/\bprove\b/, ['.proverc']],
  [/\b(ctest|cmake)\b/, ['CTestConfig.cmake', 'CTestCustom.cmake', 'CMakeUserPresets.json']],
  [
    /\bdocker[ -]compose\b/,
    ['compose', 'docker-compose'].flatMap((name) => [`${name}.override.yml`, `${name}.override.yaml`]),
  ],
];

export function recipeFiles(command: string): string[] {
  return [...recipes, ...ownSettings].flatMap(([tool, files]) => (tool.test(command) ? files : []));
}

/** Names that must stay free in a folder: a second recipe beside one that is there, and settings that a tool reads on its own. */
export function rivalFiles(command: string, isThere: (name: string) => boolean): string[] {
  const used = recipes.filter(([tool, files]) => tool.test(command) && files.some(isThere));
  const read = ownSettings.filter(([tool]) => tool.test(command));
  return [...used, ...read].flatMap(([, files]) => files);
}
