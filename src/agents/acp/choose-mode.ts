// Which of the agent's own modes a role works in.
import type { SessionRequest } from '#ports/agent.ts';
import { OperatorError } from '#base/operator-error.ts';
import type { Peer } from '#agents/shared/json-rpc.ts';
import { findOption, valuesOf } from './config-option.ts';
import { fieldsOf, listOf, textOf } from '#agents/shared/json.ts';
import type { Fields } from '#agents/shared/json.ts';

/** As agents name them, the strictest first. */
const readOnlyModes = ['read-only', 'readonly', 'read_only', 'plan', 'ask', 'architect'];
/** As agents name them; the agent asks in these, and the answer is ours. */
const builderModes = ['agent', 'build', 'code', 'default', 'auto', 'normal'];

/**
 * It is set even where it seems to be in force already: some agents start in a mode of their own, whatever they say.
 * An agent without modes is left as it is; refusals of permission and the comparison of trees still hold.
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
