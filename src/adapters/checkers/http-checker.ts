// Decides a criterion by the answer of a URL, and starts a server for it if the check has `serve`.
import type { HttpCheck } from '#kernel/model/check.ts';
import type { CheckRequest } from '#ports/checker.ts';
import { firstAnswer, wrongSpeaker, missedAnswer } from './first-answer.ts';
import { bodyBytesMax, type HttpAnswer } from './http-answer.ts';
import { endedWords, startServed, type Served } from './served.ts';
import { findingOf, type CheckTools, type UntimedFinding } from './tools.ts';

export async function checkHttp(
  request: CheckRequest,
  check: HttpCheck,
  tools: CheckTools,
): Promise<UntimedFinding> {
  const served = await startServed(request, check, tools);
  if ('problem' in served) return findingOf('unknown', served.problem);
  try {
    const found = await judgeAnswer(request, { check, served, answer: await firstAnswer(served) }, tools);
    const { tail, ending } = await served.stop();
    const parts = [found.tail, tail].filter((part) => part !== '');
    return { ...found, ending, tail: parts.join('\n') };
  } finally {
    await served.stop();
  }
}

interface Reply {
  readonly check: HttpCheck;
  readonly served: Served;
  readonly answer: HttpAnswer;
}

async function judgeAnswer(
  request: CheckRequest,
  { check, served, answer }: Reply,
  tools: CheckTools,
): Promise<UntimedFinding> {
  if (request.signal.aborted) return findingOf('unknown', 'cancelled');
  const ending = served.ended();
  if (ending !== null)
    return findingOf(ending.kind === 'not-started' ? 'unknown' : 'fail', endedWords(ending));
  if (answer.kind !== 'answered')
    return missedAnswer(served, answer, `${Math.round(check.timeoutMs / 100) / 10} s`);
  return judgeContent(check, served, answer, { mark: request.mark, since: tools.since });
}

async function judgeContent(
  check: HttpCheck,
  served: Served,
  answer: HttpAnswer & { kind: 'answered' },
  speaker: { readonly mark: string; readonly since: number },
): Promise<UntimedFinding> {
  const { status, location, body } = answer;
  const excerpt = body.slice(0, 1000);
  if (status !== check.status) {
    const way =
      location === null ? '' : `, a redirect to ${location.slice(0, 200)} (redirects are not followed)`;
    return findingOf('fail', `answers ${status}${way}, not ${check.status}`, excerpt);
  }
  if (check.contains !== null && !body.includes(check.contains)) {
    const limit = body.length >= bodyBytesMax ? `the first ${bodyBytesMax / 1024 / 1024} MB of ` : '';
    return findingOf(
      'fail',
      `${limit}the answer does not contain ${JSON.stringify(check.contains)}`,
      excerpt,
    );
  }
  const problem = await wrongSpeaker(served, answer.from, speaker.mark, speaker.since);
  return problem ?? findingOf('pass', `answers ${status}${check.contains === null ? '' : ' with that text'}`);
}
