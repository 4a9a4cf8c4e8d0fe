// An agent, its reviewer and a check leave named pipes where git reads files.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { passes, seesFile, shellAgents, writesFile } from './agents.ts';
import { makePlace, runFolders } from './place.ts';

it('A run completes if agents and checks leave named pipes called .gitignore and .gitattributes, names them, and leaves no git alive [X11]', async () => {
  const place = makePlace();
  const builder = `rm -f .gitignore; mkfifo .gitignore .gitattributes\n${writesFile}`;
  const verifier = `mkfifo .gitattributes\n${passes}`;
  const check = `rm -f .gitattributes; mkfifo .gitattributes; ${seesFile}`;
  const { code, stdout } = await place.untildone([
    'run',
    'do it',
    '--check',
    check,
    ...shellAgents(place, { builder, verifier }),
  ]);
  expect(stdout).toContain('.gitignore (a named pipe)');
  expect(stdout).toContain('.gitattributes (a named pipe)');
  const [run = ''] = runFolders(place).map((folder) => basename(folder));
  const logs = join(place.repo, '.untildone/runs', run, 'logs');
  const texts = readdirSync(logs).map((name) => readFileSync(join(logs, name), 'utf8'));
  expect(texts.join('\n')).toContain('.gitignore (a named pipe)');
  expect(code).toBe(0);
  expect(place.living()).toEqual([]);
});
