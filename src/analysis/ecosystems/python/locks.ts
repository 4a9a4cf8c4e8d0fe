// Reads the lock files of uv, poetry, pdm and pipenv. Pure.
import { listOf } from '#analysis/texts/plain.ts';
import { type Json, recordOf } from '#analysis/texts/json-text.ts';
import { entries, jsonLock, textOf, tomlLock } from '#analysis/ecosystems/manifests/lock-readers.ts';
import { type Locked } from '#analysis/ecosystems/manifests/lock-sections.ts';

export const pythonLock = tomlLock(python);
export const pipenvLock = jsonLock(pipenv);

const ownPlaces = ['path', 'git', 'url', 'editable', 'directory', 'virtual'];

function python(entry: Json): Locked {
  const [name, version] = [textOf(entry['name']), textOf(entry['version'])];
  const source = recordOf(entry['source']);
  const registry = textOf(
    source?.['registry'] ?? (source?.['type'] === 'legacy' ? source['url'] : undefined),
  );
  const isElsewhere = source !== null && !/^https?:/.test(registry);
  if (isElsewhere || ownPlaces.some((key) => key in entry))
    return { name, place: JSON.stringify(source ?? 'a folder') };
  const files = [entry['sdist'], ...listOf(entry['wheels']), ...listOf(entry['files'])].flatMap((each) => {
    const { url, file, hash } = recordOf(each) ?? {};
    return typeof hash === 'string' ? [[textOf(url ?? file), hash] as const] : [];
  });
  return {
    name,
    version,
    origins: [...files.map(([url]) => url), registry].flatMap(
      (url) => /^https?:\/\/[^/]+/.exec(url)?.[0] ?? [],
    ),
    contents: files.map(([url, hash]) => [`/${url.replace(/^.*\//, '')}`, hash]),
  };
}

function pipenv(lock: Json): Locked[] {
  return ['default', 'develop'].flatMap((group) =>
    entries(lock[group]).map(([name, entry]) => {
      const place = ['path', 'file', 'git', 'url']
        .map((key) => textOf(entry[key]))
        .find((text) => text !== '');
      const index = textOf(entry['index']);
      return place === undefined ? { name, origins: index === '' ? [] : [index] } : { name, place };
    }),
  );
}
