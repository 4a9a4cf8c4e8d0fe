// Reads lock files by format: JSON, TOML, YAML, and lines. Each ecosystem reads its own packages. Pure.
import { listOf } from '#analysis/texts/plain.ts';
import { type Json, readJson, recordOf } from '#analysis/texts/json-text.ts';
import { readToml } from '#analysis/texts/toml.ts';
import { readYaml } from '#analysis/texts/yaml.ts';
import type { Locked } from './lock-sections.ts';

type LockReader = (text: string) => readonly Locked[] | null;

export function jsonLock(read: (lock: Json) => Locked[]): LockReader {
  return (text) => {
    const lock = recordOf(readJson(text));
    return lock === null ? null : read(lock);
  };
}

/** A list `package`, which several tools write. */
export function tomlLock(read: (entry: Json) => Locked): LockReader {
  return (text) => {
    const lock = readToml(text);
    return lock === null ? null : listOf(lock['package']).map((each) => read(recordOf(each) ?? {}));
  };
}

/** pnpm may put a lock for its own tools first. `sign`: the key that every such document has. */
export function yamlLock(sign: string, read: (lock: Json) => Locked[]): LockReader {
  return (text) => {
    const documents = readYaml(text, 'text')?.map((each) => recordOf(each) ?? {});
    if (documents === undefined || documents.length === 0) return null;
    return documents.every((each) => Object.hasOwn(each, sign)) ? documents.flatMap(read) : null;
  };
}

/** `sign`: matches every text of this kind. */
export function lineLock(sign: RegExp, read: (text: string) => Locked[] | null): LockReader {
  return (text) => {
    const plain = text.replaceAll('\r\n', '\n');
    return sign.test(plain) ? read(plain) : null;
  };
}

export function entries(value: unknown): [string, Json][] {
  return Object.entries(recordOf(value) ?? {}).map(([key, entry]) => [key, recordOf(entry) ?? {}]);
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
