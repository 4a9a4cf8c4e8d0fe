// A program that the shell could not start: that of the check, or one that a script of the check calls. Pure.
import type { RedCause } from '#kernel/criterion.ts';
import { packageOfProgram } from './node.ts';
import { allOf, inRepository, type RedCheck } from './red-check.ts';

const refusals: readonly RegExp[] = [
  // `sh: 1: nmp: not found`, `bash: line 1: ./run.sh: Permission denied`
  /^(?:[\w./-]*\/)?(?:ba|da|a|z|k)?sh: (?:line )?(?:\d+: )?(?:exec: )?([^\s:]+)(?:: [^\s:]+)?: (?:(?:command )?not found|Permission denied|cannot execute\b.*|bad interpreter\b.*)$/gm,
  // `bash: ./run.sh: No such file or directory`; without a slash it is a script that the shell should read
  /^(?:[\w./-]*\/)?(?:ba|da|a|z|k)?sh: (?:line )?(?:\d+: )?([^\s:]*\/[^\s:]+): No such file or directory$/gm,
  // `make: vitest: No such file or directory`
  /^make(?:\[\d+\])?: ([^\s:]+): (?:No such file or directory|Permission denied|not found)$/gm,
];

/** How package managers say it: `command not found: vitest`, `Command "vitest" not found`. */
const unknownCommand =
  /^(?:\w+:(?:\d+:)? )?[Cc]ommand not found: ([\w@./-]+)$|Command "([\w@./-]+)" not found|Failed to spawn: `([\w@./-]+)`/gm;

const notStarted = new Set([126, 127]);

export function missingProgram(check: RedCheck): RedCause | null {
  const isOwnExit = check.exitCode !== null && notStarted.has(check.exitCode);
  const isManaged = /\b(?:npx|npm|pnpm|yarn|bunx?|uv|poetry)\b/.test(check.command);
  const words = new Set(check.command.split(/[\s;&|()'"]+/));
  let doubt: RedCause | null = null;
  for (const program of refusals.flatMap((refusal) => allOf(check.output, refusal))) {
    const isOwn = isOwnExit && !isManaged && words.has(program);
    const found = isOwn ? ownProgram(check, program) : calledProgram(check, program);
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
  if (program.startsWith('/')) return { kind, text: `the program ${program} cannot be started` };
  // A script that the work still has to write is an ordinary red.
  if (!check.files.has(inRepository(check.folder, program))) return null;
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
