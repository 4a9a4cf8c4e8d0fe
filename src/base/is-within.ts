import { sep } from 'node:path';

/** Contract: absolute, normalized paths (`resolve`, `realpath`); follows no link. A folder is in itself. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
