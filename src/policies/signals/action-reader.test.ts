import { describe, expect, it } from 'vitest';
import type { ActionReport } from '#kernel/actions/action.ts';
import { renderActionReport } from '#test/signals/render-action-report.ts';
import { createActionReader } from './action-reader.ts';
import type { ActionReading } from './report-of.ts';
import { actionFormat } from './action-format.ts';

const tool = Symbol('tool');
type Said = string | typeof tool;

function read(...said: readonly Said[]): ActionReading {
  const reader = createActionReader();
  for (const one of said) {
    if (one === tool) reader.onToolCall();
    else reader.onText(one);
  }
  return reader.end();
}

const report: ActionReport = {
  action: 'DEVELOP',
  status: 'success',
  message: 'Added the parser.',
  stateUpdates: { tasks: [{ id: 't1', title: 'parse', status: 'done' }] },
  filesUpdated: ['src/parse.ts', 'src/parse.test.ts'],
  menuOptions: '',
  next: 'VALIDATE',
};
const block = `ACTION_RESULT:
- action: DEVELOP
- status: success
- message: Added the parser.
- state_updates: {"tasks":[{"id":"t1","title":"parse","status":"done"}]}

FILES_UPDATED:
- src/parse.ts
- src/parse.test.ts

NEXT_ACTION_NEEDED: VALIDATE`;

const reported = { kind: 'report', report };

