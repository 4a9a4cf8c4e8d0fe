// Held-out checks: they decide, and a builder can read nothing of them.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { saysDone, seesFile, shellAgents } from './agents.ts';
import { eventsOf } from './journal.ts';
import { prompts } from './looking.ts';
import type { Place } from './place.ts';
import { makePlace, runFolders } from './place.ts';

const secret = 'xyzzy-hidden-word';

/** Enough for an excerpt, with a failing test and with a package that is not there. */
const saysMuch = `echo "Error: Cannot find package '${secret}'"; for i in 1 2 3 4 5 6 7 8 9; do for j in 1 2 3 4 5 6 7 8 9; do echo "not ok $i - ${secret}"; done; done`;

/** A held-out check that brings a test of its own, and a second one that always passes. */
function held(place: Place): string[] {
  place.write(
    'outside/hidden.sh',
    `# ${secret}\ngrep -q right done.txt && grep -q hidden done.txt || { ${saysMuch}; exit 1; }\n`,
  );
  const list = [{ check: 'sh check/hidden.sh', files: { 'check/hidden.sh': 'hidden.sh' } }, `true ${secret}`];
  return ['--held-out', place.write('outside/held.json', JSON.stringify(list))];
}

/** Every file below a folder that holds the word, by its contents or its name. */
function filesWith(folder: string, word: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const file = join(folder, name);
    return name.includes(word) || (statSync(file).isFile() && readFileSync(file).includes(word));
  });
}

describe('A held-out check', () => {
  it('A held-out check fails work that every shown check passes, and the builder learns no more than that [X9]', async () => {
    const place = makePlace();
    // The builder looks for it everywhere a builder may look: its files, the repository, the git folder.
    const search = `grep -r ${secret} . '${place.repo}' > '${place.folder}/found' 2>/dev/null`;
    const builder = `${search}; echo right > done.txt; if [ $n -gt 1 ]; then echo hidden >> done.txt; fi; ${saysDone}`;
    const { code, stdout } = await place.untildone([
      'run',
      'do it',
      '--check',
      seesFile,
      ...held(place),
      ...shellAgents(place, { builder }),
    ]);
    expect(code).toBe(0);
    expect(place.read('found')).toBe('');
    const [first = '', second = ''] = prompts(place, 'builder');
    expect(first).not.toContain('held-out');
    expect(second).toContain('a held-out check did not pass');
    expect(second).not.toMatch(/held-out-\d|hidden\.sh/);
    for (const prompt of [...prompts(place, 'builder'), ...prompts(place, 'verifier')])
      expect(prompt).not.toContain(secret);
    expect(stdout).not.toContain(secret);
    expect(JSON.stringify(eventsOf(place))).not.toContain(secret);
    expect(filesWith(place.repo, secret)).toEqual([]);
    const authority = filesWith(runFolders(place)[0] ?? '', secret);
    expect(authority.length).toBeGreaterThan(0);
    expect(authority.every((name) => name.startsWith('held-out/'))).toBe(true);
    expect(place.git('status', '--porcelain')).toBe('');
    // A person may see what it said; nothing that a run has started may.
    const shown = await place.untildone(['show', '--check', 'held-out-1']);
    expect(shown.code).toBe(0);
    expect(shown.stdout).toMatch(
      /before the work, on tree \w+: (?:fail|unknown) \(a held-out check did not pass\)/,
    );
    expect(shown.stdout).toMatch(/at the final acceptance.*: pass \(passed\)\n.*held-out\/logs/);
    const inside = await place.untildone(['show', '--check', 'held-out-1'], {
      env: { UNTILDONE_MARK: 'x/1' },
    });
    expect(inside.code).toBe(2);
    expect(inside.stdout).not.toContain('final acceptance');
  });

  it('A held-out check that is changed or deleted is unknown, and unknown never passes [X9]', async () => {
    for (const spoil of ['echo {} >', 'rm -f']) {
      const place = makePlace();
      const builder = `${spoil} $(ls -d '${place.stateHome}'/untildone/*/*/held-out)/held-out-2.json; printf 'right\\nhidden\\n' > done.txt; ${saysDone}`;
      const { code, stdout } = await place.untildone([
        'run',
        'do it',
        '--max-loops',
        '1',
        '--check',
        seesFile,
        ...held(place),
        ...shellAgents(place, { builder }),
      ]);
      expect(stdout).toMatch(/held-out-2: .*unknown/);
      expect(code).not.toBe(0);
    }
  });
});
