// Facts about Gradle.
import { gate, noWays, type Root, sure, type Ways } from '#analysis/ecosystems/gates/ways.ts';
import type { Ecosystem } from './ecosystem.ts';
import { self } from '#analysis/ecosystems/setup/manifest-answers.ts';

export const gradle: Ecosystem = {
  name: 'Gradle',
  setup: {
    manifests: [
      { file: 'build.gradle', judge: ({ path }) => self(path, 'gradle') },
      { file: 'build.gradle.kts', judge: ({ path }) => self(path, 'gradle') },
    ],
    madeFolders: '.gradle',
  },
  pins: {
    // A build that is a program: pinned as a whole.
    settings: [/^[\w.-]+\.gradle(\.kts)?$/],
    deciding: [/(^|\/)gradle-wrapper\.(jar|properties)$/],
  },
  tests: {
    commands: [
      /\bgradlew?\b(?![^\n;&|]*(?:skipTests|test\.skip|\s-x\s+test\b))[^\n;&|]*\s\S*?(?:[tT]est|verify|check|build|package|install)(?=\s|$)/m,
    ],
    hidesSuccess: [/\bgradlew?\b[^\n;&]*\s(?:-q|--quiet)(?=\s|$)/],
  },
  gates: {
    reads: [/^build\.gradle(?:\.kts)?$/],
    ways: gradleWays,
    platform: 'jvm',
    compilers: ['gradle', './gradlew'],
  },
  machine: {
    steering: [
      { below: 'home', folder: '.gradle', names: 'gradle.properties init.gradle init.gradle.kts' },
      { below: 'home', folder: '.gradle/init.d', names: '*.gradle *.kts' },
    ],
    upwards: 'settings.gradle settings.gradle.kts',
    registries: { files: [{ path: '.gradle/init.gradle' }] },
    narrowFolders: '.gradle',
  },
  programs: {
    checking: 'gradle',
    started: 'gradle',
    spoken: 'gradle ./gradlew',
    common: 'gradle',
    endings: 'gradle',
  },
};

function gradleWays(root: Root): Ways {
  const script = ['build.gradle.kts', 'build.gradle'].find((file) => root.files.has(file));
  if (script === undefined) return noWays;
  const gradle = root.files.has('gradlew') ? './gradlew -q' : 'gradle -q';
  const text = root.text(script);
  const linter = /checkstyle/.test(text) ? 'checkstyleMain' : /spotless/.test(text) ? 'spotlessCheck' : null;
  return {
    gates: [
      gate('tests', `${gradle} test`, sure.customary, `${script} is there`),
      ...(linter === null
        ? []
        : [gate('lint', `${gradle} ${linter}`, sure.configured, `${script} names it`)]),
      gate('types', `${gradle} testClasses`, sure.guessed, 'the compiler checks the types'),
      gate('build', `${gradle} assemble`, sure.customary, `${script} is there`),
    ],
    serve: /org\.springframework\.boot/.test(text) ? `${gradle} bootRun` : null,
    programs: [],
    hasPages: false,
  };
}
