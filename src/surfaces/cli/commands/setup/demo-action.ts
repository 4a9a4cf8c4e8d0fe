import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { modeWish } from '#config/flags.ts';
import { resolveRun } from '#config/resolve/resolve-run.ts';
import { exitCodes } from '#kernel/model/outcome.ts';
import { OperatorError } from '#base/operator-error.ts';
import { makeRepository } from '#surfaces/cli/demo/make-repository.ts';
import type { DemoShow } from '#surfaces/cli/demo/shows.ts';
import { actionsShow, builderShow, demoGoal, interactiveHint } from '#surfaces/cli/demo/shows.ts';
import { driveHere } from '#surfaces/cli/drive/drive-here.ts';
import { print, printJsonLine } from '#surfaces/cli/output.ts';
import { busy } from '#surfaces/cli/render/busy.ts';
import { headerLines } from '#surfaces/cli/render/header.ts';
import { canShowMenu } from '#surfaces/cli/screen/can-show-menu.ts';

export interface DemoOptions {
  readonly preset?: string;
  readonly mode?: string;
  readonly json?: boolean;
  readonly keep?: boolean;
}

interface DemoPlace {
  readonly folder: string;
  readonly root: string;
}

export async function demoCommand(options: DemoOptions): Promise<number> {
  const isJson = options.json === true;
  const show = showOf(options.preset);
  const mode = modeOf(options, show);
  const folder = await mkdtemp(join(tmpdir(), 'untildone-demo-'));
  const printText = (text: string): void => (isJson ? undefined : print(text));
  let isKept = options.keep === true;
  try {
    printText(`Demo in ${folder}: a small repository with a failing test, and a scripted agent.`);
    printText(show.expect);
    if (mode === 'interactive') printText(interactiveHint);
    printText('');
    const root = await makeRepository(folder);
    const exitCode = await runIn({ folder, root }, show, { isJson, mode });
    // A failed demonstration is kept for inspection.
    if (exitCode !== exitCodes.completed) isKept = true;
    if (isKept) printText(`\nThe repository is kept: cd ${root} && git log -p untildone/*`);
    else printText('\n(The demo repository is removed; --keep keeps it.)');
    if (exitCode === exitCodes.parked) printText(`Continue with: cd ${root} && ${resumeIn(folder)}`);
    printText(closing(show));
    return exitCode;
  } finally {
    if (!isKept) await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

function showOf(preset: string | undefined): DemoShow {
  if (preset === undefined || preset === 'builder-verifier') return builderShow;
  if (preset === 'actions') return actionsShow;
  throw new OperatorError(
    'bad-flag',
    `There is no demo of the preset "${preset}".`,
    'Use: untildone demo, or untildone demo --preset actions.',
  );
}

/** Without prompts, unless the user asks for the menu. */
function modeOf({ mode, json }: DemoOptions, show: DemoShow): 'auto' | 'interactive' | undefined {
  if (show.preset === undefined) {
    if (mode === undefined) return undefined;
    throw new OperatorError(
      'bad-flag',
      '--mode is for the preset actions.',
      `Add it: untildone demo --preset actions --mode ${mode}`,
    );
  }
  const wish = modeWish(mode ?? 'auto');
  if (wish === 'auto' || (json !== true && canShowMenu())) return wish;
  throw new OperatorError(
    'bad-flag',
    'The menu of --mode interactive needs a terminal.',
    'Leave out --mode: the loop then chooses each action.',
  );
}

interface DemoRun {
  readonly isJson: boolean;
  readonly mode: 'auto' | 'interactive' | undefined;
}

async function runIn(
  { folder, root }: DemoPlace,
  show: DemoShow,
  { isJson, mode }: DemoRun,
): Promise<number> {
  const { openSite } = await import('#app/site.ts');
  const { createRun } = await import('#app/run/start-run.ts');
  const env = { ...process.env, ...ownFolders(folder) };
  for (const name of Object.keys(env)) if (name.startsWith('WIGGUM_')) delete env[name as keyof typeof env];
  const site = await openSite(root, env);
  await mkdir(join(folder, 'config/untildone'), { recursive: true });
  const agents = { demo: { driver: 'scripted', script: show.script } };
  await writeFile(join(folder, 'config/untildone/config.jsonc'), JSON.stringify({ agents }));
  const flags = {
    agent: ['demo'],
    check: ['node --test'],
    cooldown: '0',
    // Its agent plays our own script, so it is safe on every machine.
    allowUnsandboxed: true,
    ...(show.preset === undefined ? {} : { preset: show.preset }),
    ...(mode === undefined ? {} : { mode }),
  };
  const resolved = await resolveRun(site, { goal: demoGoal, flags, sanityCheck: false });
  const { runId, config } = await busy('preparing the demo', () => createRun(site, resolved));
  if (isJson) printJsonLine({ type: 'run', runId, isResumed: false, folder: root });
  else {
    const { readPreflight } = await import('#app/run/preflight.ts');
    const items = await readPreflight(site, { ...resolved, config });
    for (const line of headerLines({ runId, preset: config.preset, items })) print(line);
  }
  return driveHere(site, runId, { isJson, isTemporary: true });
}

/** Separate from the person's own runs and settings, and removed with the folder. */
function ownFolders(folder: string) {
  return { XDG_STATE_HOME: join(folder, 'state'), XDG_CONFIG_HOME: join(folder, 'config') };
}

function resumeIn(folder: string): string {
  const variables = Object.entries(ownFolders(folder)).map(([name, path]) => `${name}=${path}`);
  return `${variables.join(' ')} untildone resume`;
}

function closing({ command }: DemoShow): string {
  return `
That was a script. With a real agent, in a repository of yours:
  untildone doctor                                     check agents and logins
  ${command}`;
}
