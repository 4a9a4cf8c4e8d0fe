// Drives a small run in its own repository with a scripted agent: how `doctor` shows where work goes.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startRun } from '#app/run/start-run.ts';
import { driveRun } from '#app/world.ts';
import type { RunFlags } from '#config/setting-table.ts';
import { resolveRun } from '#config/resolve/resolve-run.ts';
import type { RunConfig } from '#kernel/model/config.ts';
import type { Run } from '#kernel/fold/run.ts';
import type { Observer } from '#ports/world.ts';
import { openSite, type Site } from '#app/site.ts';
import { assert } from '#base/assert.ts';

export interface Bed {
  readonly folder: string;
  readonly root: string;
  readonly env: { readonly [name: string]: string };
  git(...args: string[]): string;
  write(path: string, text: string): void;
  commit(message: string): string;
  site(): Promise<Site>;
  remove(): void;
}

export interface Life extends Bed {
  readonly run: Run;
}

export interface LifeOrder {
  /** Files of the first commit. */
  readonly files?: { readonly [path: string]: string };
  readonly turns: readonly object[];
  /** A sentence if omitted, or the path of a task file. */
  readonly goal?: string;
  readonly flags: RunFlags;
  /** Overrides what the flags give. */
  readonly config?: Partial<RunConfig>;
  readonly observe?: (site: Site, runId: string) => Promise<Observer>;
}

export const builds = (...actions: object[]): object => ({
  role: 'builder',
  actions: [...actions, { say: 'Done.\n\n===WIGGUM_COMPLETE===\n' }],
});
export const passes: object = { role: 'verifier', actions: [{ say: 'Fine.\n\n===VERIFIER_COMPLETE===\n' }] };

export async function liveThrough(order: LifeOrder): Promise<Life> {
  const bed = makeBed(realpathSync(mkdtempSync(join(tmpdir(), 'untildone-proof-'))));
  mkdirSync(bed.root, { recursive: true });
  bed.git('init', '-q', '-b', 'main');
  for (const [path, text] of Object.entries({ 'README.md': 'A sample.\n', ...order.files }))
    bed.write(path, text);
  bed.commit('base');
  const script = join(bed.folder, 'script.json');
  writeFileSync(script, JSON.stringify({ turns: order.turns }));
  const site = await bed.site();
  const flags = { agent: [`scripted:${script}`], cooldown: '0', ...order.flags };
  const resolved = await resolveRun(site, {
    goal: order.goal ?? 'do it <b>well</b>',
    flags,
    sanityCheck: false,
  });
  const config = { ...resolved.config, ...order.config };
  const runId = await startRun(site, { ...resolved, config });
  const end = await driveRun(site, runId, {
    observers: order.observe === undefined ? [] : [await order.observe(site, runId)],
    leaveWhenParked: () => true,
    signal: AbortSignal.timeout(1_200_000),
  });
  assert(end.kind !== 'held', 'no other process knows the run');
  return { ...bed, run: end.run };
}

export function makeBed(folder: string): Bed {
  const root = join(folder, 'repo');
  const env = {
    PATH: process.env['PATH'] ?? '',
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
    HOME: folder,
    XDG_STATE_HOME: join(folder, 'state'),
    XDG_CONFIG_HOME: join(folder, 'config'),
    UNTILDONE_CHECK_RUNS: '1',
    UNTILDONE_SANDBOX: 'none',
    GIT_CONFIG_NOSYSTEM: '1',
  };
  writeFileSync(join(folder, '.gitconfig'), '[user]\n\tname = Ada\n\temail = ada@example.invalid\n');
  const git = (...args: string[]): string =>
    execFileSync('git', args, {
      cwd: root,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trimEnd();
  return {
    folder,
    root,
    env,
    git,
    write(path, text) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    },
    commit(message) {
      git('add', '-A');
      git('commit', '-q', '-m', message);
      return git('rev-parse', 'HEAD');
    },
    site: () => openSite(root, env),
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}
