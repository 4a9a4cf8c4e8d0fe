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
  pythonTestsFirst,
  reviewedBy,
  uvProject,
} from './projects.ts';
import { told } from './plain.ts';

/** What a new user sees, how it ended, and how many sessions were started. */
function seen(place: Place, finished: Finished): { told: string; code: number | null; sessions: number } {
  return { told: told(place, finished), code: finished.code, sessions: sessionsIn(place) };
}

function sessionsIn(place: Place): number {
  return runFolders(place).reduce((sum, folder) => sum + sessionsOf(readEvents(folder)).length, 0);
}

describe('a repository with dependencies [X16]', () => {
  it('installs the dependencies of an npm library that has no lock file, once, and commits no lock file', async () => {
    const place = makePlace({ files: npmLibrary });
    const run = await place.untildone(['run', 'say hello', '--check', 'npm test', ...builderOf(place)]);
    expect(seen(place, run)).toMatchInlineSnapshot();
    expect(place.git('log', '--all', '--name-only', '--format=')).not.toContain('package-lock.json');
    expect(place.git('status', '--porcelain')).toBe('');
  });

  it('takes uv for a project with a uv.lock', async () => {
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
    expect(seen(place, await place.untildone(args, { env }))).toMatchInlineSnapshot();
  });

  it('stops before the first session where the lock file does not install, and goes on with another setup', async () => {
    const lock = '{ "lockfileVersion": 3, "packages": {} }\n';
    const place = makePlace({ files: { ...npmLibrary, 'package-lock.json': lock } });
    const run = await place.untildone(['run', 'say hello', '--check', 'npm test', ...builderOf(place)]);
    expect(seen(place, run)).toMatchInlineSnapshot();
    const resumed = await place.untildone([
      'resume',
      '--setup',
      'npm install --no-save --no-package-lock --offline',
    ]);
    expect(seen(place, resumed)).toMatchInlineSnapshot();
  });

  it('refuses a check whose package is declared and not installed, before the first session', async () => {
    const place = makePlace({ files: npmLibrary });
    const args = ['run', 'say hello', '--no-setup', '--check', 'npm test', ...builderOf(place)];
    expect(seen(place, await place.untildone(args))).toMatchInlineSnapshot();
  });

  it('refuses a check whose test runner is not installed, before the first session', async () => {
    const manifest = JSON.stringify({ name: 'sample', private: true, scripts: { test: 'no-such-runner' } });
    const place = makePlace({ files: { 'package.json': manifest } });
    const args = ['run', 'say hello', '--check', 'npm test', ...builderOf(place)];
    expect(seen(place, await place.untildone(args))).toMatchInlineSnapshot();
  });
});

describe('tests that were written first [X16]', () => {
  for (const [language, project] of Object.entries({
    JavaScript: javascriptTestsFirst,
    Python: pythonTestsFirst,
    Go: goTestsFirst,
  })) {
    it(`${language}: a missing module of the repository is an ordinary failure`, async (context) => {
      if (!project.isHere()) return context.skip(`NOT RUN: ${language} is not on this machine`);
      const place = makePlace({ files: project.files });
      const args = ['run', 'say hello', '--check', project.check, ...builderOf(place, project.work)];
      const { code, stdout } = await place.untildone(args);
      expect({ code, stdout }).toMatchObject({ code: 0 });
      expect(sessionsIn(place)).toBe(1);
    });
  }
});

