// The completion scripts in the real shells: bash always, zsh and fish if they are installed.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtEntry } from '#test/program.ts';

const main = builtEntry('cli');
let folder = '';

function untildone(...args: string[]): string {
  return execFileSync(process.execPath, [main, ...args], { encoding: 'utf8' });
}

function scriptOf(shell: string): string {
  const file = join(folder, `untildone.${shell}`);
  writeFileSync(file, untildone('completion', shell));
  return file;
}

function run(program: string, ...args: string[]): string[] {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.replace(/\t.*$/, ''));
}

/** What the shell offers for the last of these words. */
type Offer = (...words: string[]) => string[];

function inBash(...words: string[]): string[] {
  const script =
    'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _untildone; printf "%s\\n" "${COMPREPLY[@]}"';
  return run('bash', '--norc', '-c', script, 'bash', scriptOf('bash'), ...words);
}

/** The builtins of the completion system only work inside of it: here they print what they are given. */
function inZsh(...words: string[]): string[] {
  const harness = [
    'compdef() { : }',
    'compadd() { shift; print -l -- ${(M)@:#$words[CURRENT]*} }',
    '_describe() { [[ $1 == -o ]] && shift; local -a all=("${(@)${(@P)2}%%:*}"); print -l -- ${(M)all:#$words[CURRENT]*} }',
    '_files() { print -l -- $words[CURRENT]*(N) }',
    '_message() { : }',
    'source $1; words=("${(@)argv[2,-1]}"); CURRENT=${#words}; _untildone; true',
  ].join('\n');
  const file = join(folder, 'harness.zsh');
  writeFileSync(file, harness);
  return run('zsh', '-f', file, scriptOf('zsh'), ...words);
}

function inFish(...words: string[]): string[] {
  const line = words.join(' ');
  return run('fish', '--no-config', '-c', `source ${scriptOf('fish')}; complete -C '${line}'`);
}

