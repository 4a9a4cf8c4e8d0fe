// Facts about PHP: composer.
import { first, none } from '#analysis/output/runner-line.ts';
import { tableOf } from '#analysis/texts/plain.ts';
import { type Json, pick, readJson, readJsonTable, recordOf, unreadable } from '#analysis/texts/json-text.ts';
import { manifestsNamed, type RedCheck } from '#analysis/why-red/red-check.ts';
import type { RedCause } from '#kernel/model/criterion.ts';
import type { Ecosystem, Manifest } from './ecosystem.ts';
import { jsonLock, textOf } from '#analysis/ecosystems/manifests/lock-readers.ts';
import { type Locked } from '#analysis/ecosystems/manifests/lock-sections.ts';
import type { Sections } from '#analysis/ecosystems/manifests/section-types.ts';
import type { DetectedSetup } from '#analysis/ecosystems/setup/detected-setup.ts';
import { isFilled, notJson, unlocked } from '#analysis/ecosystems/setup/manifest-answers.ts';

export const php: Ecosystem = {
  name: 'PHP',
  setup: {
    locks: [
      {
        file: 'composer.lock',
        use: { kind: 'install', command: 'composer install --no-interaction' },
        read: jsonLock(composer),
      },
    ],
    manifests: [{ file: 'composer.json', judge: ofComposer }],
    inputs: ['composer.json'],
    tools: { composer: { makes: 'vendor' } },
    declaring: [/(?:^|\/)composer\.json$/],
    missing: missingPackages,
    asking: 'composer.json',
    programFolders: 'vendor/bin',
    installed: [/(?:^|\/)vendor\/bin\//],
    lockedManifests: 'composer.json',
  },
  pins: {
    runnerSettings: [/(^|\/)phpunit\.xml(\.dist)?$/],
    deciding: [
      /(^|\/)(phpstan(-baseline)?\.neon(\.dist)?|psalm(-baseline)?\.xml(\.dist)?|\.php-cs-fixer(\.dist)?\.php)$/,
    ],
    readByRunners: [/(^|\/)phpunit\.xml(\.dist)?$/],
    notData: [/(^|\/)composer\.json$/i],
    sections: [[/^composer\.json$/, composerSections]],
    materialParts: { 'composer.json': /^scripts$/ },
    scriptManifests: [/(^|\/)composer\.jsonc?$/i],
    testLibraries: [/^(?:.*\/)?(PHPUnit\/Framework\/)/],
  },
  tests: {
    lines: [
      { runner: 'phpunit', pattern: /^No tests executed!$/, counts: none },
      { runner: 'phpunit', pattern: /^OK \((\d+) tests?, \d+ assertions?\)$/, counts: first },
    ],
    commands: [/(?<![\w-])phpunit(?=\s|$)(?![^\n;&|]*--(?:dry-run|list))/m],
    readers: [/\b(?:phpstan|psalm|phpcs)\b|\bphp\s+-l\b/],
    files: [/\.phpt$|(Cest|Test)\.php$/],
    texts: [
      {
        files: /\.php$/,
        library: /\bextends\s+\\?(?:\w+\\)*TestCase\b/,
        words: /^[ \t]+expect\s*\(|^uses\(/m,
        defines: /\bfunction\s+test\w*\s*\(|@test\b|#\[Test\b|^(?:it|test)\(\s*['"]/m,
      },
    ],
    // `#0 /x/y.php(12): f()`
    frames: [/^\s*#\d+\s\S+\(\d+\):/],
    words: { skipping: /markTest(?:Skipped|Incomplete)/ },
    selecting: { programs: ['phpunit'] },
  },
  gates: { why: 'composer.json names scripts by any word, and none of them is conventional' },
  machine: {
    steering: [
      { below: 'home', folder: '.composer', names: 'config.json' },
      { below: 'config', folder: 'composer', names: 'config.json' },
    ],
    registries: {
      questions: [['composer', 'config', '--global', 'repositories']],
      settings: '.config/composer/config.json .composer/config.json',
      telling: [/^COMPOSER/i],
    },
  },
  programs: {
    checking: 'php',
    started: 'php composer phpunit',
    spoken: 'composer',
    quoted: 'php',
    common: 'php composer phpunit',
    testers: 'phpunit',
  },
};

function composer(lock: Json): Locked[] {
  const rows = [lock['packages'], lock['packages-dev']].flatMap((each): unknown[] =>
    Array.isArray(each) ? each : [],
  );
  return rows.map((row) => {
    const entry = recordOf(row) ?? {};
    const [name, version] = [textOf(entry['name']), textOf(entry['version'])];
    const dist = recordOf(entry['dist']) ?? recordOf(entry['source']) ?? {};
    const url = textOf(dist['url']);
    if (textOf(dist['type']) === 'path') return { name, place: url };
    // A branch moves; a version does not.
    const contents: [string, string][] = version.startsWith('dev-') ? [] : [['', textOf(dist['reference'])]];
    return { name, version, origins: [url.replace(/\/(zipball|archive|repository)\/.*$/, '')], contents };
  });
}

function ofComposer({ path, text, hasFolder }: Manifest): DetectedSetup | null {
  const about = readJsonTable(text);
  if (about === null) return notJson(path);
  const isPackage = (name: string): boolean => name.includes('/');
  const names = ['require', 'require-dev'].flatMap((field) => Object.keys(tableOf(about[field]) ?? {}));
  // `php` and `ext-json` are not packages; the same command makes the autoloader.
  const declares = names.some(isPackage) || isFilled(about['autoload']) || isFilled(about['autoload-dev']);
  return declares && !hasFolder('vendor')
    ? unlocked('composer install --no-interaction', path, 'composer.lock')
    : null;
}

/** `command.X` for scripts, of which more may come; composer itself starts `pre-` and `post-` scripts. */
function composerSections(text: string): Sections {
  const manifest = recordOf(readJson(text));
  if (manifest === null) return unreadable(text);
  const sections = pick(manifest, ['repositories', 'replace', 'provide']);
  const scripts = recordOf(manifest['scripts']) ?? {};
  for (const [name, script] of pick(scripts, Object.keys(scripts))) sections.set(`command.${name}`, script);
  return sections;
}

function missingPackages(check: RedCheck): RedCause | null {
  const isMissing =
    /(?:Failed open|failed to open)[^\n]*vendor\/autoload\.php|vendor\/autoload\.php[^\n]*(?:No such file|failed to open)/i;
  if (manifestsNamed(check, /^composer\.json$/).length === 0 || !isMissing.test(check.output)) return null;
  return {
    kind: 'missing-package',
    text: 'the packages of composer.json are not installed (there is no vendor/autoload.php)',
  };
}
