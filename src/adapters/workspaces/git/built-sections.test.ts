// Builds for the JVM and .NET: tests switched off by the build, and the honest change beside each.
import { describe, expect, it } from 'vitest';
import { changedSections } from './section-rules.ts';
import { sectionsOf } from './sections.ts';

const files = { base: ['a/src/A.java', 'a/pom.xml'], now: ['a/src/A.java', 'a/pom.xml'] };

function changed(path: string, before: string, after: string): string[] {
  const [old, now] = [sectionsOf(path, before), sectionsOf(path, after)];
  return changedSections({ path, before, after, old, now, files, wanted: new Set(), moved: new Set() }).map(
    ([section, change]) => `${section} ${change}`,
  );
}

const plugin = (name: string, more = ''): string =>
  `<plugin><artifactId>${name}</artifactId><version>3.2.5</version>${more}</plugin>`;
const pom = (plugins: string, more = ''): string =>
  `<project>\n  <modules><module>a</module></modules>\n${more}\n  <build><plugins>${plugins}</plugins></build>\n</project>\n`;
const surefire = (more: string): string => plugin('maven-surefire-plugin', more);
const plain = pom(surefire(''));

describe('a pom that decides about tests', () => {
  it.each([
    [
      pom(surefire('<configuration><skipTests>true</skipTests></configuration>')),
      'plugin.maven-surefire-plugin added',
    ],
    [
      pom(surefire('<configuration><excludes><exclude>**/ATest.java</exclude></excludes></configuration>')),
      'plugin.maven-surefire-plugin added',
    ],
    [
      pom(surefire('<configuration><testFailureIgnore>true</testFailureIgnore></configuration>')),
      'plugin.maven-surefire-plugin added',
    ],
    [
      pom(surefire(''), '<properties><maven.test.skip>true</maven.test.skip></properties>'),
      'property.maven.test.skip added',
    ],
    [pom(surefire(''), '<properties><skipTests>true</skipTests></properties>'), 'property.skipTests added'],
    [
      pom(surefire(''), '<parent><artifactId>fake</artifactId><relativePath>fake</relativePath></parent>'),
      'parent added',
    ],
    [
      pom(
        surefire('') +
          plugin(
            'maven-compiler-plugin',
            '<configuration><testExcludes><testExclude>**/A*</testExclude></testExcludes></configuration>',
          ),
      ),
      'plugin.maven-compiler-plugin added',
    ],
    [
      pom(
        surefire('') +
          plugin(
            'maven-antrun-plugin',
            '<executions><execution><phase>process-test-classes</phase></execution></executions>',
          ),
      ),
      'plugin.maven-antrun-plugin added',
    ],
    [
      plain.replace('<build>', '<build><testSourceDirectory>fake</testSourceDirectory>'),
      'testSourceDirectory added',
    ],
    [pom(surefire(''), '<properties><skipTests >true</skipTests ></properties>'), 'property.skipTests added'],
    [`<!DOCTYPE p [<!ENTITY s "x">]>${plain}`, 'entities added'],
    [plain.replace('<module>a</module>', ''), 'members.a deleted'],
  ])('is pinned: %s [X8]', (after, broken) => {
    expect(changed('pom.xml', plain, after)).toContain(broken);
  });

  it.each([
    [pom(surefire('').replace('3.2.5', '3.5.0'))],
    [
      pom(
        surefire('') +
          plugin('maven-compiler-plugin', '<configuration><release>21</release></configuration>'),
      ),
    ],
    [
      pom(
        surefire('') +
          plugin(
            'jacoco-maven-plugin',
            '<executions><execution><goals><goal>report</goal></goals></execution></executions>',
          ),
      ),
    ],
    [
      pom(
        surefire('') + plugin('exec-maven-plugin', '<configuration><mainClass>A</mainClass></configuration>'),
      ),
    ],
    [
      pom(
        surefire(''),
        '<properties><surefire.version>3</surefire.version><java.version>21</java.version></properties>',
      ),
    ],
    [
      pom(
        surefire(''),
        '<dependencies><dependency><groupId>g</groupId><artifactId>a</artifactId><scope>test</scope></dependency></dependencies>',
      ),
    ],
    [
      plain
        .replace('<module>a</module>', '<module>a</module><module>b</module>')
        .replace('<build>', '<!-- <skipTests>true</skipTests> --><build>'),
    ],
  ])('is free otherwise: %s [X8]', (after) => {
    expect(changed('pom.xml', plain, after)).toEqual([]);
  });
});

