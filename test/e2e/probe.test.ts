// The mutation probe through whole runs: it reports which checks notice a fault, and changes no file of the run.
import { describe, expect, it } from 'vitest';
import { saysDone, shellAgents } from './agents.ts';
import type { Place } from './place.ts';
import { makePlace } from './place.ts';

const strong = 'sh tests/max.test.sh';
const files = {
  'src/max.sh': 'echo 0\n',
  'tests/max.test.sh':
    '[ "$(sh src/max.sh 3 4)" = 8 ] && [ "$(sh src/max.sh 9 2)" = 18 ] && [ "$(sh src/max.sh 5 5)" = 10 ]\n',
};
const work = 'if [ "$1" -gt "$2" ]; then echo $(($1 * 2)); else echo $(($2 * 2)); fi\n';

interface Probed {
  readonly mutants: readonly {
    readonly path: string;
    readonly line: number;
    readonly what: string;
    readonly noticedBy: readonly string[];
  }[];
  readonly criteria: readonly {
    readonly check: string;
    readonly finding: string;
    readonly noticed: number;
  }[];
}

async function doneWith(checks: readonly string[], text = work): Promise<Place> {
  const place = makePlace({ files });
  const builder = `cat > src/max.sh <<'WORK'\n${text}WORK\necho '# max' > README.md; ${saysDone}`;
  const flags = checks.flatMap((check) => ['--check', check]);
  const { code } = await place.untildone(['run', 'max', ...flags, ...shellAgents(place, { builder })]);
  expect(code).toBe(0);
  return place;
}

async function probe(place: Place, ...more: string[]): Promise<{ code: number | null; found: Probed }> {
  const { code, stdout } = await place.untildone(['probe', '--json', ...more]);
  return { code, found: JSON.parse(stdout) as Probed };
}

describe('The probe command', () => {
  it('A probe accepts checks that notice mutations, and changes neither run nor checkout [X4]', async () => {
    const place = await doneWith([strong]);
    const before = [place.git('for-each-ref'), place.git('status', '--porcelain')];
    const { code, found } = await probe(place);
    expect(found.criteria).toMatchObject([{ check: strong, finding: 'noticed' }]);
    expect(found.mutants.length).toBeGreaterThan(0);
    expect(
      found.mutants.every(({ path, noticedBy }) => path === 'src/max.sh' && noticedBy.length === 1),
    ).toBe(true);
    expect(code).toBe(0);
    expect([place.git('for-each-ref'), place.git('status', '--porcelain')]).toEqual(before);
    expect((await probe(place)).found.mutants).toEqual(found.mutants);
  });

  it('A probe calls a check weak that passes whatever the new code does [X4]', async () => {
    const weak = 'test -s README.md && sh -n src/max.sh';
    const place = await doneWith([strong, weak]);
    const { code, stdout } = await place.untildone(['probe']);
    expect(stdout).toMatch(/❌ weak: .*test -s README\.md.*noticed 0 of/);
    expect(stdout).toMatch(/✅ .*max\.test\.sh/);
    expect(code).toBe(1);
  });

  it('A probe counts a mutant that never ends as noticed, and refuses a run without code to mutate [X4]', async () => {
    const loops = `n=3\nwhile [ $n -gt 0 ]; do n=$((n - 1)); done\n${work}`;
    const place = await doneWith([strong], loops);
    const { found } = await probe(place, '--mutants', '40');
    const endless = found.mutants.filter(({ what }) => what.includes('`-` became `+`'));
    expect(endless).toMatchObject([{ line: 2, noticedBy: [expect.any(String)] }]);
    const plain = makePlace({ files });
    const builder = `echo hello > NOTES.md; ${saysDone}`;
    await plain.untildone([
      'run',
      'n',
      '--check',
      'grep -q hello NOTES.md',
      ...shellAgents(plain, { builder }),
    ]);
    const refused = await plain.untildone(['probe']);
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain('added no code that can be mutated');
  });

  it('A probe refuses a --mutants value that is not a number', async () => {
    const place = makePlace({ files });
    expect(await place.untildone(['probe', '--mutants', 'many'])).toMatchObject({ code: 2 });
  });
});