describe('An ACTION_RESULT block', () => {
  it('An ACTION_RESULT block is read with all of its fields, and a report is written in the same form [A2]', () => {
    expect(read(block)).toEqual(reported);
    expect(renderActionReport(report)).toBe(block);
  });

  it.each<[string, string]>([
    ['prose before and after it', `I am finished.\n\n${block}\n\nTell me what is next!`],
    ['a heading', block.replace('ACTION_RESULT:', '## ACTION_RESULT')],
    ['a bold heading', block.replace('ACTION_RESULT:', '**ACTION_RESULT:**')],
    ['a heading bold by underscores', block.replace('ACTION_RESULT:', '__ACTION_RESULT__:')],
    ['a heading in backticks', block.replace('ACTION_RESULT:', '`ACTION_RESULT`:')],
    ['bold keys', block.replaceAll(/^- (\w+):/gm, '- **$1**:')],
    ['bold keys with the colon inside', block.replaceAll(/^- (\w+):/gm, '- **$1:**')],
    ['bold fields', block.replace('- action: DEVELOP', '- **action: DEVELOP**')],
    ['keys and words in backticks', block.replaceAll(/^- (action|status): (\w+)/gm, '* `$1`: `$2`')],
    ['asterisks as bullets', block.replaceAll(/^- /gm, '* ')],
    ['dots as bullets', block.replaceAll(/^- /gm, '• ')],
    ['numbers as bullets', block.replaceAll(/^- (?=\w+:)/gm, '1. ')],
    ['no bullets', block.replaceAll(/^- (?=\w+:)/gm, '')],
    ['indented fields', block.replaceAll(/^- /gm, '   - ')],
    ['blank lines between the fields', block.replaceAll('\n', '\n\n')],
    ['keys in capitals', block.replaceAll(/^- (\w+):/gm, (line) => line.toUpperCase())],
    ['keys with blanks', block.replace('state_updates', 'State Updates')],
    ['equal signs', block.replaceAll(/^- (\w+): /gm, '- $1 = ')],
    ['words in lower case', block.replace('DEVELOP', 'develop').replace('VALIDATE', 'validate')],
    ['words in quotes with full stops', block.replace('DEVELOP', '"DEVELOP".')],
    ['a remark after a word', block.replace('- status: success', '- status: ✅ success (all tests pass)')],
    ['Windows line ends', block.replaceAll('\n', '\r\n')],
    ['colours', `\u001b[1m${block.replaceAll('action', '\u001b[32maction\u001b[0m')}\u001b[0m`],
    ['a title of a terminal before it', `\u001b]0;working\u0007${block}`],
    ['a code block around it', `\`\`\`\n${block}\n\`\`\``],
    ['a code block of tildes around it', `Done:\n~~~text\n${block}\n~~~\n\n`],
    ['a code block that is not closed', `\`\`\`text\n${block}`],
    ['a code block around the fields', block.replace('- action', '```\n- action').concat('\n```')],
    ['a code block that ends before the wish', `\`\`\`\n${block.replace('\n\nNEXT', '\n```\n\nNEXT')}`],
    ['quotation signs', block.replaceAll(/^/gm, '> ')],
    ['the indentation of code', block.replaceAll(/^/gm, '    ')],
    ['a first field on the line of the header', block.replace('RESULT:\n', 'RESULT: ')],
    ['a wish on the line after its name', block.replace('NEEDED: ', 'NEEDED:\n')],
    ['another wish before it', block.replace('FILES', 'NEXT_ACTION_NEEDED: DEBUG\n\nFILES')],
    ['descriptions of the files', block.replace('src/parse.ts\n', '`src/parse.ts` - the parser: new\n')],
    [
      'files as a JSON array',
      block.replace(/FILES[^N]+/, 'FILES_UPDATED: ["src/parse.ts", "src/parse.test.ts"]\n'),
    ],
    ['files with commas', block.replace(/FILES[^N]+/, 'FILES_UPDATED: src/parse.ts, src/parse.test.ts\n')],
  ])('An ACTION_RESULT block is read with %s [A2]', (_, text) => {
    expect(read(text)).toEqual(reported);
  });

  it.each<[string, string]>([
    ['several lines', JSON.stringify(report.stateUpdates, null, 2)],
    ['a code block', `\n\`\`\`json\n${JSON.stringify(report.stateUpdates, null, 2)}\n\`\`\``],
    ['a code block on the line of the key', `\`\`\`json\n${JSON.stringify(report.stateUpdates)}\n\`\`\``],
    ['backticks', `\`${JSON.stringify(report.stateUpdates)}\``],
    ['trailing commas', '{"tasks": [{"id": "t1", "title": "parse", "status": "done",},], }'],
    [
      'comments',
      '{ // the tasks\n"tasks": [ /* one, */ {"id":"t1","title":"parse","status":"done"}, // }\n] }',
    ],
    [
      'a comment before a closing bracket',
      '{"tasks":[{"id":"t1","title":"parse","status":"done", /* all */}]}',
    ],
    ['words after the object', `${JSON.stringify(report.stateUpdates)} (one task)`],
  ])('The JSON of state_updates is read with %s [A2]', (_, json) => {
    expect(read(block.replace(/\{.*\}/, () => json))).toEqual(reported);
    const fenced = block.replace(/\{.*\}/, () => json);
    expect(read(`\`\`\`\n${fenced}\n\`\`\`\n`)).toEqual(reported);
  });

  it('Braces, quotes, commas and comments inside of strings are text [A2]', () => {
    const odd = { 'a}': '{"\\', url: 'http://x/y, }', '//': '/* no */', list: [',]', '\u001b[31m'] };
    expect(read(renderActionReport({ ...report, stateUpdates: odd }))).toEqual({
      kind: 'report',
      report: { ...report, stateUpdates: odd },
    });
  });

  it.each([
    ['ok', 'success'],
    ['Done', 'success'],
    ['error', 'failed'],
    ['❌ FAILED: two tests', 'failed'],
    ['blocked', 'needs_input'],
    ['Needs input', 'needs_input'],
    ['needs-input', 'needs_input'],
  ])('The status %s is read as %s [A2]', (word, status) => {
    expect(read(block.replace('success', word))).toMatchObject({ report: { status } });
  });

  it('A field that a block leaves out has a default; a missing next action is NONE [A2]', () => {
    const short = 'ACTION_RESULT:\n- action: INIT\n- status: success';
    const expected: ActionReport = {
      action: 'INIT',
      status: 'success',
      message: '',
      stateUpdates: {},
      filesUpdated: [],
      menuOptions: '',
      next: 'NONE',
    };
    expect(read(short)).toEqual({ kind: 'report', report: expected });
    const none = `${short}\n- state_updates: none\nFILES_UPDATED: none\nNEXT_ACTION_NEEDED: n/a\n`;
    expect(read(none)).toEqual({ kind: 'report', report: expected });
  });

  it('A message has several lines, up to the next field; a field that the block has already is text [A2]', () => {
    const message = 'It fails:\n\n- status: 500 in `GET /`\n* action: none\n\n```\nlog\n```';
    const text = block.replace('Added the parser.', message);
    expect(read(text)).toMatchObject({ report: { ...report, message } });
  });

  it('A code block in a message is text, and one that is never closed hides no field [A2]', () => {
    const closed = block.replace(
      'Added the parser.',
      'See:\n```\nFILES_UPDATED: x.ts\nNEXT_ACTION_NEEDED: INIT\n```',
    );
    expect(read(closed)).toMatchObject({ report: { filesUpdated: report.filesUpdated, next: 'VALIDATE' } });
    const open = block.replace('Added the parser.', 'See:\n```js\nparse();');
    expect(read(open)).toMatchObject({ report: { ...report, message: 'See:\n```js\nparse();' } });
  });

  it('The choices of a menu are kept as they were written, also one that has the name of a field [A2]', () => {
    const menuOptions = '1. develop: go on\n2. status: show the state';
    const text = block.replace('NEXT', `MENU_OPTIONS:\n${menuOptions}\n\nNEXT`);
    expect(read(text)).toEqual({ kind: 'report', report: { ...report, menuOptions } });
  });

  it('A message loses terminal control characters, and is no longer than a question may be [A2]', () => {
    const text = renderActionReport({ ...report, message: `\u001b[2J${'x'.repeat(9000)}` });
    const reading = read(text);
    if (reading.kind !== 'report') throw new Error(`unexpected ${reading.kind}`);
    expect(reading.report.message).toBe('x'.repeat(4000));
  });
});

describe('A JSON object', () => {
  const object = {
    action: 'DEVELOP',
    status: 'success',
    message: 'Added the parser.',
    state_updates: report.stateUpdates,
    files_updated: report.filesUpdated,
    next_action_needed: 'VALIDATE',
  };
  const { next_action_needed: wish, ...inner } = object;

  it.each<[string, string]>([
    ['alone', JSON.stringify(object)],
    ['over several lines', `\n${JSON.stringify(object, null, 2)}\n`],
    ['in a code block', `\`\`\`json\n${JSON.stringify(object, null, 2)}\n\`\`\`\n`],
    ['with a trailing comma', JSON.stringify(object).replace(/\}$/, ',}')],
    ['under a key ACTION_RESULT', JSON.stringify({ ACTION_RESULT: inner, NEXT_ACTION_NEEDED: wish })],
    ['after the header', `All done.\nACTION_RESULT: ${JSON.stringify(object)}\nBye.`],
    [
      'after the header, with the wish below',
      `ACTION_RESULT:\n\`\`\`json\n${JSON.stringify(inner, null, 2)}\n\`\`\`\n\nNEXT_ACTION_NEEDED: VALIDATE`,
    ],
  ])('A JSON object with the fields of a report counts as a whole answer: %s [A2]', (_, text) => {
    expect(read(text)).toEqual(reported);
    expect(read('Let me look.', tool, text, tool)).toEqual(reported);
  });

  it('A JSON object of another kind, or with text around it, is no report [A2]', () => {
    expect(read('{"name":"x"}')).toEqual({ kind: 'none' });
    expect(read(`Here: ${JSON.stringify(object)}`)).toEqual({ kind: 'none' });
    expect(read(`${JSON.stringify(object)}\nis what I would say.`)).toEqual({ kind: 'none' });
  });

  it('A JSON object that is broken is named as such, and no earlier block counts instead [A2]', () => {
    expect(read(`${block}\n\nACTION_RESULT: {"action": "DEVELOP"`)).toEqual({
      kind: 'problems',
      problems: ['The JSON object after ACTION_RESULT has no closing brace.'],
    });
    expect(read('{"action": "DEVELOP", "status": }')).toMatchObject({
      kind: 'problems',
      problems: [expect.stringContaining('Your answer is a JSON object that is not valid JSON')],
    });
  });
});

