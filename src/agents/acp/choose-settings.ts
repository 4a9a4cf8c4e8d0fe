// Sets the agent's mode and model for a role over the protocol, where the agent offers the choice.
import type { SessionRequest } from '#ports/agent.ts';
import { OperatorError } from '#base/operator-error.ts';
import type { Peer } from '#agents/shared/json-rpc.ts';
import { fieldsOf, listOf, textOf, type Fields } from '#agents/shared/json.ts';

/** Names that agents use, the strictest first. */
const readOnlyModes = ['read-only', 'readonly', 'read_only', 'plan', 'ask', 'architect'];
/** Names that agents use. In these modes the agent asks for permission, and we answer. */
const builderModes = ['agent', 'build', 'code', 'default', 'auto', 'normal'];

/**
 * Sets the mode even if it seems active already: some agents start in another mode than they report. An agent
 * without modes stays as it is; permission refusals and tree comparison still apply.
 */
export async function chooseMode(
  peer: Peer,
  offered: Fields,
  wanted: string | null,
  { readOnly }: Pick<SessionRequest, 'readOnly'>,
): Promise<void> {
  const modes = listOf(fieldsOf(offered['modes'])['availableModes']).map((mode) => textOf(mode['id']));
  const option = findOption(offered, 'mode');
  const names = modes.length > 0 ? modes : option === undefined ? [] : valuesOf(option);
  const mode = wanted ?? pick(names, readOnly ? readOnlyModes : builderModes);
  if (mode === null) return;
  if (!names.includes(mode)) throw noSuchMode(mode, names);
  const sessionId = offered['sessionId'];
  if (modes.length > 0) await peer.request('session/set_mode', { sessionId, modeId: mode });
  else await peer.request('session/set_config_option', { sessionId, configId: option?.['id'], value: mode });
}

function pick(names: readonly string[], known: readonly string[]): string | null {
  for (const one of known) {
    const found = names.find((name) => name.toLowerCase() === one);
    if (found !== undefined) return found;
  }
  return null;
}

function noSuchMode(mode: string, names: readonly string[]): OperatorError {
  return new OperatorError(
    'agent-options',
    `The agent has no mode "${mode}".`,
    names.length === 0 ? 'It offers no modes: leave "mode" out.' : `It offers: ${names.join(', ')}.`,
  );
}

/** Contract: returns the model that the session will use, null if the agent does not report it. */
export async function chooseModel(
  peer: Peer,
  offered: Fields,
  wanted: string | null,
): Promise<string | null> {
  const sessionId = offered['sessionId'];
  const option = findOption(offered, 'model');
  const models = fieldsOf(offered['models']);
  const current = textOf(option?.['currentValue'] ?? models['currentModelId']);
  if (wanted === null || wanted === current) return current === '' ? null : current;
  if (option !== undefined) {
    refuseUnknown(wanted, valuesOf(option));
    await peer.request('session/set_config_option', { sessionId, configId: option['id'], value: wanted });
    return wanted;
  }
  if (listOf(models['availableModels']).length === 0) throw notOverProtocol(wanted);
  // The agent's list is not complete, so any name is sent; the provider reports a wrong one.
  await peer.request('session/set_model', { sessionId, modelId: wanted });
  return wanted;
}

function refuseUnknown(wanted: string, names: readonly string[]): void {
  if (names.includes(wanted)) return;
  const near = names.filter((name) => name.includes(wanted) || wanted.includes(name));
  const shown = (near.length > 0 ? near : names).slice(0, 12);
  throw new OperatorError(
    'unknown-model',
    `The agent does not offer the model "${wanted}".`,
    `It offers ${shown.join(', ')}${shown.length < names.length ? ', …' : ''}.`,
  );
}

function notOverProtocol(wanted: string): OperatorError {
  return new OperatorError(
    'unknown-model',
    `The agent does not let its model be chosen, so "${wanted}" cannot be had.`,
    'Name the model in its command or in its own configuration, and leave it out here.',
  );
}

/** The values of a `select` option, in groups or not. */
function valuesOf(option: Fields): string[] {
  return listOf(option['options']).flatMap((one) =>
    Array.isArray(one['options']) ? valuesOf(one) : [textOf(one['value'])],
  );
}

/** Finds a configuration option by its category, or by its id if it has no category. */
function findOption(offered: Fields, category: string): Fields | undefined {
  const options = listOf(offered['configOptions']).filter((option) => option['type'] === 'select');
  return (
    options.find((option) => option['category'] === category) ??
    options.find((option) => option['id'] === category)
  );
}
