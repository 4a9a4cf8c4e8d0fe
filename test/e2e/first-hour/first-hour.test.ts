// The first hour of a new user: ordinary repositories, each with the lines that the program prints before and after.
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readEvents, sessionsOf } from '../journal.ts';
import type { Finished } from '../package.ts';
import type { Place } from '../place.ts';
import { makePlace, runFolders } from '../place.ts';
import {
  builderOf,
  goTestsFirst,
  javascriptTestsFirst,
  makefileProject,
  npmLibrary,
  npmLibraryWithoutPackage,
  pythonTestsFirst,
  reviewedBy,
  uvProject,
} from './projects.ts';
import { printed } from './plain.ts';

/** What a new user sees, how it ended, and how many sessions were started. */
function seen(place: Place, finished: Finished): { told: string; code: number | null; sessions: number } {
  return { told: printed(place, finished), code: finished.code, sessions: sessionsIn(place) };
}

function sessionsIn(place: Place): number {
  return runFolders(place).reduce((sum, folder) => sum + sessionsOf(readEvents(folder)).length, 0);
}

describe('A repository with dependencies [X16]', () => {
  it('A run installs the dependencies of an npm library without a lock file once, and commits no lock file', async () => {
    const place = makePlace({ files: npmLibrary });
    const run = await place.untildone(['run', 'say hello', '--check', 'npm test', ...builderOf(place)]);
    expect(seen(place, run)).toMatchInlineSnapshot(`
      {
        "code": 0,
        "sessions": 1,
        "told": "  ✓ starts from: main at COMMIT, on its own branch and worktree; your checkout is not touched
        ✓ setup:       npm install (package.json declares dependencies, and no package-lock.json is committed)
        ✓ checks:      npm test (run on the base first)
        ✓ proof:       a check that turns from red to green, or your approval
        ! verifier:    none (command:sh PLACE/builder.sh is a plain command and is not declared to print verdicts)
                       To let it review: --agent "verifier=command:sh PLACE/builder.sh".
        ✓ check npm-test: fails before the work (exit 1)
      ✅ Completed: every required criterion passed on a clean checkout
      Proof: checks (a required check was red before the work and is green now)
      Next: review it with \`git diff COMMIT untildone/RUN\`, then land it: untildone land RUN",
      }
    `);
    expect(place.git('log', '--all', '--name-only', '--format=')).not.toContain('package-lock.json');
    expect(place.git('status', '--porcelain')).toBe('');
  });

  it('A run uses uv for a project with a uv.lock', async () => {
    const place = makePlace({ files: uvProject });
    place.write('programs/uv', '#!/bin/sh\n[ "$1" = sync ] && mkdir -p .venv && touch .venv/installed\n');
    place.makeExecutable('programs/uv');
    const env = { PATH: `${join(place.folder, 'programs')}:${place.env['PATH'] ?? ''}` };
    const args = [
      'run',
      'say hello',
      '--check',
      'test -f .venv/installed && sh test.sh',
      ...builderOf(place),
    ];
    expect(seen(place, await place.untildone(args, { env }))).toMatchInlineSnapshot(`
      {
        "code": 0,
        "sessions": 1,
        "told": "  ✓ starts from: main at COMMIT, on its own branch and worktree; your checkout is not touched
        ✓ setup:       uv sync --frozen (uv.lock is committed)
        ✓ checks:      test -f .venv/installed && sh test.sh (run on the base first)
        ✓ proof:       a check that turns from red to green, or your approval
        ! verifier:    none (command:sh PLACE/builder.sh is a plain command and is not declared to print verdicts)
                       To let it review: --agent "verifier=command:sh PLACE/builder.sh".
        ✓ check test-f-venv-installed-sh-test-sh: fails before the work (exit 2)
      ✅ Completed: every required criterion passed on a clean checkout
      Proof: checks (a required check was red before the work and is green now)
      Next: review it with \`git diff COMMIT untildone/RUN\`, then land it: untildone land RUN",
      }
    `);
  });

  it('A run stops before the first session if the lock file does not install, and continues with another setup', async () => {
    const lock = '{ "lockfileVersion": 3, "packages": {} }\n';
    const place = makePlace({ files: { ...npmLibrary, 'package-lock.json': lock } });
    const run = await place.untildone(['run', 'say hello', '--check', 'npm test', ...builderOf(place)]);
    expect(run.stdout).toMatch(/^npm \S+ Missing: greeting@1\.0\.0 from lock file$/m);
    // Each npm has its own words.
    const stdout = run.stdout.replaceAll(/(^npm (error|ERR!).*\n)+/gm, 'npm error …\n');
    expect(seen(place, { ...run, stdout })).toMatchInlineSnapshot(`
      {
        "code": 6,
        "sessions": 0,
        "told": "  ✓ starts from: main at COMMIT, on its own branch and worktree; your checkout is not touched
        ✓ setup:       npm ci (package-lock.json is committed)
        ✓ checks:      npm test (run on the base first)
        ✓ proof:       a check that turns from red to green, or your approval
        ! verifier:    none (command:sh PLACE/builder.sh is a plain command and is not declared to print verdicts)
                       To let it review: --agent "verifier=command:sh PLACE/builder.sh".
      ⏸️  Parked: The setup command \`npm ci\` failed (exit 1):
      npm error …
      Its whole output is in REPO/.untildone/runs/RUN/logs/setup.log. Give another command: untildone resume RUN --setup "…" (or --no-setup to install nothing)",
      }
    `);
    const resumed = await place.untildone([
      'resume',
      '--setup',
      'npm install --no-save --no-package-lock --offline',
    ]);
    expect(seen(place, resumed)).toMatchInlineSnapshot(`
      {
        "code": 0,
        "sessions": 1,
        "told": "🔄 Resuming from durable session (0/1 steps completed)
        ✓ works on: untildone/RUN, from COMMIT
        ✓ setup:    npm install --no-save --no-package-lock --offline (as configured)
        ✓ check npm-test: fails before the work (exit 1)
      ✅ Completed: every required criterion passed on a clean checkout
      Proof: checks (a required check was red before the work and is green now)
      Next: review it with \`git diff COMMIT untildone/RUN\`, then land it: untildone land RUN",
      }
    `);
  });

  it('A check whose declared package is not installed is refused before the first session', async () => {
    const place = makePlace({ files: npmLibraryWithoutPackage });
    const args = ['run', 'say hello', '--no-setup', '--check', 'npm test', ...builderOf(place)];
    expect(seen(place, await place.untildone(args))).toMatchInlineSnapshot(`
      {
        "code": 2,
        "sessions": 0,
        "told": "  ✓ starts from: main at COMMIT, on its own branch and worktree; your checkout is not touched
        ✓ setup:       nothing is installed (as configured)
        ✓ checks:      npm test (run on the base first)
        ✓ proof:       a check that turns from red to green, or your approval
        ! verifier:    none (command:sh PLACE/builder.sh is a plain command and is not declared to print verdicts)
                       To let it review: --agent "verifier=command:sh PLACE/builder.sh".
        ✗ check npm-test: cannot pass here: the package "no-such-greeting" is declared in package.json and not installed
      ✗ Not started: the check npm-test cannot pass here: the package "no-such-greeting" is declared in package.json and not installed. No session was started.
      Next: correct that and run the same command again. --setup "…" names a command that installs what is missing.
            If the work itself brings it: untildone retry main --run RUN",
      }
    `);
  });

  it('A check whose test runner is not installed is refused before the first session', async () => {
    const manifest = { scripts: { test: 'no-such-runner' }, devDependencies: { 'no-such-runner': '1.0.0' } };
    const place = makePlace({ files: { 'package.json': JSON.stringify(manifest) } });
    const args = ['run', 'say hello', '--no-setup', '--check', 'npm test', ...builderOf(place)];
    expect(seen(place, await place.untildone(args))).toMatchInlineSnapshot(`
      {
        "code": 2,
        "sessions": 0,
        "told": "  ✓ starts from: main at COMMIT, on its own branch and worktree; your checkout is not touched
        ✓ setup:       nothing is installed (as configured)
        ✓ checks:      npm test (run on the base first)
        ✓ proof:       a check that turns from red to green, or your approval
        ! verifier:    none (command:sh PLACE/builder.sh is a plain command and is not declared to print verdicts)
                       To let it review: --agent "verifier=command:sh PLACE/builder.sh".
        ✗ check npm-test: cannot pass here: the package "no-such-runner" is declared in package.json and not installed
      ✗ Not started: the check npm-test cannot pass here: the package "no-such-runner" is declared in package.json and not installed. No session was started.
      Next: correct that and run the same command again. --setup "…" names a command that installs what is missing.
            If the work itself brings it: untildone retry main --run RUN",
      }
    `);
  });
});

