// Parses the text after /untildone:start: the goal and the flags of its run.
import type { RunFlags } from '#config/setting-table.ts';
import { OperatorError } from '#base/operator-error.ts';
import { splitWords } from './split-words.ts';

/** Words that are no options are the goal. */
export function readWish(text: string): { readonly goal: string; readonly flags: RunFlags } {
  const goal: string[] = [];
  const flagValues = new Map<string, string[]>();
  let acceptReview: boolean | undefined;
  let allowRoot = false;
  const words = splitWords(text);
  for (let at = 0; at < words.length; at += 1) {
    const { text: word = '', isQuoted } = words[at] ?? { isQuoted: true };
    const name = isQuoted ? undefined : takes[word];
    const isReview = isQuoted ? undefined : reviews[word];
    if (!isQuoted && word === '--allow-root') {
      allowRoot = true;
      continue;
    }
    if (isReview !== undefined) {
      acceptReview = isReview;
      continue;
    }
    if (name === undefined && !isQuoted && word.startsWith('--')) throw unknownOption(word);
    if (name === undefined) goal.push(word);
    else flagValues.set(name, [...(flagValues.get(name) ?? []), words[(at += 1)]?.text ?? '']);
  }
  const [taskFile] = flagValues.get('taskFile') ?? [];
  if (goal.length === 0 && taskFile === undefined)
    throw new OperatorError('no-goal', 'The goal is missing.', example);
  const agents = (flagValues.get('agent') ?? []).map((one) => (one.includes('=') ? one : `verifier=${one}`));
  const [verifier] = flagValues.get('verifier') ?? [];
  const hasVerifier = verifier !== undefined || agents.some((one) => one.startsWith('verifier='));
  const flags: RunFlags = {
    preset: flagValues.get('preset')?.[0] ?? 'criteria',
    // The builder is the session itself; a requested reviewer is a session of ours.
    agent: ['builder=interactive', ...agents, ...(hasVerifier ? [] : ['verifier=interactive'])],
    inPlace: true,
    ...(flagValues.has('check') ? { check: flagValues.get('check') ?? [] } : {}),
    ...(flagValues.has('mayChange') ? { mayChange: flagValues.get('mayChange') ?? [] } : {}),
    ...(taskFile === undefined ? {} : { taskFile }),
    ...(acceptReview === undefined ? {} : { acceptReview }),
    ...(verifier === undefined ? {} : { verifier }),
    ...(allowRoot ? { allowRoot } : {}),
  };
  return { goal: goal.join(' '), flags };
}

const takes: { readonly [option: string]: string | undefined } = {
  '--check': 'check',
  '--task-file': 'taskFile',
  '--may-change': 'mayChange',
  '--preset': 'preset',
  '--agent': 'agent',
  '--verifier': 'verifier',
};

const reviews: { readonly [option: string]: boolean | undefined } = {
  '--accept-review': true,
  '--no-accept-review': false,
};

const example =
  'For example: /untildone:start "add a --version flag" --check "node cli.js --version | grep 1.0"';

function unknownOption(word: string): OperatorError {
  return new OperatorError(
    'usage',
    `/untildone:start has no option ${word}.`,
    `It has ${[...Object.keys({ ...takes, ...reviews }), '--allow-root'].join(', ')}. ${example}`,
  );
}
