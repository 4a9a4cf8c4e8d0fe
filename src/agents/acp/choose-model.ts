// Which model the session works with: over the protocol where the agent lets it be chosen there.
import { OperatorError } from '#base/operator-error.ts';
import type { Peer } from '#agents/shared/json-rpc.ts';
import { findOption, valuesOf } from './config-option.ts';
import { fieldsOf, listOf, textOf } from '#agents/shared/json.ts';
import type { Fields } from '#agents/shared/json.ts';

/** Contract: returns the model that the session will use, null where the agent does not tell. */
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
  // This list is a choice of the agent's, not all that it takes: a name that is wrong is told by the provider.
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
