// Facts about JavaScript and TypeScript: npm, pnpm, yarn and bun, and their runners and tools.
import { javascriptTests } from './test-facts.ts';
import { javascriptWays } from './gates.ts';
import type { Ecosystem } from '#analysis/ecosystems/ecosystem.ts';
import { bunSections, npmrcSections, yamlSettings } from './packager-sections.ts';
import { bunLock, npmLock, pnpmLock, yarnLock } from './locks.ts';
import { mocksDependency } from './mocks.ts';
import { missingNodePackage } from './missing-package.ts';
import { isOffered } from './package-names.ts';
import { packageSections } from './sections.ts';
import { ofPackage } from './setup.ts';
import { targetSections } from '#analysis/ecosystems/manifests/task-sections.ts';
import { typeSections } from './type-sections.ts';

export const javascript: Ecosystem = {
  name: 'JavaScript',
  setup: {
    locks: [
      { file: 'pnpm-lock.yaml', use: install('pnpm install --frozen-lockfile'), read: pnpmLock },
      { file: 'bun.lock', use: install('bun install --frozen-lockfile'), read: bunLock },
      // Only bun can read its older format.
      { file: 'bun.lockb', use: install('bun install --frozen-lockfile') },
      {
        file: 'yarn.lock',
        use: { ...install('yarn install --immutable'), isReadLater: true },
        read: yarnLock,
      },
      { file: 'package-lock.json', use: install('npm ci'), read: npmLock },
      { file: 'npm-shrinkwrap.json', use: install('npm ci'), read: npmLock },
    ],
    manifests: [{ file: 'package.json', judge: ofPackage }],
    inputs: [
      'package.json',
      '.npmrc',
      '.yarnrc',
      '.yarnrc.yml',
      'pnpm-workspace.yaml',
      '.pnpmfile.cjs',
      'bunfig.toml',
      '.nvmrc',
      '.node-version',
    ],
    madeFolders: '.next .nuxt',
    tools: {
      npm: { env: { npm_config_package_lock: 'true' }, updatesLock: true, makes: 'node_modules' },
      pnpm: {
        env: { npm_config_lockfile: 'true', npm_config_frozen_lockfile: 'false' },
        updatesLock: true,
        makes: 'node_modules .pnp.cjs',
      },
      yarn: {
        env: { YARN_ENABLE_IMMUTABLE_INSTALLS: 'false' },
        updatesLock: true,
        makes: 'node_modules .pnp.cjs',
      },
      bun: { updatesLock: true, makes: 'node_modules' },
    },
    declaring: [
      /(?:^|\/)(?:package\.json|[tj]sconfig[\w.-]*\.json|pnpm-workspace\.yaml)$/,
      /(?:^|\/)(?:[\w-]+\.)*(?:vite|vitest|jest|webpack|babel|rollup|rspack|rsbuild|craco|next|nuxt|astro|svelte|metro)\.config\.[\w.]+$/,
      /(?:^|\/)(?:config-overrides\.js|\.babelrc(?:\.\w+)?)$/,
    ],
    missing: missingNodePackage,
    troubles: [
      /Missing script: |Cannot find type definition file for |could not determine executable to run/,
      /npx canceled due to missing packages|npm (?:error|ERR!) 404 +Not Found - |ENOENT[^\n]*package\.json/,
      /Unsupported engine|requires Node/,
    ],
    asking: 'package.json',
    programFolders: 'node_modules/.bin',
    installed: [/(?:^|\/)node_modules\/\.bin\//],
    lockedManifests: 'package.json',
    loading: [/(^|\/)(npm-shrinkwrap|package)\.json$/i],
    offers: { manifests: 'package.json', isOffered },
  },
  pins: {
    settings: [
      /^(\.eslintrc(\..+)?|eslint\.config\..+|\.eslintignore)$/,
      /^(\.oxlintrc\.json|biome\.jsonc?)$/,
      /^(\.stylelintrc(\..+)?|stylelint\.config\..+|\.stylelintignore)$/,
      /^(\.prettierrc(\..+)?|prettier\.config\..+|\.prettierignore)$/,
      /^tslint\.json$/,
      /^(babel\.config\..+|\.babelrc(\..+)?|\.swcrc)$/,
      /^(\.lintstagedrc(\..+)?|lint-staged\.config\..+)$/,
    ],
    runnerSettings: [
      /(^|\/)(vitest|jest|playwright|cypress|karma|wdio|ava|nightwatch)\.(config|conf|workspace|setup)\.[^/]+$/,
      /(^|\/)\.(mocharc|taprc)(\.[^/]+)?$/,
    ],
    // Only bun can read its older lock file, and only yarn runs the files here.
    deciding: [/(^|\/)(bun\.lockb$|\.yarn\/(releases|plugins|patches)\/)/, /(^|\/)\.husky\//],
    readByRunners: [
      /(^|\/)(jest\.config\.[^/]+|vitest\.(config|workspace)\.[^/]+|(ava|playwright)\.config\.[^/]+|karma\.conf\.[^/]+)$/,
      /(^|\/)(\.mocharc(\.[^/]+)?|mocha\.opts|\.taprc)$/,
    ],
    readByBuilds: [/(^|\/)\.husky\/_\//],
    runnerFiles: ['vitest.config.*', 'vitest.workspace.*', 'jest.config.*', '.mocharc*'],
    packagerFiles: ['.pnpmfile.cjs', '.pnpmfile.mjs'],
    readByRunner: {
      vitest: ['vite.config.*'],
      jest: ['babel.config.*', '.babelrc', '.babelrc.*', '.swcrc'],
    },
    recipes: [
      [/\bjake\b/, ['Jakefile', 'Jakefile.js', 'jakefile.js']],
      [/\bgulp\b/, ['js', 'mjs', 'cjs', 'ts'].map((end) => `gulpfile.${end}`)],
      [/\bgrunt\b/, ['Gruntfile.js', 'Gruntfile.cjs', 'gruntfile.js']],
      [/\blage\b/, ['lage.config.js']],
    ],
    notData: [/(^|\/)(package\.json|[jt]sconfig[^/]*\.json)$/i],
    sections: [
      [/^package\.json$/, packageSections],
      [/^([\w.-]+[.-])?[jt]sconfig[\w.-]*\.json$/, typeSections],
      [/^\.(npmrc|yarnrc)$/, npmrcSections],
      [/^(\.yarnrc\.yml|pnpm-workspace\.yaml)$/, yamlSettings],
      [/^bunfig\.toml$/, bunSections],
      [/^(project|nx|angular|turbo)\.json$/, targetSections],
    ],
    neverWhole: [/(^|\/)(package(-lock)?\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?)$/],
    materialParts: {
      'package.json': /^(scripts|jest|ava|mocha|tap|nyc|c8|vitest|type|imports|workspaces)$/,
    },
    scriptManifests: [/(^|\/)package\.jsonc?$/i],
    suspicious: [
      {
        files: /\.(?:[cm]?[jt]s|[jt]sx)$/,
        pattern:
          /\b(?:NODE_TEST_CONTEXT|VITEST(?:_WORKER_ID|_POOL_ID)?|JEST_WORKER_ID)\b|\.stack\b[^;\n]{0,80}(?:\.test\b|\.spec\b|['"`/]tests?\b|jest|mocha|vitest)/,
        says: 'asks whether it is tested',
      },
    ],
    steers: mocksDependency,
  },
  tests: javascriptTests,
  gates: {
    reads: [/^package\.json$/],
    ways: javascriptWays,
    needs: [[/^(?:npm|pnpm|yarn|bun) /, /(?:^|\/)package\.json$/]],
  },
  machine: {
    steering: [
      {
        below: 'home',
        folder: '',
        names: '.npmrc .yarnrc .yarnrc.yml .bunfig.toml .node_modules .node_libraries .eslintrc* .huskyrc',
      },
      { below: 'config', folder: '', names: '.bunfig.toml' },
      { below: 'config', folder: 'pnpm', names: 'rc config.yaml' },
      { below: 'config', folder: 'husky', names: 'init.sh' },
      { below: 'program', folder: 'etc', names: 'npmrc' },
      { below: 'program', folder: 'lib/node_modules/npm', names: 'npmrc' },
    ],
    upwards: [
      'package.json node_modules tsconfig.json jsconfig.json jest.config.* babel.config.* .babelrc* .swcrc .mocharc*',
      '.nycrc* .eslintrc* eslint.config.* .prettierrc* .stylelintrc* biome.json biome.jsonc .pnp.cjs .pnp.loader.mjs',
      'pnpm-workspace.yaml .yarnrc .yarnrc.yml lerna.json nx.json turbo.json .node-version',
    ].join(' '),
    registries: {
      questions: [
        ['npm', 'config', 'list', '--json'],
        ['yarn', 'config', 'get', 'registry'],
      ],
      files: [{ path: '.bunfig.toml' }, { path: '.yarnrc.yml' }],
      variables: [/^npm_config_(.*:)?registry$/i],
      settings: '.npmrc .yarnrc',
      machineSettings: '/etc/npmrc /usr/etc/npmrc /usr/local/etc/npmrc',
      telling: [/npm_config/i, /^(YARN|BUN)/i],
    },
    shownSettings: '.npmrc .yarnrc .yarnrc.yml .bunfig.toml',
    folderVariables: 'NVM_DIR VOLTA_HOME FNM_DIR PNPM_HOME BUN_INSTALL',
    downloads: '.cache/ms-playwright .cache/puppeteer .cache/Cypress',
    narrowFolders: '.npm',
    sharedFolders: 'pnpm fnm nvm',
  },
  programs: {
    checking: 'bun bunx eslint jest mocha node npm npx pnpm tsc vitest yarn',
    started: 'node npm npx pnpm pnpx yarn yarnpkg bun bunx corepack tsc vitest jest mocha eslint',
    spoken: 'npm pnpm yarn npx bun node',
    quoted: 'eslint tsc vitest jest prettier biome oxlint',
    common: 'npm npx pnpm yarn node bun tsc vitest jest mocha eslint',
    rare: 'bunx tsx ts-node ava tap karma cypress playwright biome oxlint prettier nx turbo',
    starters: 'npx npm pnpm yarn bun bunx',
    linters: 'eslint oxlint biome prettier tsc',
    testers: 'jest vitest mocha ava tap',
  },
};

function install(command: string): { readonly kind: 'install'; readonly command: string } {
  return { kind: 'install', command };
}
