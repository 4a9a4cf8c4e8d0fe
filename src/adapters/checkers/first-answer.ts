// Waits for the first HTTP answer and checks which program gave it.
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, type HttpAnswer } from './http-answer.ts';
import { isThisMachine } from './port-in-use.ts';
import { leftoverProblem, strangerProblem } from './port-owner.ts';
import { portOf, type Served } from './served.ts';
import { findingOf, type UntimedFinding } from './tools.ts';

const pauseMs = 100;
/** A starting server may accept connections before it can serve. */
const notReady = new Set([502, 503, 504]);

/** The first real answer decides: waiting for a better one would hide intermittent failures. */
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

/** Explains a missing answer; `within` is how long we waited. */
export function missedAnswer(
  { url }: Served,
  answer: Exclude<HttpAnswer, { readonly kind: 'answered' }>,
  within: string,
): UntimedFinding {
  switch (answer.kind) {
    case 'silent':
      return findingOf('fail', `no answer within ${within}`);
    case 'refused':
      return findingOf('fail', `nothing listens at ${url.host} (${answer.code})`);
    case 'broken':
      return findingOf('fail', `${url.host} gives no answer: ${answer.problem}`);
  }
}

/** Null when the right program answered, or when the answer came from another machine. */
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
  return problem === null ? null : findingOf('unknown', problem);
}
