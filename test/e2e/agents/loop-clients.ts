// The clients that play the action loop: Claude Code, Codex, and an agent of the Agent Client Protocol.
import type { Place } from '../place.ts';
import { claudePlace } from './claude-place.ts';
import { findClient } from './clients.ts';
import type { Client } from './clients.ts';
import { codexPlace } from './codex-place.ts';
import { makeConfiguredPlace } from './configured-place.ts';
import type { Model, ModelReply } from './model.ts';
import { call } from './model.ts';

export interface LoopClient extends Client {
  readonly name: 'claude' | 'codex' | 'codex-acp';
  /** The agent has the name of the client. */
  place(model: Model, settings?: { readonly [key: string]: unknown }): Place;
  /** The call of the model that runs a command and waits for it. */
  shell(command: string): ModelReply;
  /** Whether words reach a turn that runs; over ACP they are a prompt of their own after it. */
  readonly hearsInTurn: boolean;
  /** Which processes are the client; the command that starts the run names the agent as well. */
  readonly process: RegExp;
}

const claude: LoopClient = {
  ...findClient('claude'),
  name: 'claude',
  place: (model, settings = {}) => claudePlace({ model, settings }),
  shell: (command) => call('Bash', { command, timeout: 600_000 }),
  hearsInTurn: true,
  process: /\/claude /,
};

const codex: LoopClient = {
  ...findClient('codex'),
  name: 'codex',
  place: (model, settings = {}) => codexPlace({ model, settings }),
  shell: execCommand,
  hearsInTurn: true,
  process: /codex app-server/,
};

const codexAcp: LoopClient = {
  ...findClient('codex-acp'),
  name: 'codex-acp',
  place: codexAcpPlace,
  shell: execCommand,
  hearsInTurn: false,
  process: /\.bin\/codex-acp/,
};

export const loopClients: readonly LoopClient[] = [claude, codex, codexAcp];

function execCommand(cmd: string): ModelReply {
  return call('exec_command', { cmd, yield_time_ms: 30_000 });
}

/** It reads the settings of Codex from the home folder. */
function codexAcpPlace(model: Model, settings: { readonly [key: string]: unknown } = {}): Place {
  const place = makeConfiguredPlace({
    agents: {
      'codex-acp': {
        driver: 'acp',
        command: [codexAcp.program],
        // Its other modes begin with a sandbox of its own, which a container may not give.
        mode: { builder: 'agent-full-access' },
        env: { SCRIPTED_KEY: 'sk-of-nobody' },
      },
    },
    settings,
  });
  place.write(
    'home/.codex/config.toml',
    `model = "scripted-model"
model_provider = "scripted"
check_for_update_on_startup = false
[analytics]
enabled = false
[features]
plugins = false
apps = false
[model_providers.scripted]
name = "scripted"
base_url = "${model.url}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
request_max_retries = 1
stream_max_retries = 1
`,
  );
  return place;
}
