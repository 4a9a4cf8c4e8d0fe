// Manages the systemd user unit: its file, and the calls of systemctl and loginctl.
import { execFile } from 'node:child_process';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { errorText } from '#base/error-text.ts';
import { replaceFile } from '#adapters/files/files.ts';
import { OperatorError } from '#base/operator-error.ts';
import { orElse } from '#base/or-else.ts';

type Env = { readonly [name: string]: string };

export interface Called {
  /** Null if the program could not start or a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  /** Its error message, in one line. */
  readonly problem: string;
}

const timeoutMs = 30_000;

/** Contract: never rejects. */
export async function systemctl(env: Env, ...args: string[]): Promise<Called> {
  return call('systemctl', ['--user', ...args], env);
}

/** Whether the user's units keep running after a logout; null if unknown. */
export async function isLingering(env: Env): Promise<boolean | null> {
  const user = orElse(() => userInfo().username, String(process.getuid?.() ?? ''));
  const { stdout } = await call('loginctl', ['show-user', user, '--property=Linger'], env);
  const found = /^Linger=(yes|no)$/m.exec(stdout)?.[1];
  return found === undefined ? null : found === 'yes';
}

export function unitFile(env: Env, home: string, name: string): string {
  const config = env['XDG_CONFIG_HOME'];
  return join(config === undefined || config === '' ? join(home, '.config') : config, 'systemd/user', name);
}

export async function readUnit(file: string): Promise<string | null> {
  return readFile(file, 'utf8').catch(() => null);
}

export async function writeUnit(file: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true });
    await replaceFile(file, text, 0o644);
  } catch (error) {
    const why = errorText(error);
    throw new OperatorError(
      'unit-not-written',
      `The unit ${file} cannot be written: ${why}.`,
      'Make its folder writable, or set XDG_CONFIG_HOME to one that is.',
    );
  }
}

export async function removeUnit(file: string): Promise<void> {
  await rm(file, { force: true });
}

async function call(program: string, args: readonly string[], env: Env): Promise<Called> {
  const { promise, resolve } = Promise.withResolvers<Called>();
  execFile(program, [...args], { env, timeout: timeoutMs, encoding: 'utf8' }, (error, stdout, stderr) => {
    const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
    const reason = stderr.trim() === '' ? (error?.message ?? '') : stderr;
    resolve({
      code,
      stdout,
      problem: reason
        .trim()
        .replaceAll(/\s*\n\s*/g, ' ')
        .slice(0, 300),
    });
  });
  return promise;
}
