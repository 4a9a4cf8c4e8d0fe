// A small project, the plans that an architect makes for it, and the work of each task: shared by all agents that
// play it.
export const goal =
  'Text statistics: count words and lines, name the most used words, all from the command line';

/** Must hold in the end, and never turn red on the way. */
export const goalCheck = 'node test/words.test.js';

export const projectFiles: { readonly [path: string]: string } = {
  'package.json': '{"name": "wordkit", "type": "module", "scripts": {"test": "node --test"}}\n',
  'README.md': '# wordkit\n',
  'src/words.js': 'export function words(text) {\n  return text.split(/\\s+/).filter(Boolean);\n}\n',
  'test/words.test.js':
    "import assert from 'node:assert/strict';\nimport { words } from '../src/words.js';\nassert.deepEqual(words(' a  b '), ['a', 'b']);\n",
};

export interface Asked {
  readonly role: string;
  readonly prompt: string;
}

/** What a session does to the files, and its final message. It depends on the prompt alone: a repeated session does the same. */
export function answerTo({ role, prompt }: Asked): {
  readonly files: { readonly [path: string]: string };
  readonly says: string;
} {
  if (role === 'architect') return { files: {}, says: `<plan>\n${JSON.stringify(planFor(prompt))}\n</plan>` };
  if (role === 'reflector')
    return { files: {}, says: `<reflection>${JSON.stringify(reflect(prompt))}</reflection>` };
  const title = /^## Task: (.*)$/m.exec(prompt)?.[1]?.trim() ?? '';
  const attempt = Number(/attempt (\d+)/.exec(prompt)?.[1] ?? 0);
  return { files: workOf(title, attempt), says: 'Done.\n\n===TASK_COMPLETE===' };
}

function reflect(prompt: string): object {
  const isDrifting = prompt.includes('(4 of 8)') && prompt.includes('T7: A word game');
  return isDrifting
    ? { aligned: false, reason: 'nobody asked for a game' }
    : { aligned: true, reason: 'it serves the goal' };
}

interface PlannedTask {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly dependsOn: readonly string[];
  readonly creates?: readonly string[];
  readonly exitCriteria: readonly { readonly text: string; readonly check: unknown }[];
}

function planFor(prompt: string): object {
  if (prompt.includes('T5 failed')) {
    return {
      summary: 'only Latin letters are folded',
      tasks: [docs, notes, json, latin],
      dropped: [{ id: 'T5', why: 'the whole of Unicode is too much' }],
    };
  }
  if (prompt.includes('DRIFT DETECTED')) {
    return {
      summary: 'no game',
      tasks: [fold, docs, notes, json],
      dropped: [{ id: 'T7', why: 'nobody asked for a game' }],
    };
  }
  const isSecond = prompt.includes('in a circle: T1 → T2 → T1');
  const first = isSecond ? count : { ...count, dependsOn: ['T2'] };
  return { summary: 'from the inside out', tasks: [first, top, lines, cli, fold, docs, game, notesOnGame] };
}

/** A module and one thing that it must say. */
function says(path: string, name: string, claim: string): { readonly text: string; readonly check: string } {
  const load = `import('./${path}').then(({ ${name} }) => process.exit(${claim} ? 0 : 1))`;
  return { text: `${name} of ${path} answers right`, check: `node -e "${load}"` };
}

function moduleTask(
  id: string,
  title: string,
  dependsOn: readonly string[],
  [path, name, claim]: readonly [string, string, string],
): PlannedTask {
  return {
    id,
    title,
    description: `${title}: the module ${path} exports ${name}.`,
    dependsOn,
    creates: [path],
    exitCriteria: [says(path, name, claim)],
  };
}

function textTask(id: string, title: string, dependsOn: readonly string[], check: string): PlannedTask {
  const exitCriteria = [{ text: `${title}: it stands there`, check }];
  return { id, title, description: `${title}.`, dependsOn, exitCriteria };
}

