import { flagsOf, place, runsCommand, valueCases, walkCases } from './cases.ts';
import type { CommandWords, Described, Values } from './words.ts';

export function zshScript(commands: readonly CommandWords[]): string {
  return `#compdef untildone
# Completion of untildone for zsh; load it after compinit: source <(untildone completion zsh)
_untildone_runs() { ${runsCommand} }
_untildone() {
  local place='' skip='' word current=\${words[CURRENT]} previous=\${words[CURRENT-1]}
  local -a names values options
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if [[ -n $skip ]]; then skip=''; continue; fi
    case "$place $word" in
${walkCases(commands)}
    esac
  done
  if [[ -n $skip ]]; then
    case "$place $previous" in
${valueCases(commands, complete)}
    esac
    return
  fi
  case "$place" in
${commands.map(placeCase).join('\n')}
  esac
  if [[ $current == -* ]]; then _describe -o 'option' options; return; fi
  (( \${#names} )) && _describe 'command' names
  (( \${#values} )) && compadd -- "\${values[@]}"
}
if [[ \${zsh_eval_context[-1]} == loadautofunc ]]; then _untildone "$@"; else compdef _untildone untildone; fi
`;
}

function complete(values: Values): string {
  if (values === 'files') return '_files';
  if (values === 'runs') return 'compadd -- ${(f)"$(_untildone_runs)"}';
  return values === 'any' ? '_message value' : `compadd -- ${values.join(' ')}`;
}

function placeCase({ path, commands, options, values }: CommandWords): string {
  const flags = options.flatMap((option) =>
    flagsOf(option).map((name) => ({ name, description: option.description })),
  );
  const files = values === 'files' ? '\n      [[ $current == -* ]] || _files' : '';
  return `    ${place(path)})
      names=(${commands.map(entry).join(' ')})
      options=(${flags.map(entry).join(' ')})
      values=(${valueWords(values)})${files} ;;`;
}

function valueWords(values: Values): string {
  if (values === 'runs') return '${(f)"$(_untildone_runs)"}';
  return typeof values === 'string' ? '' : values.join(' ');
}

function entry({ name, description }: Described): string {
  return `'${name}:${description}'`;
}
