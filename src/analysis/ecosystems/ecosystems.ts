// Lists every known ecosystem, in the order in which their facts apply.
import type { Ecosystem, Facts, Groups, NotKnown, Words } from './ecosystem.ts';
import { c } from './c.ts';
import { deno } from './deno.ts';
import { dotnet } from './dotnet.ts';
import { elixir } from './elixir.ts';
import { go } from '#analysis/ecosystems/go/go.ts';
import { gradle } from './gradle.ts';
import { jvm } from './jvm.ts';
import { javascript } from '#analysis/ecosystems/javascript/javascript.ts';
import { maven } from './maven.ts';
import { others } from './others.ts';
import { perl } from './perl.ts';
import { php } from './php.ts';
import { python } from '#analysis/ecosystems/python/python.ts';
import { ruby } from './ruby.ts';
import { rust } from '#analysis/ecosystems/rust/rust.ts';
import { shell } from './shell.ts';
import { shared } from './shared.ts';

/** Order matters: the first lock file of a repository counts, and the first of equal gates. */
export const ecosystems: readonly Ecosystem[] = [
  shared,
  javascript,
  deno,
  python,
  go,
  rust,
  c,
  jvm,
  maven,
  gradle,
  dotnet,
  php,
  ruby,
  elixir,
  others,
  perl,
  shell,
];

/** Order without a lock file. Python's command is rarely certain, so its manifests mostly ask the user. */
export const byManifest: readonly Ecosystem[] = [
  ...new Set([javascript, php, ruby, elixir, python, rust, go, maven, gradle, deno, ...ecosystems]),
];

/** One group of facts of each ecosystem that has it. */
export function factsOf<Group extends keyof Facts>(
  group: Group,
  among: readonly Groups[] = ecosystems,
): Facts[Group][] {
  return among.map((one): Facts[Group] | NotKnown => one[group]).filter(isKnown);
}

function isKnown<Known extends object>(facts: Known | NotKnown): facts is Known {
  return !('why' in facts);
}

/** The names in one field of a group, of all ecosystems. */
export function wordsIn<Group extends keyof Facts>(
  group: Group,
  pick: (facts: Facts[Group]) => Words | undefined,
): string[] {
  return factsOf(group).flatMap((facts) => pick(facts)?.split(' ') ?? []);
}
