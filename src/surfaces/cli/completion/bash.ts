import { flagsOf, place, runsCommand, valueCases, walkCases } from './cases.ts';
import type { CommandWords, Values } from './words.ts';

/** Needs only bash, not the package bash-completion. */
export function bashScript(commands: readonly CommandWords[]): string {
  return `# Completion of untildone for bash; load it with: source <(untildone completion bash)
_untildone_runs() { ${runsCommand}; }
# What is typed may be quoted, and a name may have blanks: bash quotes what is offered.
_untildone_files() {
  local typed=$1 name
  case $typed in
    [\\"\\']*) typed=\${typed:1} ;;
    *) typed=\${typed//\\\\/} ;;
  esac
  while IFS= read -r name; do COMPREPLY+=("$name"); done < <(compgen -f -- "$typed")
}
_untildone() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} before='' place='' skip='' at word
  # Bash takes --option=value for three words.
  if [[ $cur == = ]]; then cur=''; elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  for ((at = 1; at < COMP_CWORD; at++)); do
    word=\${COMP_WORDS[at]}
    if [[ $word == = ]]; then skip=1; continue; fi
    if [[ -n $skip ]]; then skip=''; continue; fi
    case "$place $word" in
${walkCases(commands)}
    esac
  done
  case "$place $prev" in
${valueCases(commands, (values) => `${complete(values)}; return`)}
  esac
  local words='' options='' files='' runs=''
  case "$place" in
${commands.map(placeCase).join('\n')}
  esac
  if [[ $cur == -* ]]; then words=$options; files='' runs=''; fi
  if [[ -n $runs ]]; then words="$words $(_untildone_runs)"; fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  if [[ -n $files ]]; then _untildone_files "$cur"; fi
}
complete -o filenames -F _untildone untildone
`;
}

function complete(values: Values): string {
  if (values === 'files') return 'COMPREPLY=(); _untildone_files "$cur"';
  if (values === 'runs') return 'COMPREPLY=($(compgen -W "$(_untildone_runs)" -- "$cur"))';
  if (values === 'any') return 'COMPREPLY=()';
  return `COMPREPLY=($(compgen -W '${values.join(' ')}' -- "$cur"))`;
}

function placeCase({ path, commands, options, values }: CommandWords): string {
  const names = commands.map(({ name }) => name);
  const words = typeof values === 'string' ? names : [...names, ...values];
  const flags = options.flatMap(flagsOf);
  const files = values === 'files' || values === 'runs' ? ` ${values}=1` : '';
  return `    ${place(path)}) words='${words.join(' ')}' options='${flags.join(' ')}'${files} ;;`;
}
