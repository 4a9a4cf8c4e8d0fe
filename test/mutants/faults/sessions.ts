// The session host, its log and its receipt.
import type { Fault } from '../fault.ts';

export const sessionsFaults: readonly Fault[] = [
  {
    id: 'log-unredacted',
    breaks: 'API keys are in the session log.',
    file: 'src/runtime/session-host/conversation.ts',
    symbol: 'follow',
    find: 'hear(redactor.onEvent(event));',
    replace: 'hear([event]);',
    test: {
      file: 'src/runtime/session-host/host-session.test.ts',
      title:
        'A session host keeps secrets out of log, live output and receipt, also when they come in pieces [X6]',
    },
  },
  {
    id: 'redactor-tail-lost',
    breaks: 'The end of the output of an agent is not in its log, and its marker is not read.',
    file: 'src/runtime/session-host/conversation.ts',
    symbol: 'follow',
    find: "'no events');\n  }\n  hear(redactor.end());",
    replace: "'no events');\n  }",
    test: {
      file: 'src/runtime/session-host/host-session.test.ts',
      title: 'The final output of a client is in the log, also without a blank or a line end after it [B9]',
    },
  },
  {
    id: 'prompt-unredacted',
    breaks: 'A key in a prompt is in the session log.',
    file: 'src/runtime/session-host/host-session.ts',
    symbol: 'live',
    find: 'world.redactor.redact(first.prompt)',
    replace: 'first.prompt',
    test: {
      file: 'src/runtime/session-host/host-session.test.ts',
      title: 'A secret in the prompt or in the error of a client is in no log, receipt or frame [X6]',
    },
  },
  {
    id: 'ending-unredacted',
    breaks: 'A key in an error message is in the journal.',
    file: 'src/runtime/session-host/host-session.ts',
    symbol: 'live',
    find: 'redactEnding(ending, world.redactor)',
    replace: 'ending',
    test: {
      file: 'src/runtime/session-host/host-session.test.ts',
      title: 'A secret in the prompt or in the error of a client is in no log, receipt or frame [X6]',
    },
  },
  {
    id: 'sweep-skipped',
    breaks: 'Processes that an agent started live on after its session.',
    file: 'src/runtime/session-host/host-session.ts',
    symbol: 'live',
    find: 'await world.processes.sweep(markOf(order));',
    replace: '',
    test: {
      file: 'src/runtime/session-host/host-session.test.ts',
      title:
        'A session host logs every event, sweeps, takes the tree, and writes the receipt before it reports [B9] [X11]',
    },
  },
  {
    id: 'sweep-after-tree',
    breaks: 'Processes of an agent write files while the tree is taken.',
    file: 'src/runtime/session-host/host-session.ts',
    symbol: 'live',
    find: 'await world.processes.sweep(markOf(order));',
    replace: 'void world.processes.sweep(markOf(order));',
    test: {
      file: 'src/runtime/session-host/host-session.test.ts',
      title:
        'A session host logs every event, sweeps, takes the tree, and writes the receipt before it reports [B9] [X11]',
    },
  },
  {
    id: 'tell-before-receipt',
    breaks: 'A session is reported as finished before its receipt is on the disk.',
    file: 'src/runtime/session-host/host-session.ts',
    symbol: 'finish',
    find: 'await world.saveReceipt({ stepId, epoch: order.epoch, result });\n  world.send({',
    replace: 'void world.saveReceipt({ stepId, epoch: order.epoch, result });\n  world.send({',
    test: {
      file: 'src/runtime/session-host/host-session.test.ts',
      title:
        'A session host logs every event, sweeps, takes the tree, and writes the receipt before it reports [B9] [X11]',
    },
  },
  {
    id: 'tree-not-kept',
    breaks: 'The work of a session can be collected as garbage.',
    file: 'src/runtime/session-host/host-session.ts',
    symbol: 'takeTree',
    find: 'await world.keep(tree, `${order.step.stepId}/end`);',
    replace: '',
    test: {
      file: 'src/runtime/session-host/host-session.test.ts',
      title:
        'A session host logs every event, sweeps, takes the tree, and writes the receipt before it reports [B9] [X11]',
    },
  },
  {
    id: 'result-read-late-lost',
    breaks: 'A session that finished as its driver died is paid for again.',
    file: 'src/runtime/session-host/conversation.ts',
    symbol: 'conclude',
    find: "if (state.cause?.kind === 'cancelled' && result.kind === 'finished') state.cause = null;",
    replace: '',
    test: {
      file: 'src/runtime/session-host/host-session.test.ts',
      title: 'A result that is read only after the driver is gone still counts as finished [D4]',
    },
  },
  {
    id: 'result-takes-back-limit',
    breaks: 'A session that hit its limit is reported as finished.',
    file: 'src/runtime/session-host/conversation.ts',
    symbol: 'conclude',
    find: "if (state.cause?.kind === 'cancelled' && ",
    replace: 'if (',
    test: {
      file: 'src/runtime/session-host/host-session.test.ts',
      title: 'A limit that was hit first is not overridden by a result that is read later [Q6]',
    },
  },
  {
    id: 'over-limit-ignored',
    breaks: 'A session spends more than was reserved for it.',
    file: 'src/runtime/session-host/conversation.ts',
    symbol: 'read',
    find: 'if (limit !== null) end(',
    replace: 'if (limit !== null && limit !== "usd" && limit !== "tokens") end(',
    test: {
      file: 'src/runtime/session-host/host-session.test.ts',
      title: 'A session that exceeds its %s reserve is ended, and reports what it used [X1]',
    },
  },
  {
    id: 'wrap-up-not-asked',
    breaks: 'A session is killed at its time limit without a chance to finish.',
    file: 'src/runtime/session-host/limits.ts',
    symbol: 'createLimits',
    find: 'session.send(wrapUpRequest).catch(() => {});',
    replace: '',
    test: {
      file: 'src/runtime/session-host/host-session.test.ts',
      title: 'A session gets a request to wrap up, then the grace period, then is ended [Q6]',
    },
  },
  {
    id: 'tool-call-not-open',
    breaks: 'A long build is killed as silence.',
    file: 'src/runtime/session-host/limits.ts',
    symbol: 'createLimits',
    find: "if (event.type === 'tool-call') openCalls.add(event.id);\n      else if",
    replace: 'if',
    test: {
      file: 'src/runtime/session-host/host-session.test.ts',
      title: 'A silent session is ended, but not while a tool call is open [Q6]',
    },
  },
  {
    id: 'unknown-usage-zero',
    breaks: 'A client that reports no usage costs nothing.',
    file: 'src/runtime/session-host/outcome-of-session.ts',
    symbol: 'usageOf',
    find: 'if (!reportsUsage) return unknownUsage;',
    replace: 'if (!reportsUsage) return { usd: 0, tokens: 0 };',
    test: {
      file: 'src/runtime/session-host/host-session.test.ts',
      title: 'The usage of a client that never reports it is unknown, not zero [X1]',
    },
  },
  {
    id: 'early-steers-lost',
    breaks: 'A message to a session that is just starting is lost.',
    file: 'src/runtime/session-host/conversation.ts',
    symbol: 'createConversation',
    find: 'else if (session === null) early.push(steer);',
    replace: 'else if (session === null) return;',
    test: {
      file: 'src/runtime/session-host/host-session.test.ts',
      title: 'A session obeys kill, text and interrupt, also before the agent has started [Q5]',
    },
  },
  {
    id: 'log-failure-ignored',
    breaks: 'A session whose log cannot be written goes on unseen.',
    file: 'src/runtime/session-host/conversation.ts',
    symbol: 'log',
    find: "end({ kind: 'cancelled', reason: `its log could not be written: ${sentenceOf(error)}` }, 'no log');",
    replace: 'void end; void error;',
    test: {
      file: 'src/runtime/session-host/host-session.test.ts',
      title: 'A session whose log cannot be written is ended, and still leaves a receipt [X6]',
    },
  },
  {
    id: 'chatter-flood',
    breaks: 'A flooding agent floods the driver.',
    file: 'src/runtime/session-host/chatter.ts',
    symbol: 'createChatter',
    find: 'if (shown > eventsMax) return;',
    replace: '',
    test: {
      file: 'src/runtime/session-host/host-session.test.ts',
      title: 'The live output shows all of a quiet session and the newest part of a flood [B9]',
    },
  },
  {
    id: 'log-agent-ended-ignored',
    breaks: 'A finished session whose host was killed is paid for again.',
    file: 'src/adapters/sessions/log-reading.ts',
    symbol: 'endedLine',
    find: '(?:session|agent)-ended',
    replace: '(?:session)-ended',
    test: {
      file: 'src/adapters/sessions/log-reading.test.ts',
      title: 'A log read after a crash gives its last message, of the session or at least of the agent [D1]',
    },
  },
  {
    id: 'log-other-step',
    breaks: 'The end of another session is taken for this one.',
    file: 'src/adapters/sessions/log-reading.ts',
    symbol: 'find',
    find: "line['stepId'] === stepId ? parseSessionResult",
    replace: 'stepId.length > 0 ? parseSessionResult',
    test: {
      file: 'src/adapters/sessions/log-reading.test.ts',
      title:
        'A log read after a crash ignores other steps, torn or damaged lines, and text that the agent only printed [D1]',
    },
  },
  {
    id: 'log-last-block-only',
    breaks: 'The usage of a session that printed much is unknown.',
    file: 'src/adapters/sessions/log-reading.ts',
    symbol: 'lastOf',
    find: 'end > 0; end -= blockBytes',
    replace: 'end === size && size > 0; end -= blockBytes',
    test: {
      file: 'src/adapters/sessions/log-reading.test.ts',
      title: 'A log read after a crash gives the newest usage, however much came after it [X1]',
    },
  },
  {
    id: 'agent-end-not-synced',
    breaks: 'A power loss forgets that an agent has finished.',
    file: 'src/adapters/sessions/log-file.ts',
    symbol: 'createLogFile',
    find: "if (line.type === 'agent-ended') fdatasyncSync(descriptor);",
    replace: '',
    test: {
      file: 'src/adapters/sessions/log-sync.test.ts',
      title: 'The end of the agent is synced when it is written, and the output of the agent is not [D4]',
    },
  },
  {
    id: 'usage-lost-free',
    breaks: 'A session that was killed before it reported costs nothing.',
    file: 'src/adapters/sessions/log-reading.ts',
    symbol: 'silentUsage',
    find: ': null;\n',
    replace: ': { usd: 0, tokens: 0 };\n',
    test: {
      file: 'src/adapters/sessions/log-reading.test.ts',
      title: 'A log read after a crash distinguishes unknown usage from none: a crash is never free [X1]',
    },
  },
  {
    id: 'peer-not-held-back',
    breaks: 'An agent that tells more than is read fills the memory of the session host.',
    file: 'src/agents/shared/json-rpc.ts',
    symbol: 'createPeer',
    find: "return handlers.onNotification(method, fieldsOf(message['params']));",
    replace: "return void handlers.onNotification(method, fieldsOf(message['params']));",
    test: {
      file: 'src/agents/shared/json-rpc.test.ts',
      title: 'A %s that is still being handled holds its sender back [B9]',
    },
  },
];