describe('A campaign [X16]', () => {
  it('A campaign pays no architect if a check of the goal cannot pass here', async () => {
    const place = makePlace({ files: npmLibraryWithoutPackage });
    const campaign = ['run', 'say hello', '--preset', 'campaign', '--yes', '--no-setup'];
    const args = [...campaign, '--check', 'npm test', ...builderOf(place)];
    expect(seen(place, await place.untildone(args))).toMatchInlineSnapshot(`
      {
        "code": 2,
        "sessions": 0,
        "told": "  ✓ starts from: main at COMMIT, on its own branch and worktree; your checkout is not touched
        ✓ setup:       nothing is installed (as configured)
        ✓ architect:   command:sh PLACE/builder.sh, its own model, paid through the agent's own login (unknown)
        ✓ reflector:   command:sh PLACE/builder.sh, as the architect
        ✓ reviewers:   none; only the checks of each task decide
        ✓ checks:      npm test (run on the base first)
        ✓ proof:       a check that turns from red to green, or your approval
        ✗ check npm-test: cannot pass here: the package "no-such-greeting" is declared in package.json and not installed
      ✗ Not started: the check npm-test cannot pass here: the package "no-such-greeting" is declared in package.json and not installed. No session was started.
      Next: correct that and run the same command again. --setup "…" names a command that installs what is missing.",
      }
    `);
    expect(existsSync(join(place.folder, 'agent-was-here'))).toBe(false);
    expect(place.git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
  });
});

describe('Tests written before the work [X16]', () => {
  for (const [language, project] of Object.entries({
    JavaScript: javascriptTestsFirst,
    Python: pythonTestsFirst,
    Go: goTestsFirst,
  })) {
    it(`A missing module of the repository is an ordinary failure in ${language}`, async (context) => {
      if (!project.isHere()) return context.skip(`NOT RUN: ${language} is not on this machine`);
      const place = makePlace({ files: project.files });
      const args = ['run', 'say hello', '--check', project.check, ...builderOf(place, project.work)];
      const { code, stdout } = await place.untildone(args);
      expect({ code, stdout }).toMatchObject({ code: 0 });
      expect(sessionsIn(place)).toBe(1);
    });
  }
});

describe('An ordinary repository [X16]', () => {
  it('A run uses the target of a Makefile as its check', async () => {
    const place = makePlace({ files: makefileProject });
    const run = await place.untildone(['run', 'say hello', '--check', 'make test', ...builderOf(place)]);
    expect(seen(place, run)).toMatchInlineSnapshot(`
      {
        "code": 0,
        "sessions": 1,
        "told": "  ✓ starts from: main at COMMIT, on its own branch and worktree; your checkout is not touched
        ✓ setup:       nothing to run (no manifest declares a dependency)
        ✓ checks:      make test (run on the base first)
        ✓ proof:       a check that turns from red to green, or your approval
        ! verifier:    none (command:sh PLACE/builder.sh is a plain command and is not declared to print verdicts)
                       To let it review: --agent "verifier=command:sh PLACE/builder.sh".
        ✓ check make-test: fails before the work (exit 2)
      ✅ Completed: every required criterion passed on a clean checkout
      Proof: checks (a required check was red before the work and is green now)
      Next: review it with \`git diff COMMIT untildone/RUN\`, then land it: untildone land RUN",
      }
    `);
  });

  it('The preflight says that a suite which is green today cannot prove the work', async () => {
    const place = makePlace({ files: { 'test.sh': 'true\n' } });
    const args = [
      'run',
      'say hello',
      '--check',
      'sh test.sh',
      ...reviewedBy(place, 'echo; echo "===VERIFIER_COMPLETE==="'),
    ];
    expect(seen(place, await place.untildone(args))).toMatchInlineSnapshot(`
      {
        "code": 7,
        "sessions": 2,
        "told": "  ✓ starts from: main at COMMIT, on its own branch and worktree; your checkout is not touched
        ✓ setup:       nothing to run (no manifest declares a dependency)
        ✓ verifier:    command:sh PLACE/verifier.sh, its own model, paid through the agent's own login (unknown)
        ✓ checks:      sh test.sh (run on the base first)
        ✓ proof:       a check that turns from red to green, tests that are added and reviewed, or your approval
        ! check sh-test-sh: passes before the work, so it cannot prove it
        ! proof:            No check fails before the work, so no check can prove it. With a reviewer's pass alone the run ends as "reviewed, not proven" (exit 7).
                            To prove it: add a check that fails today (--check), ask for tests, approve the result (untildone approve), or accept the review (--accept-review).
      🔎 Reviewed, not proven: a reviewer passed it, and no check, added test or person proves it
      Proof: review (only a reviewer's pass)
      Next: review it (\`git diff COMMIT untildone/RUN\`), then one of
        untildone approve RUN               approve it after you reviewed it",
      }
    `);
  });

  it('The preflight names the uncommitted files that are not part of the run', async () => {
    const place = makePlace({ files: makefileProject });
    place.write('repo/notes.txt', 'not committed\n');
    place.write('repo/Makefile', 'test:\n\ttrue\n');
    const args = ['run', 'say hello', '--check', 'make test', ...builderOf(place)];
    expect(seen(place, await place.untildone(args))).toMatchInlineSnapshot(`
      {
        "code": 0,
        "sessions": 1,
        "told": "  ✓ starts from: main at COMMIT, on its own branch and worktree; your checkout is not touched
        ! left out:    2 uncommitted paths, not part of the run: Makefile, notes.txt
                       Commit what the work needs; untracked files that only the checks need: --copy "GLOB"
        ✓ setup:       nothing to run (no manifest declares a dependency)
        ✓ checks:      make test (run on the base first)
        ✓ proof:       a check that turns from red to green, or your approval
        ! verifier:    none (command:sh PLACE/builder.sh is a plain command and is not declared to print verdicts)
                       To let it review: --agent "verifier=command:sh PLACE/builder.sh".
        ✓ check make-test: fails before the work (exit 2)
      ✅ Completed: every required criterion passed on a clean checkout
      Proof: checks (a required check was red before the work and is green now)
      Next: review it with \`git diff COMMIT untildone/RUN\`, then land it: untildone land RUN",
      }
    `);
    expect(readFileSync(join(place.repo, 'Makefile'), 'utf8')).toBe('test:\n\ttrue\n');
  });

  it('A dry run stops after the preflight list and leaves nothing behind', async () => {
    const place = makePlace({ files: makefileProject });
    const args = ['run', 'say hello', '--check', 'make test', '--dry-run', ...builderOf(place)];
    expect(seen(place, await place.untildone(args))).toMatchInlineSnapshot(`
      {
        "code": 0,
        "sessions": 0,
        "told": "  ✓ starts from: main at COMMIT, on its own branch and worktree; your checkout is not touched
        ✓ setup:       nothing to run (no manifest declares a dependency)
        ✓ checks:      make test (run on the base first)
        ✓ proof:       a check that turns from red to green, or your approval
        ! verifier:    none (command:sh PLACE/builder.sh is a plain command and is not declared to print verdicts)
                       To let it review: --agent "verifier=command:sh PLACE/builder.sh".
        ✓ check make-test: fails before the work (exit 2)
      ✓ Dry run: the run would start its first session now. Nothing was spent or kept.",
      }
    `);
    expect(runFolders(place)).toEqual([]);
    expect(place.git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
    expect(place.git('worktree', 'list').split('\n')).toHaveLength(1);
    expect(existsSync(join(place.folder, 'agent-was-here'))).toBe(false);
  });

  it('A run in an empty repository needs a first commit', async () => {
    const place = makePlace({ files: {} });
    const args = ['run', 'say hello', '--check', 'sh test.sh', ...builderOf(place)];
    expect(seen(place, await place.untildone(args))).toMatchInlineSnapshot(`
      {
        "code": 2,
        "sessions": 0,
        "told": "The repository has no commit yet.
      Hint: Make the first commit: \`git add . && git commit -m "start"\` (or \`git commit --allow-empty -m "start"\`).",
      }
    `);
  });

  it('In a read-only repository, reading commands work, and a run is refused with the reason', async (context) => {
    const place = makePlace({ files: makefileProject });
    const wrapper = [
      'unshare',
      '-m',
      'sh',
      '-c',
      `mount --bind -o ro "$0" "$0" && cd "$0" && exec "$@"`,
      place.repo,
    ];
    const list = await place.untildone(['list'], { wrapper });
    if (/unshare|mount/.test(list.stderr)) return context.skip(`NOT RUN: no read-only mount: ${list.stderr}`);
    expect(seen(place, list)).toMatchInlineSnapshot(`
      {
        "code": 0,
        "sessions": 0,
        "told": "",
      }
    `);
    const args = ['run', 'say hello', '--check', 'make test', ...builderOf(place)];
    expect(seen(place, await place.untildone(args, { wrapper }))).toMatchInlineSnapshot(`
      {
        "code": 2,
        "sessions": 0,
        "told": "The id of this repository could not be written to REPO/.git/untildone/repo-id: the file system is read-only.
      Hint: A run makes branches and commits, so it needs a repository that you may write to. Make it writable, or work in a clone of it.",
      }
    `);
    expect((await place.untildone(args)).code).toBe(0);
    for (const command of ['list', 'show', 'status']) {
      const { code, stdout, stderr } = await place.untildone([command], { wrapper });
      expect({ command, code, stderr, hasRun: /\d{8}-\d{4}-/.test(stdout) }).toEqual({
        command,
        code: 0,
        stderr: '',
        hasRun: true,
      });
    }
  });
});

describe('Agents before the first session [X16]', () => {
  it('Claude Code as root is refused at once, and the message names the flag', async (context) => {
    const place = makePlace({ files: makefileProject });
    if (process.getuid?.() !== 0) return context.skip('NOT RUN: this test needs root');
    place.write('programs/claude', '#!/bin/sh\necho 1.0.0\n');
    place.makeExecutable('programs/claude');
    const settings = { agents: { claude: { driver: 'claude', via: 'cli' } } };
    place.write('repo/.untildone/config.jsonc', JSON.stringify(settings));
    const PATH = `${join(place.folder, 'programs')}:${place.env['PATH'] ?? ''}`;
    const env = { PATH, ANTHROPIC_API_KEY: 'sk-ant-not-a-real-key' };
    const args = ['run', 'say hello', '--check', 'make test', '--agent', 'claude'];
    expect(seen(place, await place.untildone(args, { env }))).toMatchInlineSnapshot(`
      {
        "code": 2,
        "sessions": 0,
        "told": "Claude Code refuses to work unattended as root.
      Hint: In a container or a disposable machine, add --allow-root. Otherwise run untildone as an ordinary user.",
      }
    `);
  });

  it('An agent without a login is refused at once', async () => {
    const place = makePlace({ files: makefileProject });
    place.write('programs/codex', '#!/bin/sh\necho codex-cli 1.0.0\n');
    place.makeExecutable('programs/codex');
    const env = { PATH: `${join(place.folder, 'programs')}:${place.env['PATH'] ?? ''}` };
    const args = ['run', 'say hello', '--check', 'make test', '--agent', 'codex'];
    expect(seen(place, await place.untildone(args, { env }))).toMatchInlineSnapshot(`
      {
        "code": 2,
        "sessions": 0,
        "told": "Codex is not logged in, and no key was found.
      Hint: Log in: codex login. Or pay by a key: export OPENAI_API_KEY=…",
      }
    `);
  });

  it('A model that the local endpoint does not list is refused', async () => {
    const server = createServer((_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ object: 'list', data: [{ id: 'small-coder' }, { id: 'large-coder' }] }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const address = server.address();
      const port = address !== null && typeof address === 'object' ? address.port : 0;
      const place = makePlace({ files: makefileProject });
      const agents = { local: { driver: 'openai', baseUrl: `http://127.0.0.1:${port}/v1` } };
      place.write('repo/.untildone/config.jsonc', JSON.stringify({ agents }));
      const args = ['run', 'say hello', '--check', 'make test', '--agent', 'local:smal-coder'];
      const finished = await place.untildone(args);
      expect(seen(place, finished).told.replaceAll(String(port), 'PORT')).toMatchInlineSnapshot(`
        "The agent local has no model "smal-coder"; it has small-coder, large-coder.
        Hint: Choose one of them: --agent local:small-coder"
      `);
      expect([finished.code, sessionsIn(place)]).toEqual([2, 0]);
    } finally {
      server.close();
    }
  });

  it('A reviewer without a verdict is asked once more, then the run waits for a person', async () => {
    const place = makePlace({ files: makefileProject });
    const args = ['run', 'say hello', '--check', 'make test', ...reviewedBy(place, 'echo Looks good to me.')];
    expect(seen(place, await place.untildone(args))).toMatchInlineSnapshot(`
      {
        "code": 6,
        "sessions": 3,
        "told": "  ✓ starts from: main at COMMIT, on its own branch and worktree; your checkout is not touched
        ✓ setup:       nothing to run (no manifest declares a dependency)
        ✓ verifier:    command:sh PLACE/verifier.sh, its own model, paid through the agent's own login (unknown)
        ✓ checks:      make test (run on the base first)
        ✓ proof:       a check that turns from red to green, tests that are added and reviewed, or your approval
        ✓ check make-test: fails before the work (exit 2)
      ❓ A person is asked: Does the work meet "a verifier that did not do the work finds nothing wrong with it"? It is undecided: the verifier gave no verdict: its output holds no marker and no report.
      ⏸️  Parked: a person's verdict on verifier
      Decide: untildone approve RUN --task main --criterion verifier --tree COMMIT",
      }
    `);
  });

  it('A plain command is not used as the verifier, and the run says so', async () => {
    const place = makePlace({ files: makefileProject });
    const script = place.write(
      'agent.sh',
      'cat > /dev/null; echo hello > hello.txt; echo "===WIGGUM_COMPLETE==="\n',
    );
    const args = ['run', 'say hello', '--check', 'make test', '--agent', `command:sh ${script}`];
    expect(seen(place, await place.untildone(args))).toMatchInlineSnapshot(`
      {
        "code": 0,
        "sessions": 1,
        "told": "  ✓ starts from: main at COMMIT, on its own branch and worktree; your checkout is not touched
        ✓ setup:       nothing to run (no manifest declares a dependency)
        ✓ checks:      make test (run on the base first)
        ✓ proof:       a check that turns from red to green, or your approval
        ! verifier:    none (command:sh PLACE/agent.sh is a plain command and is not declared to print verdicts)
                       To let it review: --agent "verifier=command:sh PLACE/agent.sh".
        ✓ check make-test: fails before the work (exit 2)
      ✅ Completed: every required criterion passed on a clean checkout
      Proof: checks (a required check was red before the work and is green now)
      Next: review it with \`git diff COMMIT untildone/RUN\`, then land it: untildone land RUN",
      }
    `);
  });

  it('No reviewer starts with --verifier none', async () => {
    const place = makePlace({ files: makefileProject });
    const args = ['run', 'say hello', '--check', 'make test', '--verifier', 'none', ...builderOf(place)];
    expect(seen(place, await place.untildone(args))).toMatchInlineSnapshot(`
      {
        "code": 0,
        "sessions": 1,
        "told": "  ✓ starts from: main at COMMIT, on its own branch and worktree; your checkout is not touched
        ✓ setup:       nothing to run (no manifest declares a dependency)
        ✓ checks:      make test (run on the base first)
        ✓ proof:       a check that turns from red to green, or your approval
        ✓ verifier:    none (--verifier none)
        ✓ check make-test: fails before the work (exit 2)
      ✅ Completed: every required criterion passed on a clean checkout
      Proof: checks (a required check was red before the work and is green now)
      Next: review it with \`git diff COMMIT untildone/RUN\`, then land it: untildone land RUN",
      }
    `);
  });
});