const shells: [string, Offer][] = [
  ['bash', inBash],
  ['zsh', inZsh],
  ['fish', inFish],
];
const isThere = (shell: string): boolean => spawnSync(shell, ['--version']).error === undefined;
for (const [shell] of shells)
  if (!isThere(shell))
    process.stderr.write(`NOT TESTED: completion in ${shell}; it is not installed on this machine.\n`);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'untildone-completion-'));
  writeFileSync(join(folder, 'tasks.md'), '');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(shells)('completion in %s', (shell, offer) => {
  it.runIf(isThere(shell))('Every command that --help shows is offered', () => {
    const shown = [...untildone('--help').matchAll(/^ {2}([a-z][a-z-]*) .*\S/gm)].map(
      ([, name = '']) => name,
    );
    const commands = shown.filter((name) => name !== 'untildone');
    expect(commands.length).toBeGreaterThan(25);
    expect(offer('untildone', '').toSorted()).toEqual([...new Set(commands)].toSorted());
    expect(offer('untildone', 'ru')).toEqual(['run']);
  });

  it.runIf(isThere(shell))('Every option of a command is offered, and none of another', () => {
    for (const words of [['run'], ['criteria', 'add'], ['land']]) {
      const options = [...untildone(...words, '--help').matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(
        ([, name = '']) => name,
      );
      const offered = offer('untildone', ...words, '--').toSorted();
      expect([words, offered]).toEqual([words, [...new Set(options)].toSorted()]);
    }
  });

  it.runIf(isThere(shell))('Choices are offered behind an option, and files where a file is expected', () => {
    expect(offer('untildone', 'run', '--sandbox', '').toSorted()).toEqual([
      'auto',
      'bubblewrap',
      'none',
      'srt',
    ]);
    expect(offer('untildone', 'run', '--pay', 'l')).toEqual(['login']);
    expect(offer('untildone', 'run', '--preset', 'ca')).toEqual(['campaign']);
    expect(offer('untildone', 'run', '--agent', 'cl')).toEqual(['claude']);
    expect(offer('untildone', 'queue', 'ta')).toEqual(['tasks.md']);
    expect(offer('untildone', 'run', '--task-file', 'ta')).toEqual(['tasks.md']);
    expect(offer('untildone', 'help', 'task-')).toEqual(['task-files']);
    expect(offer('untildone', 'completion', '').toSorted()).toEqual(['bash', 'fish', 'zsh']);
    expect(offer('untildone', 'run', '--verifier', '')).toEqual(['none']);
    expect(offer('untildone', 'help', 'ho')).toEqual([]);
  });

  it.runIf(isThere(shell))('The runs of the repository are offered where a command takes one', () => {
    mkdirSync(join(folder, '.untildone/runs/20261117-1606-7ab4'), { recursive: true });
    execFileSync('git', ['init', '-q', folder]);
    expect(offer('untildone', 'show', '2026')).toEqual(['20261117-1606-7ab4']);
    expect(offer('untildone', 'tell', '--run', '')).toEqual(['20261117-1606-7ab4']);
    expect(offer('untildone', 'land', '--ke')).toEqual(['--keep']);
  });

  it.runIf(isThere(shell))('The value of an option is no command', () => {
    expect(offer('untildone', 'run', '--agent', 'list', '--kn')).toEqual(['--known-red']);
    expect(offer('untildone', 'tell', '--run', 'criteria', '--ru')).toEqual(['--run']);
  });

  it.runIf(isThere(shell))('A subcommand with the name of a command has its own options', () => {
    expect(offer('untildone', 'criteria', 'ac')).toEqual(['accept']);
    expect(offer('untildone', 'criteria', 'accept', '--ta')).toEqual(['--task']);
  });
});

it.runIf(isThere('bash'))('Bash splits --option=value into three words, and the value is completed', () => {
  expect(inBash('untildone', 'run', '--sandbox', '=', 'no')).toEqual(['none']);
  expect(inBash('untildone', 'run', '--sandbox', '=').toSorted()).toEqual([
    'auto',
    'bubblewrap',
    'none',
    'srt',
  ]);
  expect(inBash('untildone', 'run', '--sandbox', '=', 'none', '--kn')).toEqual(['--known-red']);
});

it.runIf(isThere('bash'))('Bash completes a file name with blanks, however it is typed', () => {
  const names = ['my notes.md', 'a$b.md', 'deep/two words.md'];
  mkdirSync(join(folder, 'deep'));
  for (const name of names) writeFileSync(join(folder, name), '');
  const typed = [
    'queue my\t',
    'queue my\\ n\t',
    'queue "my n\t',
    "queue 'my n\t",
    'queue a\t',
    'queue de\ttw\t',
    'run --task-file=my\t',
  ];
  // An interactive bash reads its keys from the pipe as it would from a terminal.
  const rc = join(folder, 'rc');
  writeFileSync(
    rc,
    `source ${scriptOf('bash')}; PS1=''; unset HISTFILE; untildone() { printf '<%s>' "$@"; echo; }\n`,
  );
  const input = typed.map((line) => `untildone ${line}\n`).join('');
  const { stdout } = spawnSync('bash', ['--rcfile', rc, '-i'], { cwd: folder, input, encoding: 'utf8' });
  expect(stdout.split('\n').filter((line) => line.startsWith('<'))).toEqual([
    '<queue><my notes.md>',
    '<queue><my notes.md>',
    '<queue><my notes.md>',
    '<queue><my notes.md>',
    '<queue><a$b.md>',
    '<queue><deep/two words.md>',
    '<run><--task-file=my notes.md>',
  ]);
});

it('Another shell is refused with the list of known ones', () => {
  const { status, stderr } = spawnSync(process.execPath, [main, 'completion', 'tcsh'], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([2, expect.stringContaining('the choices are bash, zsh, fish')]);
});
