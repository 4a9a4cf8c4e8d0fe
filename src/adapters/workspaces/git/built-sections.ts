// Builds that are programs or XML, for the JVM and .NET: the parts of them that decide tests and the other checks. Pure.
import type { Sections } from './sections.ts';

const mavenTools =
  /<artifactId>\s*(maven-(?:surefire|failsafe|compiler|checkstyle|pmd|enforcer|antrun|invoker)-plugin|jacoco-maven-plugin|spotbugs-maven-plugin|exec-maven-plugin|gmavenplus-plugin|pitest-maven|build-helper-maven-plugin)\s*</;
/** They only ever add to what must hold. */
const gates = /^(maven-(?:checkstyle|pmd|enforcer)-plugin|jacoco|spotbugs|pitest)/;
const mavenProperties =
  /<((?:maven\.test\.|surefire\.|failsafe\.|jacoco\.|checkstyle\.|pmd\.|spotbugs\.|enforcer\.)[\w.-]+|skipTests|skipITs|skipUTs|test|it\.test|argLine|groups|excludedGroups)>([^<]*)</g;
const mavenPlaces =
  /<(testSourceDirectory|testOutputDirectory|systemPath|testResources|repositories|pluginRepositories|parent|extensions(?=>\s*<))>([\s\S]*?)<\/\1>/g;