describe('an ordinary repository [X16]', () => {
  it('runs the target of a Makefile', async () => {
    const place = makePlace({ files: makefileProject });
    const run = await place.untildone(['run', 'say hello', '--check', 'make test', ...builderOf(place)]);
    expect(seen(place, run)).toMatchInlineSnapshot();
  });

  it('says of a suite that is green today that it cannot prove the work', async () => {
    const place = makePlace({ files: { 'test.sh': 'true\n' } });
    const args = [
      'run',
      'say hello',
      '--check',
      'sh test.sh',
      ...reviewedBy(place, 'echo; echo "===VERIFIER_COMPLETE==="'),
    ];
    expect(seen(place, await place.untildone(args))).toMatchInlineSnapshot();
  });

  it('names the uncommitted files that are not part of the run', async () => {
    const place = makePlace({ files: makefileProject });
    place.write('repo/notes.txt', 'not committed\n');
    place.write('repo/Makefile', 'test:\n\ttrue\n');
    const args = ['run', 'say hello', '--check', 'make test', ...builderOf(place)];
    expect(seen(place, await place.untildone(args))).toMatchInlineSnapshot();
    expect(readFileSync(join(place.repo, 'Makefile'), 'utf8')).toBe('test:\n\ttrue\n');
  });

  it('stops after the list with --dry-run, and leaves nothing behind', async () => {
    const place = makePlace({ files: makefileProject });
    const args = ['run', 'say hello', '--check', 'make test', '--dry-run', ...builderOf(place)];
    expect(seen(place, await place.untildone(args))).toMatchInlineSnapshot();
    expect(runFolders(place)).toEqual([]);
    expect(place.git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
    expect(place.git('worktree', 'list').split('\n')).toHaveLength(1);
    expect(existsSync(join(place.folder, 'agent-was-here'))).toBe(false);
  });

  it('needs a first commit in an empty repository', async () => {
    const place = makePlace({ files: {} });
    const args = ['run', 'say hello', '--check', 'sh test.sh', ...builderOf(place)];
    expect(seen(place, await place.untildone(args))).toMatchInlineSnapshot();
  });

  it('reads in a read-only repository, and says why it cannot start a run there', async (context) => {
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
    expect(seen(place, list)).toMatchInlineSnapshot();
    const args = ['run', 'say hello', '--check', 'make test', ...builderOf(place)];
    expect(seen(place, await place.untildone(args, { wrapper }))).toMatchInlineSnapshot();
  });
});

describe('agents before the first session [X16]', () => {
  it('refuses Claude Code as root at once, and names the flag', async (context) => {
    const place = makePlace({ files: makefileProject });
    if (process.getuid?.() !== 0) return context.skip('NOT RUN: this test needs root');
    const env = { ANTHROPIC_API_KEY: 'sk-ant-not-a-real-key' };
    const args = ['run', 'say hello', '--check', 'make test', '--agent', 'claude'];
    expect(seen(place, await place.untildone(args, { env }))).toMatchInlineSnapshot();
  });

  it('refuses an agent without a login at once', async () => {
    const place = makePlace({ files: makefileProject });
    place.write('programs/codex', '#!/bin/sh\necho codex-cli 1.0.0\n');
    place.makeExecutable('programs/codex');
    const env = { PATH: `${join(place.folder, 'programs')}:${place.env['PATH'] ?? ''}` };
    const args = ['run', 'say hello', '--check', 'make test', '--agent', 'codex'];
    expect(seen(place, await place.untildone(args, { env }))).toMatchInlineSnapshot();
  });

  it('refuses a model that the local endpoint does not list', async () => {
    const server = createServer((_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ object: 'list', data: [{ id: 'small-coder' }, { id: 'large-coder' }] }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const address = server.address();
      const port = address !== null && typeof address === 'object' ? address.port : 0;
      const place = makePlace({ files: makefileProject });
      const agents = { local: { driver: 'openai-compatible', baseUrl: `http://127.0.0.1:${port}/v1` } };
      place.write('repo/.untildone/config.jsonc', JSON.stringify({ agents }));
      const args = ['run', 'say hello', '--check', 'make test', '--agent', 'local:smal-coder'];
      const finished = await place.untildone(args);
      expect(seen(place, finished).told.replaceAll(String(port), 'PORT')).toMatchInlineSnapshot();
      expect([finished.code, sessionsIn(place)]).toEqual([2, 0]);
    } finally {
      server.close();
    }
  });

  it('asks a reviewer without a verdict once more, then waits for a person', async () => {
    const place = makePlace({ files: makefileProject });
    const args = ['run', 'say hello', '--check', 'make test', ...reviewedBy(place, 'echo Looks good to me.')];
    expect(seen(place, await place.untildone(args))).toMatchInlineSnapshot();
  });

  it('does not take a plain command for the verifier, and says so', async () => {
    const place = makePlace({ files: makefileProject });
    const script = place.write(
      'agent.sh',
      'cat > /dev/null; echo hello > hello.txt; echo "===WIGGUM_COMPLETE==="\n',
    );
    const args = ['run', 'say hello', '--check', 'make test', '--agent', `command:sh ${script}`];
    expect(seen(place, await place.untildone(args))).toMatchInlineSnapshot();
  });

  it('starts no reviewer with --verifier none', async () => {
    const place = makePlace({ files: makefileProject });
    const args = ['run', 'say hello', '--check', 'make test', '--verifier', 'none', ...builderOf(place)];
    expect(seen(place, await place.untildone(args))).toMatchInlineSnapshot();
  });
});
