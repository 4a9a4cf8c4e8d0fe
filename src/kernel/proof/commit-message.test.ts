import { describe, expect, it } from 'vitest';
import type { RunConfig } from '#kernel/model/config.ts';
import {
  landingSubject,
  renderCommitMessage,
  taskCommitMessage,
  unknownPlaceholders,
} from './commit-message.ts';
import { createRun } from '#kernel/fold/create-run.ts';

const words = { type: 'feat', scope: 'T1', title: 'Count words', id: 'T1' };

function runOf(policy: object, message?: string) {
  const commit = message === undefined ? {} : { commit: { message } };
  return createRun('r1', { budget: {}, policy, ...commit } as RunConfig, 0);
}

describe('a commit message', () => {
  it('A campaign and a queue name the task, and a run with one goal has no scope [C5]', () => {
    const main = { id: 'main', title: 'add  a\nflag' };
    expect(taskCommitMessage(runOf({}), main, 'feat')).toBe('feat: add a flag');
    expect(taskCommitMessage(runOf({}), main, 'wip')).toBe('wip: add a flag');
    expect(taskCommitMessage(runOf({ queue: {} }), main, 'feat')).toBe('feat(main): add a flag');
    const task = { id: 'T1', title: 'Count words' };
    expect(taskCommitMessage(runOf({ planning: {} }), task, 'feat')).toBe('feat(T1): Count words');
    expect(taskCommitMessage(runOf({}), task, 'feat')).toBe('feat(T1): Count words');
  });

  it('A title that begins with a conventional type keeps it, and loses its final full stop [C5]', () => {
    const subject = (title: string, id = 'main'): string =>
      taskCommitMessage(runOf({}), { id, title }, 'feat');
    expect(subject('fix: the thing.')).toBe('fix: the thing');
    expect(subject('fix(parser): the thing')).toBe('fix(parser): the thing');
    expect(subject('feat!: drop the flag')).toBe('feat!: drop the flag');
    expect(subject('docs: the flag', 'T1')).toBe('docs(T1): the flag');
    expect(subject('count words, lines...')).toBe('feat: count words, lines...');
    expect(subject('note: the thing')).toBe('feat: note: the thing');
    expect(taskCommitMessage(runOf({}), { id: 'main', title: 'fix: x' }, 'wip')).toBe('wip: x');
    expect(landingSubject(runOf({}), 'fix: the thing.')).toBe('fix: the thing');
  });

  it('A template inserts the values of its placeholders, and an empty scope removes its brackets', () => {
    expect(renderCommitMessage('{id}: {title} [{type}]', words)).toBe('T1: Count words [feat]');
    expect(renderCommitMessage('{type}[{scope}]: {title}\n\nTask {id}', words)).toBe(
      'feat[T1]: Count words\n\nTask T1',
    );
    expect(renderCommitMessage('{type}({scope}): {title}', { ...words, scope: '' })).toBe(
      'feat: Count words',
    );
    expect(renderCommitMessage('{type} {scope}{title}', { ...words, scope: '' })).toBe('feat Count words');
  });

  it('An empty scope at the start of a line removes the punctuation after it', () => {
    const empty = { ...words, scope: '' };
    for (const template of [
      '{scope}: {title}',
      '[{scope}] {title}',
      '({scope}): {title}',
      '{scope} - {title}',
    ])
      expect(renderCommitMessage(template, empty)).toBe('Count words');
    expect(renderCommitMessage('{title}\n\n{scope}\n{scope}: {id}', empty)).toBe('Count words\n\n\nT1');
    expect(renderCommitMessage('{scope}: {title}', words)).toBe('T1: Count words');
    expect(renderCommitMessage('{scope}(x) {title}', empty)).toBe('(x) Count words');
  });

  it('A title that looks like a placeholder stays as it is', () => {
    expect(renderCommitMessage('{title} {id}', { ...words, title: 'use {id} and $& ({scope})' })).toBe(
      'use {id} and $& ({scope}) T1',
    );
    const empty = { ...words, scope: '', title: 'call f({scope})' };
    expect(renderCommitMessage('{type}({scope}): {title}', empty)).toBe('feat: call f({scope})');
  });

  it('The unknown placeholders of a template are found', () => {
    expect(unknownPlaceholders('{type}: {titel} {} {id}')).toEqual(['{titel}', '{}']);
    expect(unknownPlaceholders('{type}({scope}): {title} {id}')).toEqual([]);
  });

  it('The work of a run as one commit follows the template of the user, or the usual one', () => {
    expect(landingSubject(runOf({}), 'all of it')).toBe('feat: all of it');
    expect(landingSubject(runOf({}, '{type}({scope}): {title}'), 'all of it')).toBe('feat: all of it');
    expect(landingSubject(runOf({}, '{id} {title}\nmore'), 'all of it')).toBe('r1 all of it');
  });
});
