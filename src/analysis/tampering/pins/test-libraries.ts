// New files that are loaded instead of what tests are made with: sources and tests of a project go before its dependencies. Pure.

/** The place of a library for tests in what a language searches; the group is what the base must not have had. */
const places: readonly RegExp[] = [
  /^(?:.*\/)?(?:java|kotlin|groovy|scala)\/((?:org\/(?:junit|assertj|hamcrest|mockito|testng|spockframework|easymock)|junit\/framework|com\/google\/common\/truth|io\/(?:kotest|mockk)|kotlin\/test)\/)/,
  /^(?:src\/|tests?\/)?((?:_?pytest|unittest|hypothesis|pluggy|nose2?|doctest)(?:\.py$|\/__init__\.py$))/,
  /^(?:.*\/)?lib\/((?:rspec|minitest)(?:\.rb$|\/(?:core|expectations|mocks|autorun|test|spec|assertions|\w+_plugin)\.rb$))/,
  /^(?:.*\/)?(PHPUnit\/Framework\/)/,
];

export function shadowsTests(path: string, base: ReadonlyMap<string, string>): boolean {
  const found = places.map((place) => place.exec(path)).find((match) => match !== null);
  const taken = found?.[1];
  if (taken === undefined) return false;
  const folder = path.slice(0, path.indexOf(taken) + taken.length);
  return ![...base.keys()].some((each) => each.startsWith(folder));
}

/** Modules of Go that a repository brings along, `vendor/modules.txt`: module to version and where it is taken from. */
function vendored(text: string): Map<string, string> {
  return new Map(
    [...text.matchAll(/^# (\S+)(?: (.*))?$/gm)].map(([, module = '', version = '']) => [module, version]),
  );
}

interface Listed {
  readonly files: ReadonlyMap<string, string>;
  /** The list of what is brought along; empty where there is none. */
  readonly list: string;
}

/** Files in a `vendor` folder that differ although their module is the same; go compares the list, and not them. */
export function changedVendored(folder: string, base: Listed, now: Listed): string[] {
  const [old, present] = [vendored(base.list), vendored(now.list)];
  const same = [...old]
    .filter(([module, version]) => present.get(module) === version)
    .map(([module]) => module);
  const paths = [...new Set([...base.files.keys(), ...now.files.keys()])].filter(
    (path) => path.startsWith(folder) && base.files.get(path) !== now.files.get(path),
  );
  return paths.filter((path) => same.some((module) => path.startsWith(`${folder}${module}/`)));
}
