// The repository's own pre-commit hook as a check: it is bounded, has its own index, and its changes are checked
// again.
import { describe, expect, it } from 'vitest';
import type { Finished } from './package.ts';
import { saysDone, seesFile, shellAgents } from './agents.ts';
import { eventsOf } from './journal.ts';
import { branchOf, prompts, roles } from './looking.ts';
import type { Place } from './place.ts';
import { makePlace } from './place.ts';

/** For every staged text: without spaces, and staged again. */
const formats =
  'for f in $(git diff --cached --name-only); do tr -d " " < "$f" > "$f.new"; mv "$f.new" "$f"; git add "$f"; done';

function withHook(hook: string, isAsked = true): Place {
  const place = makePlace();
  place.write('repo/.git/hooks/pre-commit', `#!/bin/sh\n${hook}\n`);
  place.makeExecutable('repo/.git/hooks/pre-commit');
  if (isAsked) place.write('repo/.untildone/config.jsonc', '{ "preCommitHook": true }');
  return place;
}

function run(place: Place, builder: string): Promise<Finished> {
  const agents = shellAgents(place, { builder: `${builder}; ${saysDone}` });
  return place.untildone(['run', 'do it', '--max-loops', '2', '--check', seesFile, ...agents]);
}

describe('The pre-commit hook', () => {
  it('The pre-commit hook may change the work: the changed tree is checked again and committed [X8]', async () => {
    const place = withHook(formats);
    const { code } = await run(place, 'echo " right " > done.txt');
    expect(code).toBe(0);
    expect(place.git('show', `${branchOf(place)}:done.txt`)).toBe('right');
    expect(roles(place)).toEqual(['builder', 'verifier']);
    const proven = eventsOf(place).find((event) => event.type === 'task-proven');
    const seen = eventsOf(place).flatMap((event) =>
      event.type === 'evidence-recorded' && event.evidence.purpose === 'attempt' ? [event.evidence] : [],
    );
    const onProven = seen.filter(({ tree }) => tree === proven?.tree).map(({ criterionId }) => criterionId);
    expect(onProven.toSorted()).toEqual(['grep-q-right-done-txt', 'pre-commit', 'verifier']);
    expect(place.git('status', '--porcelain')).toBe('?? .untildone/');
  });

  it('A failing pre-commit hook is red, and its output reaches the builder [X8]', async () => {
    const place = withHook('if git diff --cached | grep -q DEBUG; then echo "no DEBUG please"; exit 1; fi');
    const { code } = await run(
      place,
      'echo right > done.txt; if [ $n = 1 ]; then echo DEBUG >> done.txt; fi',
    );
    expect(code).toBe(0);
    expect(prompts(place, 'builder')[1]).toContain('no DEBUG please');
  });

  it('A pre-commit hook that an agent replaces is restored and still run [X8]', async () => {
    const place = withHook('exit 1');
    const hook = `${place.repo}/.git/hooks/pre-commit`;
    const { code, stdout } = await run(place, `echo right > done.txt; printf '#!/bin/sh\\n' > '${hook}'`);
    expect(code).toBe(3);
    expect(stdout).toContain('.git/hooks/pre-commit');
    expect(place.read('repo/.git/hooks/pre-commit')).toContain('exit 1');
  });

  it('A pre-commit hook that changes files each time proves nothing, and the run ends [X8]', async () => {
    const { code, stdout } = await run(
      withHook('date +%N >> done.txt; git add done.txt'),
      'echo right > done.txt',
    );
    expect(stdout).toContain('it changes files each time it is run');
    expect(code).toBe(3);
  });

  it('The pre-commit hook does not run unless the user asks for it', async () => {
    expect((await run(withHook('exit 1', false), 'echo right > done.txt')).code).toBe(0);
  });
});
