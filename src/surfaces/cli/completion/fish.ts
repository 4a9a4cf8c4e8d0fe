import { flagsOf, place, runsCommand } from './cases.ts';
import type { CommandWords, OptionWords } from './words.ts';

export function fishScript(commands: readonly CommandWords[]): string {
  const lines = commands.flatMap((command) => {
    const here = `complete -c untildone -n "__untildone_at ${place(command.path)}"`;
    return [
      ...command.commands.map(({ name, description }) => `${here} -a ${name} -d '${description}'`),
      ...command.options.map((option) => `${here} ${optionWords(option)} -d '${option.description}'`),
      ...argumentLines(command, here),
    ];
  });
  return `# Completion of untildone for fish; load it with: untildone completion fish | source
function __untildone_at -d 'whether the words so far name this command'
  set -l words (commandline -opc)
  # Asked for every line below: walked once for each state of the line.
  if test "$words" != "$__untildone_words"
    set -g __untildone_words "$words"
    set -g __untildone_place ''
    set -l skip ''
    for word in $words
      if test -n "$skip"
        set skip ''
        continue
      end
      switch "$__untildone_place $word"
${walkCases(commands)}
      end
    end
  end
  test "$__untildone_place" = "$argv[1]"
end
function __untildone_runs -d 'the runs of this repository'
  ${runsCommand}
end
complete -c untildone -f
${lines.join('\n')}
`;
}

function walkCases(commands: readonly CommandWords[]): string {
  const deeper = commands
    .filter(({ path }) => path.length > 0)
    .map(({ path }) => `        case ${place(path)}\n          set __untildone_place ${place(path)}`);
  const skipped = commands.flatMap(({ path, options }) => {
    const flags = options.filter(({ values }) => values !== null).flatMap(flagsOf);
    const places = flags.map((flag) => place([...path, flag]));
    return places.length === 0 ? [] : [`        case ${places.join(' ')}\n          set skip 1`];
  });
  return [...deeper, ...skipped].join('\n');
}

function optionWords({ short, long, values }: OptionWords): string {
  const names = `${short === null ? '' : `-s ${short.slice(1)} `}-l ${long.slice(2)}`;
  if (values === null) return names;
  if (values === 'files') return `${names} -r -F`;
  if (values === 'runs') return `${names} -x -a '(__untildone_runs)'`;
  return values === 'any' ? `${names} -x` : `${names} -x -a '${values.join(' ')}'`;
}

function argumentLines({ values }: CommandWords, here: string): string[] {
  if (values === 'files') return [`${here} -F`];
  if (values === 'runs') return [`${here} -a '(__untildone_runs)'`];
  return typeof values === 'string' || values.length === 0 ? [] : [`${here} -a '${values.join(' ')}'`];
}
