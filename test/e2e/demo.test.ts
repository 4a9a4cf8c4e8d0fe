// The demonstration of the action loop on a real terminal, with its menu.
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bin } from './package.ts';
import { makePlace } from './place.ts';
import { noScreen, openScreen } from './screen.ts';
import { until } from './wait.ts';

const goOnLine = /Continue with: (cd (\S+) && .*?) untildone resume/;

describe.skipIf(noScreen !== '')(`The demonstration on a screen${noScreen}`, () => {
  it('The demonstration shows the menu, saves when the person leaves, and resumes by the command that it prints [A4] [A6]', async () => {
    const place = makePlace();
    const screen = openScreen(place, { columns: 400 });
    const flat = (): string => screen.text().replaceAll(/\n(?=\S)/g, ' ');
    try {
      screen.write(`'${bin()}' demo --preset actions --mode interactive; echo "ended with $?"\n`);
      await until('the menu', () => screen.text().includes('A letter, or ↑ ↓ and Enter'));
      expect(screen.text()).toContain('Choose for example: develop, validate, debug, validate, complete.');
      screen.write('d');
      await until('the turn', () => screen.text().includes('Action: DEVELOP, Status: success'));
      await until('the next menu', () =>
        screen.text().includes('DEVELOP: success. greet(name) greets by name.'),
      );
      screen.write('x');
      await until('the end', () => screen.text().includes('ended with 6'));
      expect(screen.text()).toContain('Saved.');
      const goOn = goOnLine.exec(flat());
      expect(flat()).toMatch(goOnLine);
      screen.write(`clear; ${goOn?.[1] ?? ''} '${bin()}' resume; echo "left with $?"\n`);
      await until('the menu again', () => /A letter, or ↑ ↓ and Enter/.test(screen.text()));
      screen.write('x');
      await until('the second end', () => screen.text().includes('left with 6'));
      rmSync(dirname(goOn?.[2] ?? `${place.folder}/none/none`), { recursive: true, force: true });
    } finally {
      screen.close();
    }
  });
});
