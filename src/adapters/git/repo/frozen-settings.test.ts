import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { countStarts, type StartCounter } from '#test/count-starts.ts';
import { makeSample, type Sample } from '#test/git/sample-repository.ts';
import { changedSettings, freezeSettings } from './frozen-settings.ts';

let sample: Sample;
let counter: StartCounter;
let own: string;

beforeEach(() => {
  sample = makeSample();
  counter = countStarts('git', sample.home);
  own = join(sample.home, '.gitconfig');
});
afterEach(() => sample.remove());

const index = (): string => join(sample.home, 'state', 'index');
const changed = (): string[] => changedSettings({ ...sample.env, PATH: counter.path }, index(), sample.root);
const freeze = (): void => freezeSettings({ ...sample.env, PATH: counter.path }, index(), sample.root);
const started = (): number => counter.phases().flat().length;

test('A setting of the user that changed is named each time, and no more once it is as before [X10]', () => {
  freeze();
  const before = readFileSync(own, 'utf8');
  appendFileSync(own, '[core]\n\teditor = other\n');
  expect([changed(), changed()]).toEqual([['core.editor'], ['core.editor']]);
  appendFileSync(own, '[pager]\n\tlog = other\n');
  expect(changed()).toEqual(['core.editor', 'pager.log']);
  writeFileSync(own, before);
  expect(changed()).toEqual([]);
});

test('Settings are listed again only when a file of the user has changed [X10]', () => {
  freeze();
  const frozen = started();
  expect([changed(), changed()]).toEqual([[], []]);
  expect(started()).toBe(frozen);
  // As long as before.
  writeFileSync(own, readFileSync(own, 'utf8').replace('User', 'Ubel'));
  expect(changed()).toEqual(['user.name']);
  expect(started()).toBeGreaterThan(frozen);
});

test('A change in a file that the settings include is noticed, although the settings name it as before [X10]', () => {
  const included = join(sample.home, 'included');
  writeFileSync(included, '[core]\n\teditor = one\n');
  appendFileSync(own, `[include]\n\tpath = ${included}\n`);
  freeze();
  expect(changed()).toEqual([]);
  writeFileSync(included, '[core]\n\teditor = two\n');
  expect(changed()).toEqual(['core.editor']);
});
