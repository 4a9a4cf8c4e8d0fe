// A checkout and a checker for the tests of each kind of check.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createProcesses } from '#adapters/processes/create-processes.ts';
import type { MachineCheck } from '#kernel/model/check.ts';
import type { Finding } from '#ports/checker.ts';
import type { Redactor } from '#ports/redactor.ts';
import { createChecker } from '#adapters/checkers/create-checker.ts';

export interface ChecksBed {
  readonly home: string;
  write(path: string, text: string): void;
  /** What the log of the last check holds. */
  log(): string;
  check(check: MachineCheck, wishes?: Wishes): Promise<Finding>;
  dispose(): void;
}

export interface Wishes {
  readonly signal?: AbortSignal;
  readonly since?: number;
  readonly env?: { readonly [name: string]: string };
  readonly chromePath?: string;
  readonly redactor?: Redactor;
}

export const processes = createProcesses({ confine: 'auto' });

export function checksBed(): ChecksBed {
  const top = mkdtempSync(join(tmpdir(), 'untildone-checks-'));
  const home = join(top, 'checkout');
  mkdirSync(home);
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  };
  const check = (wanted: MachineCheck, wishes: Wishes = {}): Promise<Finding> => {
    const checker = createChecker({
      processes,
      logsDir: join(top, 'logs'),
      env: {
        PATH: process.env['PATH'] ?? '',
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
        HOME: top,
        ...wishes.env,
      },
      redactor: wishes.redactor ?? plain,
      since: wishes.since ?? 0,
      browser: { entry: browserEntry, chromePath: wishes.chromePath ?? null, nodePath: '' },
    });
    const criterion = { id: 'c', text: 't', kind: 'exit', required: true, when: 'attempt' } as const;
    return checker.check({
      criterion: { ...criterion, check: wanted },
      cwd: home,
      mark: `checks-${process.pid}/one`,
      log: 'c.log',
      signal: wishes.signal ?? new AbortController().signal,
    });
  };
  const log = (): string => readFileSync(join(top, 'logs/c.log'), 'utf8');
  return { home, write, log, check, dispose: () => rmSync(top, { recursive: true, force: true }) };
}

const browserEntry = fileURLToPath(new URL('../../../src/surfaces/browser/main.ts', import.meta.url));

const plain: Redactor = {
  redact: (text) => text,
  stream: () => ({ push: (text) => text, end: () => '' }),
};
