import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Criterion } from '#kernel/model/criterion.ts';
import { simulatedConfig } from '#test/simulated/simulated-run.ts';
import type { CheckedStart } from './check-programs.ts';
import { refuseMissingPrograms } from './check-programs.ts';
import { criteriaOf } from '#tasks/criteria/checks.ts';

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'untildone-check-programs-'));
  for (const program of ['npm', 'nm', 'nmap', 'sh']) await makeProgram(join('path', program));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function makeProgram(path: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), '#!/bin/sh\n');
  await chmod(join(folder, path), 0o755);
}

async function refusal(
  commands: readonly string[],
  change: Partial<CheckedStart['config']> & { readonly criterion?: Partial<Criterion>; path?: string } = {},
): Promise<{ message: string; hint: string } | null> {
  const { criterion, path, ...settings } = change;
  const repo = join(folder, 'repo');
  await mkdir(repo, { recursive: true });
  const config = { ...simulatedConfig(), checkEnv: [], ...settings };
  const criteria = criteriaOf(commands, 1000).map((one) => ({ ...one, ...criterion }));
  const env = { PATH: path ?? join(folder, 'path') };
  return refuseMissingPrograms({ cwd: repo, root: repo, env }, { config, tasks: [{ criteria }] }).then(
    () => null,
    (error: unknown) => error as { message: string; hint: string },
  );
}

describe('A check whose program is missing', () => {
  it('A check whose program is missing is refused before a run is created, with the intended name', async () => {
    expect(await refusal(['nmp test'])).toMatchObject({
      code: 'missing-program',
      message: 'The check "nmp test" cannot run: there is no program "nmp" on PATH. Did you mean npm?',
      hint: 'Correct it: --check "npm test". If a command installs the program, name that command: --setup "…".',
    });
    expect(await refusal(['npm test'])).toBeNull();
    expect((await refusal(['npm test', 'CI=1 nmp test']))?.message).toContain('"nmp"');
    expect((await refusal(['frobnicate --all']))?.message).toBe(
      'The check "frobnicate --all" cannot run: there is no program "frobnicate" on PATH.',
    );
  });

  it.each([
    'uv run pytest',
    'go test',
    'tox',
    'bun test',
    'pip check',
    'java -jar a.jar',
    'tsx a.ts',
    'xyz run',
  ])(
    'A missing program gets no suggestion that is too different, or if it is a real program name: %s',
    async (command) => {
      for (const program of ['mvn', 'sh', 'npx', 'npm', 'php', 'tsc', 'cargo'])
        await makeProgram(join('many', program));
      const found = await refusal([command], { path: join(folder, 'many') });
      expect(found?.message).toMatch(/on PATH\.$/);
    },
  );

  it.each([
    ['pyhton3 -m x', 'python3'],
    ['crago test', 'cargo'],
    ['nxp x', 'npx'],
    ['gardle test', 'gradle'],
  ])('A missing program with a small typing error gets a suggestion: %s', async (command, meant) => {
    for (const program of ['python3', 'cargo', 'npx', 'gradle', 'npm'])
      await makeProgram(join('typed', program));
    const found = await refusal([command], { path: join(folder, 'typed') });
    expect(found?.message).toContain(`Did you mean ${meant}?`);
  });

  it('A missing program is refused for the checks of a campaign, whose architect is paid before any check runs', async () => {
    const [criterion] = criteriaOf(['nmp test'], 1000);
    const { policy } = simulatedConfig();
    const planning = { criteria: [criterion], everyTask: [] } as never;
    expect((await refusal([], { policy: { ...policy, planning } }))?.message).toContain('"nmp"');
  });

  it.each([
    './nmp test',
    '/nowhere/nmp test',
    'cd sub && nmp test',
    'test -f nmp',
    '[ -f nmp ]',
    '! nmp test',
    'nmp test || npm test',
    '$RUNNER test',
    '"nmp" test',
    'for x in a b; do nmp $x; done',
    'PATH=$PWD/tools:$PATH nmp test',
    'nmp() { npm "$@"; }\nnmp test',
  ])(
    'A missing program is not refused where a shell may interpret the command differently: %s',
    async (command) => {
      expect(await refusal([command])).toBeNull();
    },
  );

  it('A missing program is not refused where a setup command of the user may install it', async () => {
    expect(
      await refusal(['nmp test'], { setup: { command: 'make tools', isDetected: false, copy: [] } }),
    ).toBeNull();
  });

  it('A missing program is not refused where its check need not pass, may stay red, or was inferred', async () => {
    expect(await refusal(['nmp test'], { criterion: { required: false } })).toBeNull();
    expect(await refusal(['nmp test'], { knownRed: 'all' })).toBeNull();
    expect(await refusal(['nmp test'], { knownRed: ['nmp-test'] })).toBeNull();
    const origin = { from: 'the goal', check: 'inferred', confidence: 1, why: '' } as const;
    expect(await refusal(['nmp test'], { criterion: { origin } })).toBeNull();
  });

  it('A program is searched on the PATH of the checks, and a relative folder there may contain it', async () => {
    await makeProgram('tools/nmp');
    const tools = join(folder, 'tools');
    expect(await refusal(['nmp test'], { checkEnv: { PATH: tools } })).toBeNull();
    expect((await refusal(['npm test'], { checkEnv: { PATH: tools } }))?.message).toContain('"npm"');
    expect(await refusal(['nmp test'], { path: `${join(folder, 'path')}:node_modules/.bin` })).toBeNull();
  });

  it('A missing program is not refused where the repository contains it or a manifest names it', async () => {
    await makeProgram('repo/node_modules/.bin/localtool');
    expect(await refusal(['localtool run'])).toBeNull();
    await writeFile(join(folder, 'repo/pyproject.toml'), '[dependency-groups]\ndev = ["pytest>=8"]\n');
    expect(await refusal(['pytest -q'])).toBeNull();
    expect((await refusal(['pytes -q']))?.message).toContain('"pytes"');
  });
});
