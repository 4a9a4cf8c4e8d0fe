// Reads cargo's messages, test filters and programs. Pure.
import { posix } from 'node:path';
import type { SectionRule } from '#analysis/tampering/section-rules.ts';
import { spell, valueAt } from '#analysis/texts/plain.ts';
import { readToml } from '#analysis/texts/toml.ts';
import { allOf, manifestsNamed, type RedCheck } from '#analysis/why-red/red-check.ts';
import type { RedCause } from '#kernel/model/criterion.ts';

/** Null if only files of the repository are missing. */
export function missingCrate(check: RedCheck): RedCause | null {
  const own = manifestsNamed(check, /^Cargo\.toml$/).flatMap(([, text]) =>
    allOf(text, /^\s*name\s*=\s*"([^"]+)"/gm).map((name) => name.replaceAll('-', '_')),
  );
  const missing = allOf(
    check.output,
    /can't find crate for `([^`]+)`|no matching package named `([^`]+)` found|failed to (?:get|download|fetch) `([^`]+)`/g,
  ).find((name) => !own.includes(name.replaceAll('-', '_')));
  return missing === undefined
    ? null
    : { kind: 'missing-package', text: `the crate "${missing}" cannot be found` };
}

/** A new Cargo program: neither listed before, nor found by the name of its file or of the package. */
export const isNewProgram: SectionRule = (name, { old, now }, { path, before, files }) => {
  if (old !== undefined || now === undefined) return now === undefined;
  const folder = posix.dirname(path);
  const isThere = (file: string): boolean => files.base.includes(posix.join(folder, file));
  const own = [`src/bin/${name}.rs`, `src/bin/${name}/main.rs`];
  if (valueAt(readToml(before) ?? {}, 'package.name') === name) own.push('src/main.rs');
  return own.some((file) => now === spell(file)) || !own.some(isThere);
};

/** Words of `cargo test` without options and values; filters from make variables show on the base. */
export function filtersByName(text: string): boolean {
  const calls = text.matchAll(/\bcargo\s+(?:\+\S+\s+)?(?:test|t|nextest\s+run)(?=\s)([^\n;&|<>]*)/g);
  const withValue =
    /(?:^|\s)(?:-[pFjZ]|--(?:package|exclude|test|bin|example|bench|features|jobs|profile|target|target-dir|manifest-path|color|message-format|config|test-threads|format))[ =]\s*\S+/g;
  return [...calls].some(([, words = '']) =>
    words
      .replace(withValue, ' ')
      .split(/\s+/)
      .some((word) => /^["']?\w/.test(word)),
  );
}
