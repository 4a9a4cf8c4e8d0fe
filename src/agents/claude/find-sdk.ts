// Finds the installed Agent SDK, never in the workspace: files an agent can write must not run in its host.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { packageFolders } from '#adapters/machine/package-folders.ts';
import { OperatorError } from '#base/operator-error.ts';
import type { Environment } from '#agents/shared/state-folder.ts';
import { textOf, fieldsOf } from '#agents/shared/json.ts';
import { parseRecord } from '#base/parse-json.ts';
import { orElse } from '#base/or-else.ts';

const name = '@anthropic-ai/claude-agent-sdk';

export function findSdk(configured: string | null, env: Environment): string | null {
  if (configured !== null) {
    const file = entryOf(resolve(configured));
    if (file === null) throw noSdk(configured);
    return file;
  }
  for (const folder of packageFolders(env)) {
    const file = entryOf(join(folder, name));
    if (file !== null) return file;
  }
  return null;
}

export function noSdk(folder?: string): OperatorError {
  const where =
    folder === undefined ? 'is not installed beside untildone or globally' : `is not in ${folder}`;
  return new OperatorError(
    'agent-not-started',
    `The Claude Agent SDK ${where}.`,
    `Install it beside untildone with \`npm install ${name}\`, give its folder as "sdk" of this agent, or set "via": "cli".`,
  );
}

function entryOf(folder: string): string | null {
  const manifest = orElse(() => readFileSync(join(folder, 'package.json'), 'utf8'), null);
  if (manifest === null) return null;
  const parsed = parseRecord(manifest) ?? {};
  const main = fieldsOf(fieldsOf(parsed['exports'])['.']);
  const entry = textOf(main['import']) || textOf(main['default']) || textOf(parsed['main']);
  const file = join(folder, entry === '' ? 'sdk.mjs' : entry);
  return existsSync(file) ? file : null;
}
