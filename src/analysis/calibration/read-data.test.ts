import { expect, it } from 'vitest';
import { isDataBeside } from './read-data.ts';

it.each(['calc/cases.csv', 'tables/one.json', 'config/rates.toml', 'db/seed.sql', 'cases/a.in'])(
  'Data that the goal does not name may be a reference for a check: %s [X8]',
  (path) => {
    expect(isDataBeside('write add', path)).toBe(true);
  },
);

it.each([
  ['src/add.py', 'write add'],
  ['package.json', 'write add'],
  ['package-lock.json', 'write add'],
  ['Cargo.toml', 'write add'],
  ['tsconfig.build.json', 'write add'],
  ['.github/settings.yml', 'write add'],
  ['docs/rates.csv', 'write add'],
  ['README.txt', 'write add'],
  ['data/prices.json', 'Raise the price of tea in data/prices.json.'],
  ['data/prices.json', 'Raise the price of tea in prices.json'],
  ['data/prices.json', 'Raise all prices in `data/`.'],
])('%s is work, a manifest or a document if the goal is: %s [X8]', (path, goal) => {
  expect(isDataBeside(goal, path)).toBe(false);
});

it('A word of the goal that happens to be the name of a folder does not make its data work [X8]', () => {
  expect(isDataBeside('fix calc so that it adds', 'calc/cases.csv')).toBe(true);
});
