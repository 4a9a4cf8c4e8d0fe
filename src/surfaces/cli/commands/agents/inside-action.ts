// `mcp`, `hook` and `plugin`. The first two load separate programs beside this one.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { entryOf, packageRoot } from '#app/own-files.ts';
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
  const reply = await runHook(event, rest);
  if (reply !== '') print(reply);
  return 0;
}

export async function pluginCommand({ json }: { readonly json?: boolean }): Promise<number> {
  const folder = join(packageRoot(), 'plugin');
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
