// Packages that the tools of Go, Rust, Ruby, PHP and the JVM could not find. Pure.
import { allOf, isInRepository, manifestsNamed, type RedCheck } from './red-check.ts';

/** Each gives a clause, or null where only files of the repository are missing. */
export const otherLanguages: readonly ((check: RedCheck) => string | null)[] = [go, rust, ruby, php, jvm];

function go(check: RedCheck): string | null {
  const own = manifestsNamed(check, /^go\.mod$/).flatMap(([, text]) =>
    allOf(text, /^module\s+"?([^\s"]+)/gm),
  );
  const isOwn = (path: string): boolean =>
    own.some((module) => path === module || path.startsWith(`${module}/`));
  const unlisted = allOf(
    check.output,
    /no required module provides package ([^\s;:]+)|cannot find module providing package ([^\s;:]+)/g,
  ).find((path) => !isOwn(path));
  if (unlisted !== undefined) return `no module in go.mod provides the package "${unlisted}"`;
  const unsummed = allOf(
    check.output,
    /missing go\.sum entry for (?:module providing package|go\.mod file) ?([^\s;:]*)/g,
  );
  if (unsummed.length > 0)
    return `go.sum has no entry for "${unsummed[0] ?? ''}"; "go mod download" or "go mod tidy" adds it`;
  const isOff = check.output.includes('module lookup disabled by GOPROXY=off');
  const asked = isOff ? allOf(check.output, /^go: downloading (\S+) v\S+$/gm) : [];
  const unfetched = [...allOf(check.output, unfetchedModule), ...asked].find((path) => !isOwn(path));
  return unfetched === undefined ? null : `the module "${unfetched}" cannot be fetched`;
}

/** Before what a proxy or a repository answered: the module that it was asked for. */
const unfetchedModule =
  /(?:^|\s)([^\s:@]+)@v[^\s:]+: (?:Get "|reading https?:|git |invalid version: |unrecognized import path )|\bmodule ([^\s:@]+): (?:Get "|reading https?:|git )/gm;

function rust(check: RedCheck): string | null {
  const own = manifestsNamed(check, /^Cargo\.toml$/).flatMap(([, text]) =>
    allOf(text, /^\s*name\s*=\s*"([^"]+)"/gm).map((name) => name.replaceAll('-', '_')),
  );
  const missing = allOf(
    check.output,
    /can't find crate for `([^`]+)`|no matching package named `([^`]+)` found|failed to (?:get|download|fetch) `([^`]+)`/g,
  ).find((name) => !own.includes(name.replaceAll('-', '_')));
  return missing === undefined ? null : `the crate "${missing}" cannot be found`;
}

function ruby(check: RedCheck): string | null {
  const unmet = /Could not find (?:gem '([^'\n]+)'|([\w.-]+-\d[\w.]*)(?:, [^\n]*)? in )/.exec(check.output);
  if (unmet !== null) return `the gem "${unmet[1] ?? unmet[2] ?? ''}" is not installed`;
  const declared = new Set(
    manifestsNamed(check, /^Gemfile$|\.gemspec$/).flatMap(([, text]) =>
      allOf(text, /^\s*(?:gem|\w+\.add_(?:\w+_)?dependency)[\s(]+['"]([\w.-]+)/gm),
    ),
  );
  const missing = allOf(check.output, /cannot load such file -- ([\w./-]+)/g).find((path) => {
    const isFile = /^[./]/.test(path) || isInRepository(check, path, ['.rb']);
    return (
      !isFile &&
      [path, path.replaceAll('/', '-'), path.split('/')[0] ?? ''].some((name) => declared.has(name))
    );
  });
  return missing === undefined
    ? null
    : `the gem for "${missing}" is declared in the Gemfile and not installed`;
}

function php(check: RedCheck): string | null {
  const isMissing =
    /(?:Failed open|failed to open)[^\n]*vendor\/autoload\.php|vendor\/autoload\.php[^\n]*(?:No such file|failed to open)/i;
  if (manifestsNamed(check, /^composer\.json$/).length === 0 || !isMissing.test(check.output)) return null;
  return 'the packages of composer.json are not installed (there is no vendor/autoload.php)';
}

function jvm({ output }: RedCheck): string | null {
  const missing = /Could not (?:find artifact|resolve) ([\w.-]+:[\w.-]+(?::[\w.-]+)*)/.exec(output)?.[1];
  return missing === undefined ? null : `the artifact "${missing}" cannot be resolved`;
}
