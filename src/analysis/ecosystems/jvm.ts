// Facts about Java, Kotlin, Scala and Groovy, with any build tool.
import type { RedCheck } from '#analysis/why-red/red-check.ts';
import type { RedCause } from '#kernel/model/criterion.ts';
import type { Ecosystem } from './ecosystem.ts';
import type { Harms } from './pin-facts.ts';

const sources = 'java|kt|scala|groovy';

export const jvm: Ecosystem = {
  name: 'Java and its relatives',
  setup: { missing: missingArtifact, troubles: [/Could not find or load main class/] },
  pins: {
    harms: harmsTests,
    resources: /(?<=^|\/)src\/\w+\/resources\/.*$/,
    testLibraries: [
      /^(?:.*\/)?(?:java|kotlin|groovy|scala)\/((?:org\/(?:junit|assertj|hamcrest|mockito|testng|spockframework|easymock)|junit\/framework|com\/google\/common\/truth|io\/(?:kotest|mockk)|kotlin\/test)\/)/,
    ],
  },
  tests: {
    classes: [
      new RegExp(String.raw`(^|\/)Test[A-Z0-9_][^/]*\.(${sources})$`),
      new RegExp(String.raw`([a-z0-9]IT|ITCase|TestCase|Tests?)\.(${sources})$`),
      /(Spec|Suite)\.(scala|groovy)$/,
    ],
    texts: [
      {
        files: /\.(?:java|kt|groovy|scala)$/,
        library:
          /^import (?:static )?(?:org\.(?:junit|testng|scalatest|specs2)|junit\.framework|kotlin\.test|io\.kotest|spock\.lang)\b/m,
        defines:
          /^[ \t]*@(?:Test|ParameterizedTest|RepeatedTest|TestFactory|Property)\b|\bextends\s+(?:TestCase|Specification|\w*(?:FunSuite|FlatSpec|WordSpec))\b|:\s*(?:String|Fun|Behavior|Describe|Should)Spec\b/m,
      },
    ],
    words: {
      skipping:
        /@(?:Disabled|Ignore|EnabledIf|EnabledOn|DisabledIf|DisabledOn)\w*|\bassum(?:e|ing)(?:True|False|That)\s*\(/,
      test: /@(?:Parameterized)?Test\b/,
      empty: /\bvoid \w+\([^)]*\)\s*\{\s*\}/,
    },
  },
  gates: { why: 'its build tools have the commands' },
  machine: { why: 'its build tools have the settings' },
  programs: { products: 'JUnit SpringBoot' },
};

const ends = /\b(?:static|init)\s*\{[^}]*\b(?:System\.exit|halt)\(0\)/;
const skips = /\bnew\s+TestAbortedException\b|\bAssumptions?\.assume\w+\s*\(/;

/** Kotlin, JUnit 4, TestNG and most build tools have no calibration: only these rules find such code. */
function harmsTests({ path, text, isTest }: Parameters<Harms>[0]): string | null {
  if (!/\.(?:java|kt)$/.test(path)) return null;
  if (ends.test(text)) return 'ends any program that loads it, tests too, and calls that a success';
  return !isTest && skips.test(text) ? 'skips the tests that load it' : null;
}

function missingArtifact({ output }: RedCheck): RedCause | null {
  const missing = /Could not (?:find artifact|resolve) ([\w.-]+:[\w.-]+(?::[\w.-]+)*)/.exec(output)?.[1];
  return missing === undefined
    ? null
    : { kind: 'missing-package', text: `the artifact "${missing}" cannot be resolved` };
}
