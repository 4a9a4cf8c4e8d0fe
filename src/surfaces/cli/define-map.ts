// The command that shows what a planner is shown of a repository.
import type { Command } from 'commander';
import type { MapOptions } from '#surfaces/cli/commands/map.ts';
import type { Act } from './define-run.ts';

export function addMapCommand(program: Command, act: Act): void {
  program
    .command('map')
    .description('the tree and the signatures of a repository, without bodies, nearest to a goal first')
    .argument('[goal]', 'words to rank by; default: what many other files use')
    .argument('[path...]', 'map only these files and folders')
    .option(
      '--tokens <n>',
      'at most so many, by estimate, or "all" (default: a tenth of the code, at most 8000)',
    )
    .option('--out <file>', 'write it to a file')
    .option('--stats', 'print numbers instead of the map')
    .option('--json', 'print one JSON document')
    .addHelpText('after', mapHelp)
    .action((goal: string | undefined, paths: readonly string[], options: MapOptions) =>
      act(async () => (await import('#surfaces/cli/commands/map.ts')).mapCommand(goal, paths, options)),
    );
}

const mapHelp = `
Signatures for TypeScript, JavaScript, Python, Go, Rust, Java, C#, C, C++, Ruby, PHP and shell; tests, and what is no code,
are only named. Ignored files are left out. A token is taken for four characters. What was read once is read again only
when it changes. A first word that names a file or folder is a path, not a goal.

Examples:
  untildone map "add a /health endpoint"
  untildone map "retry failed uploads" src lib --tokens 3000
  untildone map --tokens all --out repo-map.md
  untildone map --json | jq '.files[] | select(.shown == "signatures").path'

Exit codes: 0 printed · 2 no repository, no such path`;
