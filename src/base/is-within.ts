import { sep } from 'node:path';

/** Contract: both paths are absolute and normalized; links are not followed. A folder is within itself. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
