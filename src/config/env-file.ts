// Loads `.env` of the repository's root before anything else. Variables that are already set win.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { errorCode } from '#base/error-code.ts';
import { OperatorError } from '#base/operator-error.ts';

export type Environment = { readonly [name: string]: string };

export async function withEnvFile(root: string, env: Environment): Promise<Environment> {
  const path = join(root, '.env');
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(errorCode(error) ?? '')) return env;
    throw new OperatorError(
      'env-file',
      `${path} cannot be read: ${String(error)}`,
      'Make it readable, or move it away.',
    );
  }
  // A byte order mark would become part of the first name.
  return { ...definedOnly(parseEnv(text.replace(/^\uFEFF/, ''))), ...env };
}

export function definedOnly(parsed: { readonly [name: string]: string | undefined }): Environment {
  const result: { [name: string]: string } = {};
  for (const [name, value] of Object.entries(parsed)) if (value !== undefined) result[name] = value;
  return result;
}
