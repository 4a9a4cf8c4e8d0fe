import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';

export const defineMap: DefineCommand = (program, act) => {
  program
    .command('map')
    .summary('show the files and signatures of a repository, by relevance')
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
    .action(act(async () => (await import('./map-action.ts')).mapCommand));
};

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
