// Finds the folders of the user's packages. Never in the workspace: we must not run what an agent can write.
import { delimiter, dirname, join } from 'node:path';

/** Beside us (in the user's project or the global packages), in NODE_PATH, and beside this Node. */
export function packageFolders(env: { readonly [name: string]: string | undefined }): string[] {
  const above: string[] = [];
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    above.push(folder.endsWith('node_modules') ? folder : join(folder, 'node_modules'));
  }
  const listed = (env['NODE_PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const prefix = dirname(dirname(process.execPath));
  return [...above, ...listed, join(prefix, 'lib', 'node_modules'), join(prefix, 'node_modules')];
}
