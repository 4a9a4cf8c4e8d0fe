// Hands over to surfaces of their own: each is a program beside this one.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { entryOf } from '#compose/eyes.ts';
import { print, printJson } from '#surfaces/cli/output.ts';

export async function mcpCommand({ run }: { readonly run?: string }): Promise<number> {
  const { serveMcp } = (await load('mcp')) as { serveMcp: (run: string | null) => Promise<void> };
  await serveMcp(run ?? null);
  return 0;
}

export async function hookCommand(event: string, rest: readonly string[]): Promise<number> {
  const { runHook } = (await load('plugin')) as {
    runHook: (event: string, rest: readonly string[]) => Promise<string>;
  };
  const said = await runHook(event, rest);
  if (said !== '') print(said);
  return 0;
}

export async function pluginCommand({ json }: { readonly json?: boolean }): Promise<number> {
  const folder = pluginFolder();
  if (json === true) printJson({ folder });
  else
    print(
      `The plugin for Claude Code is in ${folder}\n\nTry it in one session:   claude --plugin-dir "${folder}"\nInstall it for all:      claude plugin marketplace add "${folder}" && claude plugin install untildone@untildone`,
    );
  return 0;
}

function load(name: 'mcp' | 'plugin'): Promise<unknown> {
  return import(pathToFileURL(entryOf(name)).href);
}

/** Built, this file lies one folder below the package's root; in the sources, four. */
function pluginFolder(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const places = ['../plugin', '../../../../plugin'].map((path) => join(here, path));
  return places.find((place) => existsSync(join(place, '.claude-plugin'))) ?? places[0] ?? '';
}
