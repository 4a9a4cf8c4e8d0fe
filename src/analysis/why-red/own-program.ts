// Finds a program that the shell could not start: of the check, or of a script that it calls. Pure.
import { factsOf, wordsIn } from '#analysis/ecosystems/ecosystems.ts';
import { reportIn } from '#analysis/output/excerpt.ts';
import type { RedCause } from '#kernel/model/criterion.ts';
import { packageOfProgram } from '#analysis/ecosystems/javascript/missing-package.ts';
import { allOf, inRepository, type RedCheck } from './red-check.ts';

const refusals: readonly RegExp[] = [
  // `sh: 1: nmp: not found`, `bash: line 1: ./run.sh: Permission denied`
  /^(?:[\w./-]*\/)?(?:ba|da|a|z|k)?sh: (?:line )?(?:\d+: )?(?:exec: )?([^\s:]+)(?:: [^\s:]+)?: (?:(?:command )?not found|Permission denied|cannot execute\b.*|bad interpreter\b.*)$/gm,
  // `bash: ./run.sh: No such file or directory`; without a slash it is a script that the shell should read
  /^(?:[\w./-]*\/)?(?:ba|da|a|z|k)?sh: (?:line )?(?:\d+: )?([^\s:]*\/[^\s:]+): No such file or directory$/gm,
  // `timeout: failed to run command ‘nmp’: No such file or directory`, `env: ‘nmp’: …`, `time: cannot run nmp: …`
  /^(?:[\w./-]*\/)?(?:timeout|env|xargs|time|nice|ionice|nohup|stdbuf|setsid): (?:failed to (?:run command|execute) |cannot run |can't execute )?[‘'"`]?([^\s:‘’'"`]+)[’'"`]?: (?:No such file or directory|Permission denied)$/gm,
  // `make: vitest: No such file or directory`
  /^make(?:\[\d+\])?: ([^\s:]+): (?:No such file or directory|Permission denied|not found)$/gm,
];

/** Messages of package managers: `command not found: vitest`, `Command "vitest" not found`. */
const unknownCommand =
  /^(?:\w+:(?:\d+:)? )?[Cc]ommand not found: ([\w@./-]+)$|Command "([\w@./-]+)" not found|Failed to spawn: `([\w@./-]+)`/gm;

const notStarted = new Set([126, 127]);

export function missingProgram(check: RedCheck): RedCause | null {
  const isOwnExit = check.exitCode !== null && notStarted.has(check.exitCode);
  const refused = refusals.flatMap((refusal) => allOf(check.output, refusal));
  const unknown = allOf(check.output, unknownCommand);
  if (isOwnExit && refused.length + unknown.length === 0) return unnamedProgram(check);
  let doubt: RedCause | null = null;
  for (const program of refused) {
    const own = isOwnExit ? wordOf(check.command, program) : null;
    const found = own === null ? calledProgram(check, program) : ownProgram(check, own);
    if (found !== null && found.kind !== 'suspicious') return found;
    doubt ??= found;
  }
  for (const program of unknown) {
    const found = calledProgram(check, program);
    if (found?.kind === 'missing-package') return found;
    doubt ??= found;
  }
  return doubt;
}

const builtins = new Set(
  'cd test [ true false echo printf export set unset source . : exit exec eval'.split(' '),
);
/** They exit with the code of the program they call. */
const relays = new Set([
  ...'sh bash dash ash zsh ksh env timeout time nice ionice nohup stdbuf setsid xargs sudo command exec'.split(
    ' ',
  ),
  ...'make just task docker podman ssh nix direnv mise'.split(' '),
  ...wordsIn('programs', (each) => each.relays),
]);

