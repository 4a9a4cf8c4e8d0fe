// Runs every bad input and compares the answers with the table in the guide.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Finished } from '../package.ts';
import type { Place } from '../place.ts';
import { makePlace, runFolders } from '../place.ts';
import { type BadInput, badInputs, work } from './bad-inputs.ts';
import { plain } from './plain.ts';

interface Answer {
  readonly input: BadInput;
  readonly says: string;
  readonly hint: string;
  readonly flaws: readonly string[];
}

it('Each bad input is refused with the message and hint of the guide, before a session is paid [X6] [X3] [B2] [B10]', async () => {
  const groups: { title: string; answers: Answer[] }[] = [];
  for (const { title, inputs } of badInputs) {
    const answers: Answer[] = [];
    for (const input of inputs) answers.push(await answerTo(input));
    groups.push({ title, answers });
  }
  const answers = groups.flatMap((group) => group.answers);
  expect(answers.filter(({ flaws }) => flaws.length > 0)).toEqual([]);
  expect(answers.length).toBeGreaterThanOrEqual(60);
  await expect(page(groups)).toMatchFileSnapshot('../../../docs/guide/bad-inputs.md');
});

async function answerTo(input: BadInput): Promise<Answer> {
  const place = makePlace(input.place);
  if (input.config !== undefined) place.write('repo/.untildone/config.jsonc', input.config);
  const extra = input.prepare?.(place) ?? {};
  const finished = await place.untildone(input.args, { env: { ...input.env, ...extra } });
  const [says = '', hint = ''] = plain(place, finished.stderr).trimEnd().split('\nHint: ');
  return { input, says, hint, flaws: flawsOf(place, finished, says, hint) };
}

function flawsOf(place: Place, { stdout, stderr, code }: Finished, says: string, hint: string): string[] {
  const found: { readonly [flaw: string]: boolean } = {
    [`exits with ${code}`]: code !== 2,
    'says nothing': says === '',
    'gives no hint': hint === '',
    'says more than a few lines': stderr.split('\n').length > 5,
    'shows a stack': /\n\s+at .*:\d+|bug in untildone/.test(stderr),
    [`prints ${JSON.stringify(stdout)}`]: stdout !== '',
    'began a run': runFolders(place).length > 0,
    'left a branch': isRepository(place) && place.git('branch', '--list', 'untildone/*') !== '',
  };
  return Object.keys(found).filter((flaw) => found[flaw]);
}

function isRepository(place: Place): boolean {
  return existsSync(join(place.repo, '.git'));
}

function page(groups: readonly { title: string; answers: readonly Answer[] }[]): string {
  return [
    '# Bad inputs',
    '',
    'Wrong commands, settings and places, each with the answer of the program. All of them exit with code 2 before anything is paid. A test runs each of them and writes this page.',
    ...groups.flatMap(({ title, answers }) => [
      '',
      `## ${title}`,
      '',
      '| You give | Untildone says | The way on |',
      '| --- | --- | --- |',
      ...answers.map(({ input, says, hint }) => `| ${given(input)} | ${cell(says)} | ${cell(hint)} |`),
    ]),
    '',
  ].join('\n');
}

function given({ args, env = {}, given: about, config }: BadInput): string {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const words = args === work ? ['run …'] : args.map((word) => quoted(word));
  const command = code([...variables, 'untildone', ...words].join(' '));
  if (about !== undefined) return `${about}: ${command}`;
  return config === undefined ? command : `${code(config)} in .untildone/config.jsonc`;
}

function quoted(word: string): string {
  return /^[\w./:=-]+$/.test(word) ? word : `"${word.replaceAll('"', '\\"')}"`;
}

function code(text: string): string {
  return `\`${cell(text).replaceAll('`', "'")}\``;
}

function cell(text: string): string {
  return text.replaceAll('\n', ' ').replaceAll('|', '\\|').trim();
}