const count = moduleTask('T1', 'Count words', [], ['src/count.js', 'count', "count('a b') === 2"]);
const top = moduleTask('T2', 'Most used words', ['T1'], ['src/top.js', 'top', "top('b a b') === 'b'"]);
const lines = moduleTask('T3', 'Count lines', [], ['src/lines.js', 'lines', "lines('a') === 1"]);
const cli = moduleTask(
  'T4',
  'The command line',
  ['T1', 'T2', 'T3'],
  ['src/cli.js', 'main', "main('a b') === '2 words, 1 lines, most: a'"],
);
const fold = moduleTask('T5', 'Fold letters', ['T1'], ['src/fold.js', 'fold', "fold('\u00e9') === 'e'"]);
const latin = moduleTask(
  'T5b',
  'Fold Latin letters',
  ['T1'],
  ['src/fold.js', 'fold', "fold('\u00e9') === 'e'"],
);
const docs: PlannedTask = {
  ...textTask('T6', 'Write how to use it', ['T4'], 'grep -q Usage README.md'),
  exitCriteria: [
    { text: 'README.md says how to use it', check: 'grep -q Usage README.md' },
    { text: 'README.md is kind to its reader', check: 'human' },
  ],
};
const game = textTask('T7', 'A word game', ['T4'], 'test -f src/game.js');
const notesOnGame = textTask('T8', 'Notes on the game', ['T6', 'T7'], 'grep -q game NOTES.md');
const notes = textTask('T8', 'Notes on the release', ['T6'], 'grep -q release NOTES.md');
const json = moduleTask('T9', 'Answer in JSON', ['T4'], ['src/json.js', 'json', "json('a').length === 11"]);

const every = moduleTask('F1', 'Fold every letter', [], ['src/every.js', 'every', "every('\u00e9') === 'e'"]);
const thanks = textTask('F3', 'Say thanks', [], 'grep -q Thanks README.md');

/** A person's own plan for later: its first task is impossible, and the second one depends on it. */
export const followUp = {
  goal: 'Every letter, and thanks',
  tasks: [every, textTask('F2', 'Tell of every letter', ['F1'], 'grep -q every NOTES.md'), thanks],
};

function workOf(title: string, attempt: number): { readonly [path: string]: string } {
  const work: { readonly [title: string]: { readonly [path: string]: string } } = {
    'Count words': {
      'src/count.js':
        "import { words } from './words.js';\nexport const count = (text) => words(text).length;\n",
    },
    'Most used words': {
      'src/top.js':
        "import { words } from './words.js';\nexport function top(text) {\n  const seen = new Map();\n  for (const word of words(text)) seen.set(word, (seen.get(word) ?? 0) + 1);\n  return [...seen].sort((a, b) => b[1] - a[1])[0]?.[0] ?? '';\n}\n",
    },
    'Count lines': { 'src/lines.js': "export const lines = (text) => text.split('\\n').length;\n" },
    'The command line': {
      'src/cli.js':
        "import { count } from './count.js';\nimport { lines } from './lines.js';\nimport { top } from './top.js';\nexport const main = (text) => `${count(text)} words, ${lines(text)} lines, most: ${top(text)}`;\n",
    },
    // Another idea each time, and never the right one.
    'Fold letters': { 'src/fold.js': `export const fold = (text) => text + ${attempt};\n` },
    'Fold every letter': { 'src/every.js': `export const every = (text) => text + ${attempt};\n` },
    'Say thanks': { 'README.md': '# wordkit\n\nThanks.\n' },
    'Fold Latin letters': {
      'src/fold.js':
        "export const fold = (text) => text.normalize('NFD').replace(/[\\u0300-\\u036f]/g, '');\n",
    },
    'Write how to use it': { 'README.md': '# wordkit\n\nUsage: give it a text.\n' },
    'A word game': { 'src/game.js': 'export const game = 1;\n' },
    'Notes on the release': { 'NOTES.md': 'The first release.\n' },
    'Answer in JSON': {
      'src/json.js':
        "import { count } from './count.js';\nexport const json = (text) => JSON.stringify({ count: count(text) });\n",
    },
  };
  return work[title] ?? {};
}
