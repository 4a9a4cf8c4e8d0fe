// Waits until somebody answers, and asks who it was.
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, type HttpAnswer } from './http-answer.ts';
import { isThisMachine } from './knock.ts';
import { leftoverProblem, strangerProblem } from './port-owner.ts';
import { portOf, type Served } from './served.ts';
import { seen, type UntimedFinding } from './tools.ts';

const pauseMs = 100;
/** A server that starts may say so before it can serve. */
const notReady = new Set([502, 503, 504]);

/** The first real answer decides: waiting for a better one would hide that it fails now and then. */
export async function firstAnswer({ url, signal, pid }: Served): Promise<HttpAnswer> {
  for (;;) {
    const answer = await ask(url, signal);
    const isWaiting =
      answer.kind === 'refused' ||
      (answer.kind === 'answered' && notReady.has(answer.status) && pid !== null);
    if (!isWaiting || signal.aborted || (pid === null && answer.kind === 'refused')) return answer;
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Why there is none, in words; `within` is how long it was waited for. */
export function missedAnswer(
  { url }: Served,
  answer: Exclude<HttpAnswer, { readonly kind: 'answered' }>,
  within: string,
): UntimedFinding {
  switch (answer.kind) {
    case 'silent':
      return seen('fail', `no answer within ${within}`);
    case 'refused':
      return seen('fail', `nothing listens at ${url.host} (${answer.code})`);
    case 'broken':
      return seen('fail', `${url.host} gives no answer: ${answer.problem}`);
  }
}

/** An answer counts when the right program gave it. */
export async function wrongSpeaker(
  served: Served,
  from: string,
  mark: string,
  since: number,
): Promise<UntimedFinding | null> {
  if (!isThisMachine(from)) return null;
  const port = portOf(served.url);
  const problem =
    served.pid === null ? await leftoverProblem(port, since) : await strangerProblem(port, served.pid, mark);
  return problem === null ? null : seen('unknown', problem);
}
