import { sep } from 'node:path';

/** Contract: both are absolute and normalized (`resolve`, `realpath`); no link is followed. A folder is within itself. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
