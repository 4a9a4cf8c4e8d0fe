// `watch --install` and `--uninstall`: shows what is written, asks, and reports what the unit lacks.
import type { InstalledUnit, UnitPlan } from '#app/waiting/watch-unit.ts';
import { OperatorError } from '#base/operator-error.ts';
import { ask } from '#surfaces/cli/ask.ts';
import { isInteractive, print, printJsonLine } from '#surfaces/cli/output.ts';

export interface InstallOptions {
  readonly isYes: boolean;
  readonly isJson: boolean;
}

export async function installWatch({ isYes, isJson }: InstallOptions): Promise<number> {
  const { installUnit } = await import('#app/waiting/watch-unit.ts');
  const plan = await planHere();
  if (!isJson) print(`${plan.file}:\n\n${plan.text}`);
  if (plan.kind === 'launchd') return printLaunchd(plan, isJson);
  if (!(await confirm('Write this unit and start it?', { isYes, flag: '--install' }))) return 0;
  const installed = await installUnit(plan, process.env);
  if (isJson) printJsonLine({ file: plan.file, ...installed });
  else for (const line of installedLines(installed)) print(line);
  return installed.problem === null ? 0 : 1;
}

export async function uninstallWatch({ isYes, isJson }: InstallOptions): Promise<number> {
  const { uninstallUnit } = await import('#app/waiting/watch-unit.ts');
  const plan = await planHere();
  if (plan.kind === 'launchd') {
    print(`Remove it by hand: launchctl unload ${plan.file}; rm ${plan.file} (untested)`);
    return 0;
  }
  if (!(await confirm(`Stop the unit and remove ${plan.file}?`, { isYes, flag: '--uninstall' }))) return 0;
  const isRemoved = await uninstallUnit(plan, process.env);
  if (isJson) printJsonLine({ file: plan.file, isRemoved });
  else print(isRemoved ? `Removed ${plan.file}.` : `There is no unit at ${plan.file}.`);
  return 0;
}

async function planHere(): Promise<UnitPlan> {
  const { planUnit } = await import('#app/waiting/watch-unit.ts');
  const plan = planUnit(process.env, process.platform);
  if (plan !== null) return plan;
  throw new OperatorError(
    'no-units',
    `No unit can be installed on ${process.platform}.`,
    'Start `untildone watch` at login by other means.',
  );
}

async function confirm(
  question: string,
  { isYes, flag }: { readonly isYes: boolean; readonly flag: string },
): Promise<boolean> {
  if (isYes) return true;
  if (isInteractive()) return (await ask(question, ['y', 'n'])) === 'y';
  throw new OperatorError(
    'not-confirmed',
    'Nothing was changed: there is no terminal to ask at.',
    `Confirm it with: untildone watch ${flag} --yes`,
  );
}

function installedLines({ problem, isLingering, missing }: InstalledUnit): string[] {
  const lines = [problem === null ? 'The unit is running.' : `The unit is written, but ${problem}`];
  if (isLingering === null)
    lines.push('loginctl does not answer, so it is unknown whether the unit stays after you log out.');
  else
    lines.push(
      isLingering
        ? 'Linger is on: the unit keeps running after you log out.'
        : 'Linger is off: the unit ends when you log out. To keep it running: loginctl enable-linger',
    );
  lines.push('A unit has none of the variables of your shell: no keys, no ssh agent.');
  if (missing.length > 0)
    lines.push(`Waiting runs need these variables, which the unit does not have: ${missing.join(', ')}`);
  lines.push(
    'To give it variables: systemctl --user edit untildone-watch, and add:',
    '  [Service]',
    '  EnvironmentFile=%h/.config/untildone/watch.env',
    'It does not wake a sleeping machine. Runs that were due resume after the machine wakes.',
  );
  return lines;
}

function printLaunchd({ file, text }: UnitPlan, isJson: boolean): number {
  if (isJson) printJsonLine({ file, text, isTested: false });
  else print(`untested: write this file yourself, then: launchctl load ${file}`);
  return 0;
}
