// Decides which inbox requests are trusted: a decision only from the living process that asks for it.
import { startCollecting, type Collected, type Judge } from './collect.ts';
import { isDecision, unprovenPrefix, type ControlRequest } from '#kernel/events/control.ts';
import type { Arrival } from '#ports/inbox.ts';
import { parseControlRequest, type WrittenRequest } from '#kernel/events/control-schema.ts';

/** Null for a request that is not worth recording. */
export type Receive = (written: WrittenRequest) => Promise<Arrival | null>;

/** Characters; an untrusted decision is kept for a person to read, if it is not too long. */
const doubtedMax = 20_000;

export interface Reception {
  begin(): Receive;
  /** Reports to the process that the journal has its request. */
  settle(id: string): void;
}

export function createReception(judge: Judge): Reception {
  const waiting = new Map<string, Exclude<Collected, { readonly doubt: string }>>();
  const begin = (): Receive => {
    const collect = startCollecting(judge);
    return async ({ from, ...request }) => {
      if (!isDecision(request.control)) return request;
      if (from === null) return doubted(request, writtenByAnybody, unproven(request));
      const collected = await collect(from);
      if ('doubt' in collected) return doubted(request, collected.doubt, request.id);
      const handed = parseControlRequest(collected.text);
      if (handed === null) {
        collected.drop();
        return doubted(request, 'the request is not a valid control', request.id);
      }
      const { id, by, control } = handed;
      waiting.set(id, collected);
      return { id, by, control };
    };
  };
  return {
    begin,
    settle: (id) => {
      waiting.get(id)?.settle();
      waiting.delete(id);
    },
  };
}

const writtenByAnybody =
  'it came as a file in the inbox, which an agent could have written; a decision must come from a running command';

/** Under another id, so that no process can use up the id of a pending decision. */
function doubted(request: ControlRequest, reason: string, claimedId: string): Arrival | null {
  if (JSON.stringify(request).length > doubtedMax) return null;
  const by = `an unknown process that claims to be ${request.by}`;
  return { id: unproven(request), by, control: request.control, doubt: { reason, claimedId } };
}

function unproven({ id }: ControlRequest): string {
  return `${unprovenPrefix}${id}`;
}
