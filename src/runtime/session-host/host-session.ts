// Hosts one session from order to receipt, because a stopped or killed driver cannot keep it.
import { basename } from 'node:path';
import { isConversationGone } from '#kernel/model/ending.ts';
import type { SessionEnding } from '#kernel/model/ending.ts';
import type { SessionResult, Steer } from '#kernel/model/step.ts';
import type { HostOrder, LogLine } from '#ports/session-host.ts';
import { createConversation } from './conversation.ts';
import type { Conversation } from './conversation.ts';
import { firstLine, markOf } from './host-world.ts';
import type { HostWorld } from './host-world.ts';
import { redactEnding } from './redact-events.ts';
import { endingOf, sentenceOf, usageOf } from './outcome-of-session.ts';

export interface HostedSession {
  /** Settles when the receipt is on disk; rejects only if it could not be written. */
  readonly ended: Promise<SessionResult>;
  steer(steer: Steer): void;
  /** The driver's end of the pipe closed. */
  driverLeft(): void;
}

/** How long reading the tree may take before the session ends without it. */
const snapshotMsMax = 300_000;

export function hostSession(order: HostOrder, world: HostWorld): HostedSession {
  const conversation = createConversation(order, world);
  return {
    ended: live(order, world, conversation),
    steer: (steer) => conversation.steer(steer),
    driverLeft: () => {
      const reason = 'the driver ended';
      conversation.end({ kind: 'cancelled', reason }, reason);
    },
  };
}

async function live(order: HostOrder, world: HostWorld, conversation: Conversation): Promise<SessionResult> {
  const { deed, stepId } = order.step;
  const { state } = conversation;
  let driver = order.agent.driver;
  let reportsUsage = false;
  let startProblem: SessionEnding | null = null;
  const resultNow = (): SessionResult => {
    const ending = state.cause ?? startProblem ?? endingOf(state, deed.resume !== null);
    return {
      kind: 'session',
      ending: redactEnding(ending, world.redactor),
      signal: conversation.signal(),
      usage: usageOf({ ...state, reportsUsage, last: state.result?.usage ?? null, newest: state.usage }),
      endTree: null,
      log: basename(order.logFile),
      ran: { driver, model: state.result?.model ?? deed.agent.model },
      ...(state.resumeId === null || isConversationGone(ending) ? {} : { resumeId: state.resumeId }),
    };
  };
  let isNoted = false;
  // Before anything slow: if we are killed from here on, the next driver adopts this line.
  const noteEnd = (): void => {
    if (!isNoted) writeLast(world, { at: world.now(), type: 'agent-ended', stepId, result: resultNow() });
    isNoted = true;
  };
  try {
    const agent = await world.createAgent();
    ({ driver, reportsUsage } = agent);
    const first = firstLine(order, agent, world.now());
    world.log.write({ ...first, prompt: world.redactor.redact(first.prompt) });
    await conversation.hold(agent, noteEnd);
  } catch (error) {
    startProblem = { kind: 'not-started', reason: sentenceOf(error) };
  }
  noteEnd();
  await world.processes.sweep(markOf(order));
  const endTree = await takeTree(order, world);
  return finish(order, world, { ...resultNow(), endTree });
}

async function finish(order: HostOrder, world: HostWorld, result: SessionResult): Promise<SessionResult> {
  const { stepId } = order.step;
  writeLast(world, { at: world.now(), type: 'session-ended', stepId, result });
  world.log.close();
  await world.saveReceipt({ stepId, epoch: order.epoch, result });
  world.send({ type: 'ended', result });
  return result;
}

/** The receipt repeats it: a disk that rejects a log line may still accept the receipt. */
function writeLast(world: HostWorld, line: LogLine): void {
  try {
    world.log.write(line);
  } catch {
    // No better fallback exists here.
  }
}

async function takeTree(order: HostOrder, world: HostWorld): Promise<string | null> {
  const tooLong = Promise.withResolvers<null>();
  const timer = setTimeout(() => tooLong.resolve(null), snapshotMsMax);
  const taken = async (): Promise<string | null> => {
    const tree = await world.snapshot();
    // A name below the step's: the tree from before the session is kept beside it.
    await world.keep(tree, `${order.step.stepId}/end`);
    return tree;
  };
  try {
    return await Promise.race([taken(), tooLong.promise]);
  } catch (error) {
    // The receipt is kept without a tree: the driver takes the tree, or parks the run until that works.
    const text = world.redactor.redact(`the files could not be taken: ${sentenceOf(error)}`);
    writeLast(world, { at: world.now(), type: 'notice', text });
    return null;
  } finally {
    clearTimeout(timer);
  }
}