describe('Which block counts', () => {
  const init = block.replace('DEVELOP', 'INIT');
  const actionOf = (reading: ActionReading): string =>
    reading.kind === 'report' ? reading.report.action : reading.kind;

  it('The last of several blocks counts [A2]', () => {
    expect(actionOf(read(`${init}\n\n${block}`))).toBe('DEVELOP');
    expect(actionOf(read(init, tool, block))).toBe('DEVELOP');
  });

  it('A block before a tool call counts if none follows it, and does not continue after the call [A2]', () => {
    expect(read(block, tool, 'I also updated the notes.')).toEqual(reported);
    expect(read('ACTION_RESULT:\n- action: INIT', tool, '- status: success')).toEqual({
      kind: 'problems',
      problems: ['status is missing; use one of success, failed, needs_input.'],
    });
  });

  it('A code block that is open at a tool call ends there [A2]', () => {
    expect(read('```js\ncode', tool, `${block}\n\nThat is all.`)).toEqual(reported);
  });

  it('An agent cannot write a tool call into its text [A2]', () => {
    expect(read(block.replace('\n- status', '\n\0\n- status'))).toEqual(reported);
  });

  it('A block that is quoted after the block of the agent changes nothing of it [A2]', () => {
    const other = `${init.replace('VALIDATE', 'STOPPED')}\nMENU_OPTIONS: x`;
    for (const sign of ['> ', '    ']) {
      const text = `${block}\n\nLike the example:\n${other.replaceAll(/^/gm, sign)}\nin the README.`;
      expect(read(text)).toEqual(reported);
    }
  });

  it('The format with its placeholders does not count after a block that was filled in [A2]', () => {
    expect(read(`${block}\n\nAs a reminder:\n${actionFormat()}`)).toEqual(reported);
    expect(read(`${block}\n\nACTION_RESULT:\n- action: DEVELOP | DEBUG\n- status: success`)).toEqual(
      reported,
    );
    expect(read(`${block}\n\nACTION_RESULT: see above\n`)).toEqual(reported);
  });

  it('A last block with an unknown action is a problem, although an earlier one is readable [A2]', () => {
    expect(read(`${block}\n\n${init.replace('INIT', 'DEPLOY')}`)).toEqual({
      kind: 'problems',
      problems: ['Unknown action "DEPLOY"; use one of INIT, DEVELOP, DEBUG, VALIDATE, COMPLETE.'],
    });
  });

  it.each<[string, string]>([
    ['a code block', `\`\`\`\n${block}\n\`\`\``],
    ['a code block in a list', `- \`\`\`text\n${block.replaceAll(/^/gm, '  ')}\n  \`\`\``],
    ['a code block inside another', `\`\`\`\`md\n\`\`\`\n${block}\n\`\`\`\nmore\n\`\`\`\``],
    ['quotation signs', block.replaceAll(/^/gm, '> ')],
    ['the indentation of code', block.replaceAll(/^/gm, '    ')],
  ])('A file that is printed with a block in %s takes no action [A2]', (_, quoted) => {
    const readme = `# The loop\n\nAgents answer like this:\n\n${quoted}\n\nThat is all.\n`;
    expect(read(readme)).toMatchObject({
      kind: 'problems',
      problems: [expect.stringContaining('counts as quoted')],
    });
    expect(actionOf(read(`${readme}\n${init}`))).toBe('INIT');
    expect(actionOf(read(`${init}\n\n${readme}`))).toBe('INIT');
    expect(read(quoted, tool, 'Now the tests.')).toMatchObject({ kind: 'problems' });
  });

  it('A block that a message quotes does not cut the message [A2]', () => {
    const message = `Documented it:\n\`\`\`\n${init}\n\`\`\``;
    const text = block.replace('Added the parser.', message);
    expect(read(text)).toMatchObject({ report: { action: 'DEVELOP', next: 'VALIDATE' } });
  });

  it('Lines that only mention the marker are no block [A2]', () => {
    expect(read('I will end with an ACTION_RESULT: block.')).toEqual({ kind: 'none' });
    expect(read('ACTION_RESULTS:\n- action: INIT\n- status: success')).toEqual({ kind: 'none' });
    expect(read('ACTION_RESULT is what you want.\n- action: INIT')).toEqual({ kind: 'none' });
    expect(read('NEXT_ACTION_NEEDED: COMPLETED')).toEqual({ kind: 'none' });
    expect(read()).toEqual({ kind: 'none' });
  });
});

