import type { Layer, Origin, Sourced } from '#config/layers.ts';
import { loadSettings, userConfigPath } from '#config/load.ts';
import { ownAttempts, withPresetAttempts } from '#config/resolve/run-limits.ts';
import { findPreset } from '#config/resolve/run-parts.ts';
import { OperatorError } from '#base/operator-error.ts';
import { print, printJson } from '#surfaces/cli/output.ts';
import { openHereToRead } from '#surfaces/cli/open-here.ts';

export async function configShowCommand(options: { readonly json?: boolean }): Promise<number> {
  const site = await openHereToRead();
  const { merged, projectFile, userFile } = await loadSettings(site);
  const settings = [...listed(merged)]
    .map(([path, sourced]) => [path, path === 'notify' ? withoutAddresses(sourced) : sourced] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  const problems = await problemsIn(merged);
  if (options.json === true) {
    printJson({ projectFile, userFile, settings: Object.fromEntries(settings), problems });
    return 0;
  }
  print(`project file: ${projectFile ?? 'none (`untildone init` makes one)'}`);
  print(`user file: ${userFile ?? `none (${userConfigPath(site.env)})`}\n`);
  const width = Math.max(...settings.map(([path]) => path.length));
  for (const [path, { value, origin }] of settings) {
    print(`${path.padEnd(width)}  ${JSON.stringify(value)}  (${originText(origin)}${remark(merged, path)})`);
  }
  for (const problem of problems) print(`\n⚠️  ${problem}`);
  return 0;
}

/** Values that the schema accepts, and that no run could use. */
async function problemsIn(merged: Layer): Promise<string[]> {
  const preset = findOrRefuse(merged);
  const problems = preset instanceof OperatorError ? [`${preset.message} ${preset.hint}`] : [];
  const { configuredAgents } = await import('#config/agents/agents.ts');
  const { driverNames } = await import('#config/agents/known-agents.ts');
  for (const [name, { driver }] of configuredAgents(merged)) {
    if (driverNames.includes(driver)) continue;
    const where = merged.get(`agents.${name}`)?.origin.where ?? 'agents';
    problems.push(
      `${where}: there is no agent driver "${driver}". The drivers are ${driverNames.join(', ')}; a newer untildone may have more.`,
    );
  }
  return problems;
}

/** Says if another setting, or the preset, overrides it. */
function remark(merged: Layer, path: string): string {
  const loops = merged.get('maxLoops');
  if (path === 'budget.attempts' && loops !== undefined)
    return `; no effect: ${loopsName(loops)} overrides it`;
  const preset = presetOf(merged);
  if (path === 'durableSteps.defaultMaxAttempts' && preset !== null) {
    const own = ownAttempts(preset);
    return own === null ? '' : `; no effect: ${own}`;
  }
  if (path !== 'loops.maxIterations' && path !== 'loops.maxRetries') return '';
  return preset === null || preset.loops !== undefined
    ? ''
    : `; no effect: the preset ${preset.name} counts attempts`;
}

/** The name of the flag or variable, else the setting and its file. */
function loopsName({ origin: { kind, where } }: Sourced): string {
  return kind === 'flag' || kind === 'environment' ? where : `maxLoops of ${where}`;
}

/** An unknown preset changes nothing: the settings are still listed. */
function listed(merged: Layer): Layer {
  const preset = presetOf(merged);
  return preset === null ? merged : withPresetAttempts(merged, preset);
}

function presetOf(merged: Layer): ReturnType<typeof findPreset> | null {
  const preset = findOrRefuse(merged);
  return preset instanceof OperatorError ? null : preset;
}

function findOrRefuse(merged: Layer): ReturnType<typeof findPreset> | OperatorError {
  try {
    return findPreset(merged);
  } catch (error) {
    if (error instanceof OperatorError) return error;
    throw error;
  }
}

/** The address of a webhook is a secret: anyone who has it can post there. */
function withoutAddresses(sourced: Sourced): Sourced {
  const text = JSON.stringify(sourced.value, (key, value: unknown) => (key === 'url' ? '[redacted]' : value));
  return { ...sourced, value: JSON.parse(text) as unknown };
}

function originText({ kind, where }: Origin): string {
  return where === '' ? kind : `${kind}: ${where}`;
}