/** `plugin.X` for how it is set up, whatever its version; `gate.X` for those that may come but not change. */
export function mavenSections(text: string): Sections {
  const xml = withoutRemarks(text).replace(/<(\/?[\w.:-]+)\s[^<>]*?(\/?)>/g, '<$1$2>');
  const found = new Map<string, string>();
  // Entities stand for anything.
  for (const [entity] of text.matchAll(/<!(?:DOCTYPE|ENTITY)[^>]*>/g)) add(found, 'entities', entity);
  for (const [plugin] of xml.matchAll(/<plugin>(?:(?!<\/plugin>)[\s\S])*<\/plugin>/g)) {
    const name = mavenTools.exec(plugin)?.[1] ?? /<artifactId>\s*([^<]*\$\{[^<]*)</.exec(plugin)?.[1];
    const [set] = /<(?:configuration|executions|dependencies|extensions)>[\s\S]*/.exec(plugin) ?? [];
    if (name === undefined || set === undefined || isLater(plugin)) continue;
    const text = name.startsWith('maven-compiler')
      ? (set.match(/<test\w+>[^]*?<\/test\w+>|<skip\w*>.*/g) ?? []).join('')
      : set;
    if (text !== '') add(found, `${gates.test(name) ? 'gate' : 'plugin'}.${name}`, unversioned(text));
  }
  for (const [, name = '', value = ''] of xml.matchAll(mavenProperties))
    if (!/^(surefire|failsafe|jacoco|checkstyle|pmd|spotbugs|enforcer)\.?[\w-]*\.?version$/.test(name))
      add(found, `property.${name}`, value);
  for (const [, name = '', value = ''] of xml.matchAll(mavenPlaces)) add(found, name, unversioned(value));
  for (const [, name = ''] of xml.matchAll(/<module>\s*([^<]+?)\s*</g)) found.set(`members.${name}`, '');
  return found;
}

/** Started after the tests, it decides none of them. */
function isLater(plugin: string): boolean {
  if (!/<artifactId>\s*(exec-maven|maven-antrun|gmavenplus|build-helper)/.test(plugin)) return false;
  const phases = [...plugin.matchAll(/<phase>\s*([\w-]+)\s*</g)].map(([, phase]) => phase ?? '');
  return phases.every((phase) => /^(none|prepare-package|package|install|deploy|site|clean)$/.test(phase));
}

const dotnet =
  /<(?:Compile|None|Content|EmbeddedResource|PackageReference|ProjectReference)\s[^>]*\bRemove=[^>]*>|<(IsTestProject|VSTest\w*|RunSettingsFilePath|TestingPlatform\w*|TreatWarningsAsErrors|WarningsAsErrors|WarningsNotAsErrors|NoWarn|Nullable|AnalysisLevel|AnalysisMode|EnforceCodeStyleInBuild|RunAnalyzers\w*|EnableDefaultCompileItems|RestoreSources|RestoreAdditionalProjectSources|BaseOutputPath|OutputPath)\b[^>]*>[^<]*<|<(?:Import|UsingTask|Reference)\s[^>]*>|<Target\s[\s\S]*?<\/Target>/g;

export function dotnetSections(text: string): Sections {
  const found = new Map<string, string>();
  for (const [whole, name] of withoutRemarks(text).matchAll(dotnet))
    add(found, name ?? /^<(\w+)/.exec(whole)?.[1] ?? 'build', whole);
  return found;
}

const gradleBlocks =
  /(?:^|[\s.("'<])(?:\w*[tT]est(?:::class)?|Test\.class|resolutionStrategy|dependencySubstitution|pluginManagement|buildscript|repositories|taskGraph|whenReady|afterEvaluate|projectsEvaluated)(?:$|[\s)"'>,.(])/;
const gradleGates = /\bregister\b|(?:^|[\s.("'])(?:jacoco|checkstyle|pmd|spotbugs|detekt|ktlint|kover)\w*/;
const gradleLines =
  /^.*(?:\bincludeBuild\b|[tT]est\b.*\b(?:isEnabled|enabled)\s*=|[tT]est\b.*\bsetEnabled\b|\bignoreFailures\b|\bonlyIf\b|\bexcludedTaskNames\b|\bdependsOn\s*(?:=|\.\s*(?:clear|remove))|\bsetDependsOn\b|\bapply\s*\(?\s*from\b|\bflatDir\b|\bstartParameter\b|\bsourceSets\b.*\btest\b).*$/gm;

/** Blocks about tests and other gates, and lines that switch something off, in Groovy or Kotlin. */
export function gradleSections(text: string): Sections {
  const code = text.replace(/("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|\/\/.*$|\/\*[\s\S]*?\*\//gm, '$1');
  const found = new Map<string, string>();
  for (const match of code.matchAll(/([^;{}\n]*)\{/g)) {
    const head = (match[1] ?? '').trim();
    const kind = gradleGates.test(head) ? 'gate' : gradleBlocks.test(head) ? 'block' : null;
    const inside = kind === null ? '' : deciding(blockAt(code, match.index + match[0].length), code);
    if (inside !== '') add(found, `${kind ?? ''}.${head.replace(/\s+/g, ' ')}`, inside);
  }
  for (const [line] of code.matchAll(gradleLines)) add(found, 'switches', line);
  for (const [line] of code.matchAll(/^\s*include\b.*$/gm))
    for (const [name] of line.matchAll(/(?<=["']:?)[^"':,\s][^"',\s]*/g)) found.set(`members.${name}`, '');
  return found;
}

/** Without how it is told, what it depends on, and the usual runner where no older one is in use. */
function deciding(block: string, code: string): string {
  const isOld = /junit:junit\b|testng/i.test(code);
  return block
    .replace(/(?:testLogging|dependencies)\s*\{(?:[^{}]|\{[^{}]*\})*\}/g, '')
    .replace(isOld ? /$^/ : /useJUnit(?:Platform|Jupiter)\s*\(\s*(?:"[\d.]*")?\s*\)/g, '')
    .replace(/(?:mavenCentral|google|gradlePluginPortal)\s*\(\s*\)/g, '')
    .trim();
}

function blockAt(code: string, from: number): string {
  let depth = 1;
  for (let at = from; at < code.length; at += 1) {
    if (code[at] === '{') depth += 1;
    if (code[at] === '}') depth -= 1;
    if (depth === 0) return code.slice(from, at);
  }
  return code.slice(from);
}

function unversioned(xml: string): string {
  return xml.replace(/<version>[^<]*<\/version>/g, '');
}

function withoutRemarks(xml: string): string {
  return xml.replace(/<!--[\s\S]*?-->/g, '');
}

function add(found: Map<string, string>, section: string, text: string): void {
  found.set(section, `${found.get(section) ?? ''}${text.replace(/\s+/g, '')}\n`);
}