describe('Problems', () => {
  it.each<[string, RegExp | string, string, string]>([
    [
      'an unknown action',
      'DEVELOP',
      'FIX',
      'Unknown action "FIX"; use one of INIT, DEVELOP, DEBUG, VALIDATE, COMPLETE.',
    ],
    [
      'a missing action',
      '- action: DEVELOP\n',
      '',
      'action is missing; use one of INIT, DEVELOP, DEBUG, VALIDATE, COMPLETE.',
    ],
    [
      'an unknown status',
      'success',
      'partial success',
      'Unknown status "partial success"; use one of success, failed, needs_input.',
    ],
    [
      'a status that is not filled in',
      'success',
      'success | failed',
      'status is still the template "success | failed"; use one of success, failed, needs_input.',
    ],
    [
      'a word with its opposite',
      'success',
      'success and failures',
      'Unknown status "success and failures"; use one of success, failed, needs_input.',
    ],
    [
      'a wish that is not filled in',
      'VALIDATE',
      'DEVELOP | COMPLETED',
      'NEXT_ACTION_NEEDED is still the template "DEVELOP | COMPLETED"; use one of INIT, DEVELOP, DEBUG, VALIDATE, COMPLETE, MENU, WAITING_INPUT, COMPLETED, PAUSED, STOPPED, NONE.',
    ],
    [
      'an unknown wish',
      'VALIDATE',
      'run the tests',
      'Unknown NEXT_ACTION_NEEDED "run the tests"; use one of INIT, DEVELOP, DEBUG, VALIDATE, COMPLETE, MENU, WAITING_INPUT, COMPLETED, PAUSED, STOPPED, NONE.',
    ],
    [
      'text for the state',
      /\{.*\}/,
      'one task',
      'state_updates is no JSON object; write {} if nothing changed.',
    ],
    [
      'a list for the state',
      /\{.*\}/,
      '[{"a":1}]',
      'state_updates is no JSON object; write {} if nothing changed.',
    ],
    ['an object without an end', /\{.*\}/, '{"a": {"b": 1}', 'state_updates has no closing brace.'],
    ['a string without an end', /\{.*\}/, '{"a": "b}', 'state_updates has a string that is not closed.'],
    ['a comment without an end', /\{.*\}/, '{"a": 1 /* }', 'state_updates has a comment that is not closed.'],
    [
      'a state that is too deep',
      /\{.*\}/,
      `${'{"a":'.repeat(9)}1${'}'.repeat(9)}`,
      'state_updates is nested more than 8 levels deep; make it flatter.',
    ],
  ])('A block with %s gives a sentence that can be sent back [A2]', (_, from, to, problem) => {
    expect(read(block.replace(from, () => to))).toEqual({ kind: 'problems', problems: [problem] });
  });

  it('All problems of a block are named at once [A2]', () => {
    const text =
      'ACTION_RESULT:\n- action: FIX\n- status: great\n- state_updates: {x}\nNEXT_ACTION_NEEDED: <x>';
    const reading = read(text);
    if (reading.kind !== 'problems') throw new Error(`unexpected ${reading.kind}`);
    expect(reading.problems.map((problem) => problem.split(/[:;]/)[0])).toEqual([
      'Unknown action "FIX"',
      'Unknown status "great"',
      'state_updates is not valid JSON',
      'NEXT_ACTION_NEEDED is still the template "<x>"',
    ]);
  });

  it('An echo of the format is never a report [A2]', () => {
    for (const echo of [
      actionFormat(),
      `\`\`\`\n${actionFormat()}\n\`\`\``,
      actionFormat().replaceAll(/^/gm, '> '),
    ])
      expect(['none', 'problems']).toContain(read(echo).kind);
  });
});
