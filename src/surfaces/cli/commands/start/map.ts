import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';

export const defineMap: DefineCommand = (program, act) => {
  program
    .command('map')
    .summary('show files and signatures of a repository')
    .description('show files and signatures, ranked for a goal')
    .argument('[goal]', 'words to rank by; default: rank by imports')
    .argument('[path...]', 'map only these files and folders')
    .option('--tokens <n>', 'token limit, or "all"; default: a tenth of the code')
    .option('--out <file>', 'write it to a file')
    .option('--stats', 'print numbers instead of the map')
    .option('--json', 'print JSON')
    .addHelpText('after', mapHelp)
    .action(act(async () => (await import('./map-action.ts')).mapCommand));
};

const mapHelp = `
Signatures for TypeScript, JavaScript, Python, Go, Rust, Java, C#, C, C++, Ruby,
PHP and shell; tests and other files are listed by name only. Ignored files are
omitted. A token is counted as four characters. Only changed files are read
again. If the first word names a file or folder, it is a path and not a goal.

Examples:
  untildone map "add a /health endpoint"
  untildone map "retry failed uploads" src lib --tokens 3000
  untildone map --tokens all --out repo-map.md
  untildone map --json | jq '.files[] | select(.shown == "signatures").path'

Exit codes: 0 printed · 2 no repository, no such path`;
