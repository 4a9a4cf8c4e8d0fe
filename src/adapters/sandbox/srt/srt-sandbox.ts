// Uses @anthropic-ai/sandbox-runtime by its command line: one process per program, because its library is one
// per process. Weaker than bubblewrap in three ways, which `deviations` names for its contract test.
import { lstatSync, mkdirSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sandbox, SandboxedProgram, SandboxRules } from '#ports/sandbox.ts';
import { withoutDesktop } from '#adapters/sandbox/desktop-variables.ts';
import { shownPathsOfGit } from '#adapters/sandbox/git-secrets.ts';
import { makeScratch, removeScratch } from '#adapters/sandbox/scratch.ts';
import { workspaceOf, adminOf } from '#adapters/sandbox/workspace-of.ts';

export interface SrtOptions {
  /** Its command line program. */
  readonly program: string;
  readonly rules: SandboxRules;
}

/** It reports a program that TERM or INT ended as a success: this shell turns signals into exit codes. */
const tellingShell = ['/bin/sh', '-c', '"$@"; exit "$?"', 'sh'];

export function createSrtSandbox({ program: srt, rules }: SrtOptions): Sandbox {
  const open = new Set<string>();
  return {
    kind: 'srt',
    wrap(program) {
      const scratch = makeScratch('sandbox');
      open.add(scratch);
      const workspace = workspaceOf(realpathSync(program.cwd), rules.workspaces);
      const before = new Set(workspace === null ? [] : readdirSync(workspace));
      const settings = join(scratch, 'settings.json');
      for (const name of ['tmp', 'cache']) mkdirSync(join(scratch, name));
      writeFileSync(settings, JSON.stringify(settingsOf(program, rules, { scratch, workspace })));
      return {
        file: process.execPath,
        args: [srt, '--settings', settings, '--', ...tellingShell, program.file, ...program.args],
        env: { ...withoutDesktop(program.env), ...ownVariables(scratch) },
        isNamespace: false,
        release: async () => {
          if (workspace !== null) await takeAway(workspace, before);
          await removeScratch(scratch);
          open.delete(scratch);
        },
      };
    },
    close() {
      for (const folder of open) void removeScratch(folder);
    },
  };
}

interface Place {
  readonly scratch: string;
  readonly workspace: string | null;
}

function settingsOf(program: SandboxedProgram, rules: SandboxRules, { scratch, workspace }: Place) {
  const own = workspace ?? realpathSync(program.cwd);
  const shown = [own, scratch, program.file, ...rules.readable, ...rules.writable, ...rules.copied];
  const repository = rules.commonDir === null ? [] : [rules.commonDir];
  return {
    network: {
      allowedDomains: (rules.hosts ?? []).map((host) => host.replace(/^127\.0\.0\.1:/, 'localhost:')),
      deniedDomains: [],
      allowLocalBinding: true,
    },
    filesystem: {
      denyRead: [...rules.hidden, ...(rules.home === null ? [] : [rules.home]), ...repository],
      allowRead: [
        ...shown,
        ...repository.flatMap((folder) => shownPathsOfGit(folder, workspace && adminOf(workspace, folder))),
      ],
      allowWrite: [own, scratch, ...rules.writable],
      // Read-only paths below a writable folder stay unchanged.
      denyWrite: rules.readable.filter((path) => rules.writable.some((one) => path.startsWith(`${one}/`))),
    },
  };
}

const socketPathMax = 107;
const socketNameLength = '/claude-socks-0123456789abcdef.sock'.length;

/** A writable place for caches and temporary files. */
function ownVariables(scratch: string): { [name: string]: string } {
  const tmp = join(scratch, 'tmp');
  const cache = join(scratch, 'cache');
  return {
    // Its own folder for sockets, whose path length is limited; the program gets the other one.
    TMPDIR: scratch.length + socketNameLength <= socketPathMax ? scratch : '/tmp',
    CLAUDE_CODE_TMPDIR: tmp,
    TMP: tmp,
    TEMP: tmp,
    XDG_CACHE_HOME: cache,
    npm_config_cache: join(cache, 'npm'),
    npm_config_update_notifier: 'false',
    PIP_CACHE_DIR: join(cache, 'pip'),
    GOCACHE: join(cache, 'go'),
    // The repository is read-only.
    GIT_OPTIONAL_LOCKS: '0',
    NODE_USE_ENV_PROXY: '1',
  };
}

/** While it runs, it creates empty entries such as `.vscode` in the workspace; a kill leaves them there. */
async function takeAway(workspace: string, before: ReadonlySet<string>): Promise<void> {
  for (const name of readdirSync(workspace)) {
    if (before.has(name) || !name.startsWith('.')) continue;
    const path = join(workspace, name);
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found?.isFile() === true && found.size === 0) await rm(path, { force: true }).catch(() => undefined);
    if (found?.isDirectory() === true) await rmdir(path).catch(() => undefined);
  }
}
