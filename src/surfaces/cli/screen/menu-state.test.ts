import { describe, expect, it } from 'vitest';
import { createKeyDecoder } from './decode-keys.ts';
import type { MenuEntries, MenuState, Press } from './menu-state.ts';
import { assertDistinctKeys, firstState, press } from './menu-state.ts';
import { sampleEntries } from '#test/cli/sample-menu.ts';

const up = '\u001B[A';
const down = '\u001B[B';
const escape = '\u001B\u001B';

/** What the keys do, one after the other, and the state in which the last one was pressed. */
function type(
  bytes: string,
  { entries = sampleEntries, state = firstState } = {},
): Press & { state: MenuState } {
  let now: MenuState = state;
  let pressed: Press = { kind: 'ignored' };
  for (const key of createKeyDecoder().push(Buffer.from(bytes))) {
    pressed = press(now, key, entries);
    if (pressed.kind === 'shown') now = pressed.state;
    else break;
  }
  return { ...pressed, state: now };
}

describe('the list of choices', () => {
  it('Enter selects the marked choice, and arrows, j and k move the mark around the ends [A4]', () => {
    expect(type('\r')).toMatchObject({ kind: 'chosen', name: 'develop', text: null });
    expect(type(`${down}${down}\r`)).toMatchObject({ kind: 'chosen', name: 'validate' });
    expect(type('jjjk\r')).toMatchObject({ kind: 'chosen', name: 'validate' });
    expect(type(`${up}\r`)).toMatchObject({ kind: 'left', why: 'exit' });
    expect(type(`${up}${down}\r`)).toMatchObject({ kind: 'chosen', name: 'develop' });
  });

  it('A letter selects its choice directly, also with Caps Lock [A4]', () => {
    expect(type('b')).toMatchObject({ kind: 'chosen', name: 'debug', text: null });
    expect(type('V')).toMatchObject({ kind: 'chosen', name: 'validate' });
    expect(type('x')).toMatchObject({ kind: 'left', why: 'exit' });
    expect(type('f')).toMatchObject({ kind: 'aside', index: 0 });
  });

  it('A choice whose key is j has the letter for itself', () => {
    const entries: MenuEntries = { ...sampleEntries, asides: [{ key: 'j', name: 'journal' }] };
    expect(type('j', { entries })).toMatchObject({ kind: 'aside', index: 0 });
  });

  it('A key without a meaning changes nothing', () => {
    for (const key of ['z', '1', ' ', '\u007F', '手']) expect(type(key)).toMatchObject({ kind: 'ignored' });
  });

  it('Ctrl-C and Ctrl-D leave, Ctrl-Z suspends [A4]', () => {
    expect(type('\u0003')).toMatchObject({ kind: 'left', why: 'interrupt' });
    expect(type('\u0004')).toMatchObject({ kind: 'left', why: 'end-of-input' });
    expect(type('\u001A')).toMatchObject({ kind: 'suspended' });
  });

  it('While the menu reads a view, only the keys that leave it work', () => {
    const state = { ...firstState, reading: 'diff' };
    for (const key of ['d', '\r', down, 't', 'f'])
      expect(type(key, { state })).toMatchObject({ kind: 'ignored' });
    expect(type('\u0003', { state })).toMatchObject({ kind: 'left', why: 'interrupt' });
    expect(type('\u0004', { state })).toMatchObject({ kind: 'left', why: 'end-of-input' });
  });

  it('Two choices with one key are reported at once', () => {
    expect(() => assertDistinctKeys(sampleEntries)).not.toThrow();
    const asides = [{ key: 't', name: 'tests' }];
    expect(() => assertDistinctKeys({ ...sampleEntries, asides })).toThrow('have the key t');
  });
});

describe('the line for the agent', () => {
  it('The typed text is sent with the marked choice, letters included [A4]', () => {
    expect(type('tGrüße an Jörg 👋\r')).toMatchObject({
      kind: 'chosen',
      name: 'develop',
      text: 'Grüße an Jörg 👋',
    });
  });

  it('Arrows pick another choice for the text, but only one that takes a text [A4]', () => {
    expect(type(`t${down}look\r`)).toMatchObject({ kind: 'chosen', name: 'debug', text: 'look' });
    expect(type(`t${down}${down}look\r`)).toMatchObject({ name: 'develop' });
    expect(type(`t${up}look\r`)).toMatchObject({ name: 'debug' });
    // The mark was on a choice that takes none.
    expect(type('jjtlook\r')).toMatchObject({ name: 'develop', text: 'look' });
  });

  it('Backspace deletes a whole visible character, Ctrl-W a word, Ctrl-U the line', () => {
    expect(type('tab👩‍👩‍👧\u007F').state.text).toBe('ab');
    expect(type('tae\u0301\u007F').state.text).toBe('a');
    expect(type('tone two  \u0017').state.text).toBe('one ');
    expect(type('tone two\u0015x').state.text).toBe('x');
    expect(type('t\u007F\u007Fx').state.text).toBe('x');
  });

  it('Enter on an empty line returns to the list', () => {
    expect(type('t  \r')).toMatchObject({ kind: 'shown', state: { isTyping: false, text: '' } });
    expect(type('t  \rv')).toMatchObject({ kind: 'chosen', name: 'validate', text: null });
  });

  it('Esc returns to the list; the typed text is kept for later and is not sent from there', () => {
    expect(type(`thello${escape}`)).toMatchObject({ state: { isTyping: false, text: 'hello' } });
    const state = type(`thello${escape}`).state;
    expect(type('d', { state })).toMatchObject({ kind: 'chosen', name: 'develop', text: null });
    expect(type('t!\r', { state })).toMatchObject({ kind: 'chosen', text: 'hello!' });
  });

  it('A paste keeps its words in one line, and selects nothing from the list [A4]', () => {
    const paste = '\u001B[200~delete\r\nall\tof \u001B[31mit\u0007\u202E\u001B[201~';
    expect(type(paste)).toMatchObject({ kind: 'shown', state: { isTyping: true, text: 'delete all of it' } });
    expect(type(`tplease ${paste}`).state.text).toBe('please delete all of it');
  });

  it('A menu without a choice that takes a text has no line for it', () => {
    const choices = sampleEntries.choices.map((choice) => ({ ...choice, takesText: false }));
    const entries = { ...sampleEntries, choices };
    expect(type('t', { entries })).toMatchObject({ kind: 'ignored' });
    expect(type('\u001B[200~d\u001B[201~', { entries })).toMatchObject({ kind: 'ignored' });
  });

  it('A text has at most 4,000 characters', () => {
    expect(type(`t\u001B[200~${'👋'.repeat(5000)}\u001B[201~`).state.text).toBe('👋'.repeat(4000));
  });

  it('Ctrl-D leaves only from an empty line, and Ctrl-C from any', () => {
    expect(type('thello\u0004')).toMatchObject({ kind: 'ignored' });
    expect(type('t\u0004')).toMatchObject({ kind: 'left', why: 'end-of-input' });
    expect(type('thello\u0003')).toMatchObject({ kind: 'left', why: 'interrupt' });
  });
});
