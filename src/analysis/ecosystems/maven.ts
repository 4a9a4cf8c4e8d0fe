// Facts about Maven.
import { gate, noWays, type Root, sure, type Ways } from '#analysis/ecosystems/gates/ways.ts';
import type { LineCounts } from '#analysis/output/runner-line.ts';
import type { Ecosystem } from './ecosystem.ts';
import { self } from '#analysis/ecosystems/setup/manifest-answers.ts';

export const maven: Ecosystem = {
  name: 'Maven',
  setup: {
    manifests: [{ file: 'pom.xml', judge: ({ path }) => self(path, 'maven') }],
    troubles: [/Could not create local repository|requires a project to execute but there is no POM/],
  },
  pins: {
    // A build in a language that we have no parser for: pinned as a whole.
    settings: [/^pom\.xml$/],
    deciding: [
      /(^|\/)(junit-platform\.properties|testng\.xml|checkstyle\.xml|detekt\.ya?ml)$/,
      /(^|\/)(\.mvn\/|META-INF\/services\/org\.(junit|testng))/,
    ],
    readByRunners: [/(^|\/)junit-platform\.properties$/, /(^|\/)META-INF\/services\/org\.(junit|testng)\b/],
    readByBuilds: [/^\.mvn\/(maven\.config|jvm\.config|extensions\.xml)$/],
    notData: [/(^|\/)pom\.xml$/i],
  },
  tests: {
    lines: [
      {
        runner: 'maven',
        pattern: /^(?:\[\w+\] )?Tests run: (\d+), Failures: \d+, Errors: \d+(?:, Skipped: (\d+))?(.*)$/,
        counts: mavenLine,
      },
    ],
    commands: [
      /\bmvnw?\b(?![^\n;&|]*(?:skipTests|test\.skip|\s-x\s+test\b))[^\n;&|]*\s\S*?(?:[tT]est|verify|check|build|package|install)(?=\s|$)/m,
    ],
    hidesSuccess: [/\bmvn[dw]?\b[^\n;&]*\s(?:-q|--quiet)(?=\s|$)/],
  },
  gates: {
    reads: [/^pom\.xml$/],
    ways: mavenWays,
    platform: 'jvm',
    compilers: ['mvn', './mvnw'],
    needs: [[/^(?:mvn|\.\/mvnw) /, /(?:^|\/)pom\.xml$/]],
  },
  machine: {
    steering: [
      { below: 'home', folder: '', names: '.mavenrc' },
      { below: 'home', folder: '.m2', names: 'settings.xml' },
    ],
    registries: { files: [{ path: '.m2/settings.xml' }] },
    shownSettings: '.m2/settings.xml',
    folderVariables: 'JAVA_HOME',
    narrowFolders: '.m2',
  },
  programs: {
    checking: 'java mvn',
    started: 'java javac mvn',
    spoken: 'mvn ./mvnw',
    quoted: 'javac java',
    common: 'mvn',
    rare: 'java javac',
    rootFiles: ['pom.xml'],
  },
};

/** Every class has a line with its time; only the line of the module counts. */
function mavenLine(_: string, [, all = '0', skipped = '0', rest = '']: RegExpExecArray): LineCounts {
  const executed = Number(all) - Number(skipped);
  if (rest.includes('Time elapsed')) return { extra: executed, isNoSign: executed > 0 };
  return { executed, skipped: Number(skipped) };
}

function mavenWays(root: Root): Ways {
  if (!root.files.has('pom.xml')) return noWays;
  const maven = root.files.has('mvnw') ? './mvnw -B -q' : 'mvn -B -q';
  const pom = root.text('pom.xml');
  const linter = pom.includes('maven-checkstyle-plugin')
    ? 'checkstyle'
    : pom.includes('spotless-maven-plugin')
      ? 'spotless'
      : null;
  return {
    gates: [
      gate('tests', `${maven} test`, sure.customary, 'pom.xml is there'),
      ...(linter === null
        ? []
        : [gate('lint', `${maven} ${linter}:check`, sure.configured, `pom.xml has ${linter}`)]),
      gate('types', `${maven} test-compile`, sure.guessed, 'in Java the compiler checks the types'),
      gate('build', `${maven} -DskipTests package`, sure.customary, 'pom.xml is there'),
    ],
    serve: /spring-boot/.test(pom) || isSpring(root) ? `${maven} spring-boot:run` : null,
    programs: [],
    hasPages: false,
  };
}

function isSpring({ files }: Root): boolean {
  return [...files].some((path) => /^src\/main\/resources\/application\.(?:properties|ya?ml)$/.test(path));
}
