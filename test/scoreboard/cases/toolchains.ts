// Which languages this machine can run, and where their programs are.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';

export const toolchains = [
  'node',
  'python',
  'pytest',
  'sh',
  'make',
  'c',
  'perl',
  'java',
  'rust',
  'go',
] as const;
export type Toolchain = (typeof toolchains)[number];

const probes: { readonly [name in Toolchain]: readonly [string, ...string[]] } = {
  node: [process.execPath, '--version'],
  python: ['python3', '--version'],
  pytest: ['python3', '-m', 'pytest', '--version'],
  sh: ['sh', '-c', ':'],
  make: ['make', '--version'],
  c: ['gcc', '--version'],
  perl: ['prove', '--version'],
  java: ['java', '--version'],
  rust: ['cargo', '--version'],
  go: ['go', 'version'],
};

export function toolchainsHere(): Toolchain[] {
  return toolchains.filter((name) => {
    const [program, ...args] = probes[name];
    return spawnSync(program, args).status === 0;
  });
}

/** A sentence for every language that is not here, so that its absence is seen. */
export function missingToolchains(here: readonly Toolchain[]): string[] {
  return toolchains
    .filter((name) => !here.includes(name))
    .map(
      (name) => `NOT RUN: the ways in ${name}, because \`${probes[name].join(' ')}\` fails on this machine`,
    );
}

/** The programs themselves, not the starters of version managers, which look into the home. */
export function toolFolders(): string[] {
  const python = outputOf('python3', '-c', 'import sys; print(sys.executable)');
  const rust = outputOf('rustc', '--print', 'sysroot');
  return [python === '' ? '' : dirname(python), rust === '' ? '' : join(rust, 'bin')].filter(
    (path) => path !== '',
  );
}

function outputOf(program: string, ...args: string[]): string {
  const { status, stdout } = spawnSync(program, args, { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : '';
}