/** By exit code alone: the check dropped the shell's message, or it is in another language. */
function unnamedProgram(check: RedCheck): RedCause | null {
  // Some runners exit with the number of failed tests.
  if (reportIn(check.output).failed.length > 0) return null;
  const command = check.command.replaceAll(/\d*(?:>>?|<)&?\s*[^\s;&|]+/g, ' ');
  const parts = command.split(/&&|\|\||[;|&\n]/).map((part) => part.split(/[\s()'"]+/).filter(Boolean));
  // A script that the work still has to write is an ordinary red.
  const isFile = (word: string): boolean => /^[^-=]*(?:\/\w|\w\.\w+$)/.test(word);
  const files = parts.flat().filter(isFile);
  if (files.some((word) => !check.files.has(inRepository(check.folder, word)))) return null;
  const programs = parts
    .flatMap((words) => words.find((word) => !/^\w+=/.test(word)) ?? [])
    .filter((word) => !builtins.has(word));
  const isRelayed = programs.some((word) => isFile(word) || relays.has(word) || installers.has(word));
  const isFound = check.exitCode === 126;
  if (isRelayed || programs.length === 0)
    return {
      kind: 'suspicious',
      text: `it ended with exit code ${check.exitCode}: a program that it calls ${isFound ? 'cannot be started' : 'is not on PATH'}`,
    };
  const named = [...new Set(programs)].map((word) => `"${word}"`).join(' or ');
  if (isFound) return { kind: 'missing-program', text: `the program ${named} cannot be started` };
  return {
    kind: 'missing-program',
    text: named.includes(' or ')
      ? `the program ${named} is not on PATH`
      : `there is no program ${named} on PATH`,
  };
}

const installers = new Set(wordsIn('programs', (each) => each.starters));

/** The program as the command writes it; null if a package manager or a repository script calls it. */
function wordOf(command: string, program: string): string | null {
  for (const part of command.split(/&&|\|\||[;|&\n]/)) {
    const words = part.split(/[\s()'"]+/);
    const word = words.find((one) => one === program || isInHome(one, program));
    const isManaged = !installers.has(program) && words.some((one) => installers.has(one));
    if (word !== undefined && !isManaged) return word;
  }
  return null;
}

const home = /^(?:~|\$HOME|\$\{HOME\})(?=\/)/;

/** The shell prints a program by its whole path. */
function isInHome(word: string, program: string): boolean {
  return home.test(word) && program.startsWith('/') && program.endsWith(word.replace(home, ''));
}

const installed = factsOf('setup').flatMap((each) => each.installed ?? []);
const installs = new Set('install i ci sync venv virtualenv update require'.split(' '));

function ownProgram(check: RedCheck, program: string): RedCause | null {
  const kind = 'missing-program';
  if (!program.includes('/')) {
    const text = `there is no program "${program}" on PATH`;
    const isPackaged = packageOfProgram(check, program) !== null;
    return {
      kind,
      text: isPackaged ? `${text}; package.json has it, so start it by "npx ${program}"` : text,
    };
  }
  if (program.startsWith('/') || home.test(program))
    return { kind, text: `the program ${program} cannot be started` };
  if (!check.files.has(inRepository(check.folder, program))) {
    // A script that the work still has to write is an ordinary red.
    if (!installed.some((folder) => folder.test(program))) return null;
    const isMade = check.command.split(/[\s;&|()'"]+/).some((word) => installs.has(word));
    const text = `${program} is not installed; name a setup that makes it`;
    return { kind: isMade ? 'suspicious' : kind, text };
  }
  return check.exitCode === 126
    ? {
        kind,
        text: `the file ${program} is not executable; commit it with "git update-index --chmod=+x ${program}"`,
      }
    : { kind, text: `the file ${program} cannot be started: the program of its first line is missing` };
}

/** A script of the repository calls it, and the work may still change that script. */
function calledProgram(check: RedCheck, program: string): RedCause | null {
  if (program.includes('/')) return null;
  const clause = packageOfProgram(check, program);
  return clause === null
    ? { kind: 'suspicious', text: `a script calls the program "${program}", which is not on PATH` }
    : { kind: 'missing-package', text: clause };
}