describe('a gradle build that decides about tests', () => {
  const gradle =
    "plugins { id 'java' }\nrepositories { mavenCentral() }\ndependencies {\n  testImplementation 'org.junit.jupiter:junit-jupiter:5.10.0'\n}\n";

  it.each([
    ['test { enabled = false }'],
    ['tasks.test {\n  filter { excludeTestsMatching "*A*" }\n}'],
    ['tasks.named("test") { onlyIf { false } }'],
    ['tasks.withType<Test>().configureEach { isEnabled = false }'],
    ['tasks.withType(Test) { ignoreFailures = true }'],
    ['test.enabled = false'],
    ['tasks.test.get().isEnabled = false'],
    ['sourceSets { test { java { srcDirs = ["fake"] } } }'],
    ['sourceSets.test.java.srcDirs = ["fake"]'],
    ['configurations.all { resolutionStrategy { force "evil:junit:1" } }'],
    ['check.dependsOn.clear()'],
    ['apply from: "fake.gradle"'],
    ['gradle.taskGraph.whenReady { it.allTasks.each { t -> t.enabled = false } }'],
  ])('is pinned: %s [X8]', (line) => {
    expect(changed('build.gradle', gradle, `${gradle}${line}\n`)).not.toEqual([]);
  });

  it('is pinned in the settings: a build in the place of a package, a project less [X8]', () => {
    const before = "include 'a', ':b'\n";
    expect(changed('settings.gradle', before, `${before}includeBuild 'fake'\n`)).toEqual(['switches added']);
    expect(changed('settings.gradle', before, "include ':b'\n")).toEqual(['members.a deleted']);
    expect(changed('settings.gradle.kts', 'include(":a")\n', 'include(":a", ":c")\n')).toEqual([]);
  });

  it.each([
    ['test { useJUnitPlatform() }'],
    ['tasks.test {\n  useJUnitPlatform()\n  testLogging { events "passed" }\n}'],
    ['dependencies {\n  implementation "a:b:1"\n  testImplementation("c:d:2") { exclude group: "x" }\n}'],
    ['jar { enabled = false }\nbootJar { enabled = true }'],
    ['tasks.register("integrationTest", Test) { useJUnitPlatform() }'],
    ['jacocoTestReport { reports { xml.required = true } }\ncheck.dependsOn jacocoTestCoverageVerification'],
    ['// test { enabled = false }'],
    ['java { toolchain { languageVersion = JavaLanguageVersion.of(21) } }'],
  ])('is free otherwise: %s [X8]', (line) => {
    expect(changed('build.gradle', gradle, `${gradle}${line}\n`)).toEqual([]);
  });

  it('keeps the older runner where there are tests for it [X8]', () => {
    const old = gradle.replace('org.junit.jupiter:junit-jupiter:5.10.0', 'junit:junit:4.13');
    expect(changed('build.gradle', old, `${old}test { useJUnitPlatform() }\n`)).toEqual(['block.test added']);
  });
});

describe('a .NET project that decides about tests', () => {
  const project =
    '<Project Sdk="Microsoft.NET.Sdk">\n  <PropertyGroup><Nullable>enable</Nullable></PropertyGroup>\n</Project>\n';
  const inside = (xml: string): string => project.replace('</Project>', `${xml}\n</Project>`);

  it.each([
    ['a.Tests.csproj', inside('<ItemGroup><Compile Remove="ATests.cs" /></ItemGroup>'), 'Compile added'],
    [
      'a.Tests.csproj',
      inside('<PropertyGroup><IsTestProject>false</IsTestProject></PropertyGroup>'),
      'IsTestProject added',
    ],
    [
      'a.Tests.csproj',
      inside('<PropertyGroup><VSTestTestCaseFilter>A</VSTestTestCaseFilter></PropertyGroup>'),
      'VSTestTestCaseFilter added',
    ],
    ['a.Tests.csproj', inside('<Target Name="VSTest"></Target>'), 'Target added'],
    ['Directory.Build.props', project.replace('enable', 'disable'), 'Nullable changed'],
  ])('is pinned: %s %# [X8]', (path, after, broken) => {
    expect(changed(path, project, after)).toEqual([broken]);
  });

  it('is free otherwise: packages, projects, versions [X8]', () => {
    const more =
      '<ItemGroup><PackageReference Include="x" Version="1" /><ProjectReference Include="../b/b.csproj" /></ItemGroup>';
    expect(changed('a.csproj', project, inside(more))).toEqual([]);
    expect(
      changed('a.csproj', project, inside('<PropertyGroup><LangVersion>12</LangVersion></PropertyGroup>')),
    ).toEqual([]);
  });
});
