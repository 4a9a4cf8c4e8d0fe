// The ways to decide a criterion: by our own processes, by a reviewer, or by a person.

export type Check = MachineCheck | ReviewerCheck | HumanCheck;

/** Decided by us, from the files of one tree, without trusting any claim. */
export type MachineCheck =
  | CommandCheck
  | GateCheck
  | FileCheck
  | SymbolCheck
  | HttpCheck
  | BrowserCheck
  | HookCheck
  | HeldOutCheck;

export interface CommandCheck {
  readonly kind: 'command';
  readonly run: string;
  /** Relative to the folder where the run was started, like every path of a check. */
  readonly cwd: string;
  readonly timeoutMs: number;
}

/** One of the gates that most repositories have. `run` was found in the repository's files or configured. */
export interface GateCheck {
  readonly kind: 'gate';
  readonly gate: 'tests' | 'lint' | 'types' | 'build';
  readonly run: string;
  readonly cwd: string;
  readonly timeoutMs: number;
}

export interface FileCheck {
  readonly kind: 'file';
  readonly path: string;
  readonly holds:
    | { readonly kind: 'exists' }
    | { readonly kind: 'absent' }
    | { readonly kind: 'contains'; readonly text: string }
    /** `value` is compared as JSON; null requires only that the path exists. */
    | { readonly kind: 'json'; readonly path: string; readonly value: string | null };
}

/** Searched in the syntax tree, so a word in a comment or a string does not count. */
export interface SymbolCheck {
  readonly kind: 'symbol';
  readonly name: string;
  readonly what: 'function' | 'class' | 'type' | 'component' | 'variable' | 'export' | 'any' | 'use';
  /** A file or a glob; null means every source file. */
  readonly file: string | null;
}

export interface HttpCheck {
  readonly kind: 'http';
  /** `{port}` is replaced by a free port, which `serve` gets as PORT. */
  readonly url: string;
  readonly status: number;
  readonly contains: string | null;
  /** Started by us for this check alone, and ended after it. Null: a server is expected to run already. */
  readonly serve: string | null;
  readonly cwd: string;
  readonly timeoutMs: number;
}

export interface BrowserCheck {
  readonly kind: 'browser';
  readonly look:
    | { readonly kind: 'script'; readonly path: string }
    | {
        readonly kind: 'page';
        readonly url: string;
        readonly selector: string;
        readonly text: string | null;
      };
  readonly serve: string | null;
  readonly cwd: string;
  readonly timeoutMs: number;
}

/** The repository's own pre-commit hook, run before a commit of everything that the run has changed. */
export interface HookCheck {
  readonly kind: 'hook';
  readonly timeoutMs: number;
}

/** A check stored with the journal under the criterion's id. No agent is shown more than its hash. */
export interface HeldOutCheck {
  readonly kind: 'held-out';
  readonly hash: string;
}

export interface ReviewerCheck {
  readonly kind: 'reviewer';
  readonly role: string;
}

export interface HumanCheck {
  readonly kind: 'human';
  readonly question: string;
}

export function isMachineCheck(check: Check): check is MachineCheck {
  return check.kind !== 'reviewer' && check.kind !== 'human';
}

export function commandOf(check: Check): { readonly run: string; readonly cwd: string } | null {
  switch (check.kind) {
    case 'command':
    case 'gate':
      return { run: check.run, cwd: check.cwd };
    case 'http':
    case 'browser':
      return check.serve === null ? null : { run: check.serve, cwd: check.cwd };
    default:
      return null;
  }
}

/** The program that decides the verdict; builders must not change it. A tested server is the work itself. */
export function judgeOf(check: Check): { readonly run: string; readonly cwd: string } | null {
  if (check.kind === 'command' || check.kind === 'gate') return { run: check.run, cwd: check.cwd };
  return check.kind === 'browser' && check.look.kind === 'script' ? { run: check.look.path, cwd: '' } : null;
}

/** One line, in words for a person. */
export function describeCheck(check: Check): string {
  switch (check.kind) {
    case 'command':
    case 'gate':
      return check.run;
    case 'file':
      return describeFile(check);
    case 'symbol':
      return `${check.what === 'use' ? 'use of' : check.what === 'any' ? 'symbol' : check.what} ${check.name}${check.file === null ? '' : ` in ${check.file}`}`;
    case 'http':
      return `GET ${check.url} answers ${check.status}${check.contains === null ? '' : ` with ${JSON.stringify(check.contains)}`}`;
    case 'browser':
      return check.look.kind === 'script'
        ? `browser script ${check.look.path}`
        : `${check.look.url} shows ${check.look.selector}${check.look.text === null ? '' : ` with ${JSON.stringify(check.look.text)}`}`;
    case 'hook':
      return 'the pre-commit hook';
    case 'held-out':
      return 'a held-out check';
    case 'reviewer':
      return `the ${check.role}`;
    case 'human':
      return 'a person';
  }
}

function describeFile({ path, holds }: FileCheck): string {
  switch (holds.kind) {
    case 'exists':
      return `${path} exists`;
    case 'absent':
      return `${path} does not exist`;
    case 'contains':
      return `${path} contains ${JSON.stringify(holds.text)}`;
    case 'json':
      return `${path} has ${holds.path}${holds.value === null ? '' : ` = ${holds.value}`}`;
  }
}
