// A program that the shell could not start: that of the check, or one that a script of the check calls. Pure.
import type { RedCause } from '#kernel/criterion.ts';
import { packageOfProgram } from './node.ts';
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

/** How package managers say it: `command not found: vitest`, `Command "vitest" not found`. */
const unknownCommand =
  /^(?:\w+:(?:\d+:)? )?[Cc]ommand not found: ([\w@./-]+)$|Command "([\w@./-]+)" not found|Failed to spawn: `([\w@./-]+)`/gm;

const notStarted = new Set([126, 127]);

export function missingProgram(check: RedCheck): RedCause | null {
  const isOwnExit = check.exitCode !== null && notStarted.has(check.exitCode);
  let doubt: RedCause | null = null;
  for (const program of refusals.flatMap((refusal) => allOf(check.output, refusal))) {
    const own = isOwnExit ? wordOf(check.command, program) : null;
    const found = own === null ? calledProgram(check, program) : ownProgram(check, own);
    if (found !== null && found.kind !== 'suspicious') return found;
    doubt ??= found;
  }
  for (const program of allOf(check.output, unknownCommand)) {
    const found = calledProgram(check, program);
    if (found?.kind === 'missing-package') return found;
    doubt ??= found;
  }
  return doubt;
}

const installers = new Set('npx npm pnpm yarn bun bunx uv uvx poetry'.split(' '));

/** How the command itself writes the program; null where a package manager or a script of the repository calls it. */
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

/** The shell names a program by its whole path. */
function isInHome(word: string, program: string): boolean {
  return home.test(word) && program.startsWith('/') && program.endsWith(word.replace(home, ''));
}

/** Folders that an installation fills. */
const installed =
  /(?:^|\/)(?:node_modules\/\.bin|vendor\/bin|(?:\.?v?env|\.tox\/[^/]+|\.nox\/[^/]+)\/(?:bin|Scripts))\//;
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
    if (!installed.test(program)) return null;
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

/** Called by a script of the repository, which the work may still change. */
function calledProgram(check: RedCheck, program: string): RedCause | null {
  if (program.includes('/')) return null;
  const clause = packageOfProgram(check, program);
  return clause === null
    ? { kind: 'suspicious', text: `a script calls the program "${program}", which is not on PATH` }
    : { kind: 'missing-package', text: clause };
}
