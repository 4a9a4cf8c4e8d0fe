import { posix } from 'node:path';
import { isProduct, type Rule } from './source-file.ts';

export const folderFilesMax = 20;

/** Folders that may hold more, each with the reason. An entry that is not needed any more is an error. */
export const largeFolders: Readonly<Record<string, string>> = {};

/** A folder with few files is one in which a reader finds a file by its name. */
export const folderSize: Rule = (files) => folderSizeExcept(largeFolders)(files);

export function folderSizeExcept(exceptions: Readonly<Record<string, string>>): Rule {
  return (files) => {
    const counts = new Map<string, number>();
    for (const file of files.filter(isProduct)) {
      const folder = posix.dirname(file.path);
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    const large = [...counts].filter(([, count]) => count > folderFilesMax);
    return [
      ...large
        .filter(([folder]) => exceptions[folder] === undefined)
        .map(([folder, count]) => `${folder} has ${count} source files, at most ${folderFilesMax}`),
      ...Object.keys(exceptions)
        .filter((folder) => !large.some(([one]) => one === folder))
        .map((folder) => `${folder} is small enough: remove it from the list of large folders`),
    ];
  };
}
