// Rules for responses of a server and contents of a page.
import type { BrowserCheck, HttpCheck } from '#kernel/model/check.ts';
import type { RepositoryFacts } from './facts.ts';
import { ask, type Inference, understood } from './inference.ts';
import { matchWhole, patterns } from './match.ts';
import { isRoute } from './names.ts';
import type { Sentence, Token } from './sentence.ts';

const parts = {
  method: '(?:http )?(?<method>get|post|put|patch|delete|head|options)',
  noun: '(?:http )?(?:endpoint|route|url|path|page|address)',
  answers: 'returns|responds with|answers with|answers|gives|replies with|responds|yields|produces|serves',
  status:
    '(?:an? )?(?:http )?(?:status )?(?:code )?(?:of )?(?<status>[1-5]\\d\\d)(?: ok| not found| status| code| response| created| status code)*',
};

const answers = patterns(
  parts,
  '(?:{method} )?(?:request (?:to|on) )?(?:{noun} )?@route@(?: {noun})? (?:{answers}) (?:with )?{status}(?: (?:and|with) body (?:containing|contains|that contains) @text@)?',
  '(?:{method} )?(?:request (?:to|on) )(?:{noun} )?@route@ (?:{answers}) (?:with )?{status}',
  '(?:{noun} )@route@ (?:is reachable|is up|responds|answers)',
  '@route@ {noun} (?:is reachable|is up|responds|answers)',
);

const ui = {
  thing:
    '(?:(?:primary|submit|error|success|confirmation|warning|empty-state|page|main|footer|header|nav) )?(?:button|link|heading|title|message|label|text|banner|tab|badge|headline|menu item|placeholder|notice|tooltip)',
  says: 'labelled|labeled|with label|with text|saying|that says|reading|that reads|titled|called|with title|with',
  page: '(?<page>(?:(?:<\\d+>|(?!(?:response|request|http|email|auth|log|csv|table|file|help|man) )[a-z-]+) ){0,2}(?:page|screen|homepage|dashboard|sidebar|navbar))',
  seen: 'is visible|is shown|is displayed|appears|is present|exists|is rendered|can be seen',
  shows: 'shows|displays|contains|has',
};

const sights = patterns(
  ui,
  '{page} (?:{shows}) (?:{thing} )?(?:(?:{says}) )?@text@(?: {thing})?',
  '(?:{thing} )(?:(?:{says}) )?@text@ (?:{seen})(?: (?:on|in|at|inside) {page})?',
  '@text@ {thing} (?:{seen})(?: (?:on|in|at|inside) {page})?',
  '@text@ (?:{seen}) (?:on|in|at|inside) {page}',
  'there is {thing} (?:(?:{says}) )?@text@ (?:on|in|at|inside) {page}',
  'on {page} ?,? there is {thing} (?:(?:{says}) )?@text@',
  'on {page} ?,? there is @text@ {thing}',
  'there is @text@ {thing} (?:on|in|at|inside) {page}',
  '(?:users?|visitors?|customers?|one) (?:sees?|can see) (?:{thing} )?(?:(?:{says}) )?@text@(?: {thing})? (?:on|in|at) {page}',
);

export function inferAnswer(sentence: Sentence, facts: RepositoryFacts): Inference | null {
  const found = matchWhole(sentence, answers);
  const route = found === null ? null : routeOf(found.token('route'), found.word('method'));
  if (found === null || route === null) return null;
  if (route.method !== 'get') return ask(`only GET is asked by a check, not ${route.method.toUpperCase()}`);
  if (facts.serve === null) return ask("nothing in the repository's files says how its server is started");
  const isWhole = route.path.startsWith('http');
  const check: HttpCheck = {
    kind: 'http',
    url: isWhole ? route.path : `http://127.0.0.1:{port}${route.path}`,
    status: Number(found.word('status') ?? '200'),
    contains: found.token('text')?.text ?? null,
    serve: facts.serve,
    cwd: '',
    timeoutMs: facts.timeoutMs,
  };
  const why = `it names ${route.path} and its answer; \`${facts.serve}\` must listen on PORT`;
  return suggested(understood([check], 0.75, why));
}

function routeOf(token: Token | null, method: string | null): { method: string; path: string } | null {
  const [, inside, path = ''] =
    /^(?:(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s+)?(\S+)$/.exec(token?.text ?? '') ?? [];
  return isRoute(path) ? { method: (inside ?? method ?? 'get').toLowerCase(), path } : null;
}

export function inferSight(sentence: Sentence, facts: RepositoryFacts): Inference | null {
  const found = matchWhole(sentence, sights);
  const text = found?.token('text') ?? null;
  if (found === null || text === null || !text.isQuoted || text.isCode) return null;
  if (!facts.hasPages || facts.serve === null) return null;
  const url = `http://127.0.0.1:{port}${addressOf(found.word('page') ?? '', sentence)}`;
  const check: BrowserCheck = {
    kind: 'browser',
    look: { kind: 'page', url, selector: 'body', text: text.text },
    serve: facts.serve,
    cwd: '',
    timeoutMs: facts.timeoutMs,
  };
  const why = 'it says what is seen on a page; the address of that page and how it is reached are guessed';
  return suggested(understood([check], 0.5, why));
}

/** "checkout page" is guessed to be /checkout. */
function addressOf(page: string, { tokens }: Sentence): string {
  const route = /<(\d+)>/.exec(page)?.[1];
  const named = route === undefined ? null : (tokens[Number(route)]?.text ?? null);
  if (named !== null) return isRoute(named) ? named : `/${named.replace(/Page$/, '').toLowerCase()}`;
  const words = page
    .replace(/ ?(?:page|screen)$/, '')
    .split(' ')
    .filter((word) => word !== '');
  const isHome =
    words.length === 0 ||
    /^(?:home|homepage|main|landing|start|index|front|sidebar|navbar)$/.test(words.join(' '));
  return isHome ? '/' : `/${words.join('-')}`;
}

function suggested(inference: Inference): Inference {
  return inference.kind === 'checks' ? { ...inference, isSuggestion: true } : inference;
}
