// Wrong commands, settings and places that a new user may try. Each is refused before anything is paid.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Place, PlaceOptions } from '../place.ts';

export interface BadInput {
  /** The arguments after `untildone`. */
  readonly args: readonly string[];
  /** Shown in the table where the arguments alone do not say what is wrong. */
  readonly given?: string;
  readonly env?: { readonly [name: string]: string };
  readonly place?: PlaceOptions;
  /** Written to .untildone/config.jsonc. */
  readonly config?: string;
  /** Makes the situation; what it returns is added to the environment. */
  readonly prepare?: (place: Place) => { readonly [name: string]: string } | void;
}

export interface BadInputGroup {
  readonly title: string;
  readonly inputs: readonly BadInput[];
}

const agent = ['--agent', 'command:true'];
const goal = ['run', 'add a flag'];
/** A command that would be right: the setting or the place is wrong. */
export const work: readonly string[] = [...goal, '--check', 'grep -q right done.txt', ...agent];

const usage: BadInputGroup = {
  title: 'Commands and options',
  inputs: [
    { args: ['rn', 'add a flag'] },
    { args: ['statsu'] },
    { args: ['run', 'add', 'a', 'flag'] },
    { args: ['run', '', ...agent] },
    { args: ['run', ...agent], given: 'no goal and no plan' },
    { args: ['run', ...agent], env: { WIGGUM_PLAN_DIR: 'plans' } },
    { args: [...goal, '--chek', 'npm test'] },
    { args: [...goal, '--check'] },
    { args: [...goal, '--check', '', ...agent] },
    { args: [...goal, '--budget', 'usd=lots'] },
    { args: [...goal, '--budget', 'money=5'] },
    { args: [...goal, '--budget', 'sessions=0'] },
    { args: [...goal, '--budget', 'plenty'] },
    { args: [...goal, '--budget', '-5'] },
    { args: [...goal, '--max-loops', 'many'] },
    { args: [...goal, '--cooldown', 'soon'] },
    { args: [...goal, '--preset', 'builder-verifer'] },
    { args: [...goal, '--sandbox', 'docker', ...agent] },
    { args: [...goal, '--verifier', 'codex', ...agent] },
    { args: [...work, '--resume'], given: 'nothing to resume' },
    { args: ['suspend'] },
    { args: ['suspend', '--time', 'soon'] },
    { args: ['suspend', '--time', '0'] },
    { args: ['suspend', '--until', '2020-01-01T00:00'] },
    { args: ['suspend', '--poll'] },
    { args: ['suspend', '--every', '5s', '--manual'] },
    { args: ['suspend', '--time', '1h', '--manual'] },
    { args: ['suspend', '--any', '--all', '--time', '1h', '--manual'] },
    { args: ['resume', '--force', '--approve'] },
    { args: ['resume', '--reject', ''] },
    { args: ['resume', '--status', '--force'] },
    { args: ['resume', '--task', 'main'] },
    { args: ['tell'] },
    { args: ['tell', ' '] },
    { args: ['criteria', 'explain', ' '] },
    { args: ['config', 'sho'] },
    { args: ['help', 'chekcs'] },
    { args: ['completion', 'tcsh'] },
    { args: ['clean', '--older', 'soon'] },
  ],
};

const agents: BadInputGroup = {
  title: 'Agents and checks',
  inputs: [
    { args: goal, given: 'no agent' },
    { args: [...goal, '--agent', 'cluade'] },
    { args: [...goal, '--agent', 'boss=claude'] },
    { args: [...goal, '--agent', 'command:'] },
    { args: [...goal, '--agent', 'command:no-such-agent --flag'] },
    { args: [...goal, '--agent', 'claude'], given: 'Claude Code is not installed' },
    { args: [...goal, '--agent', 'codex'], given: 'Codex is not installed' },
    { args: [...goal, '--agent', 'gemini'], given: 'Gemini is not installed' },
    { args: [...goal, '--agent', 'opencode'], given: 'OpenCode is not installed' },
    { args: [...goal, '--agent', 'acp:no-such-agent'] },
    { args: [...goal, '--agent', 'scripted:no-such-file.json'] },
    { args: [...goal, '--agent', 'codex'], given: 'Codex has no login', prepare: withCodex },
    { args: [...goal, ...agent, '--pay', 'me'] },
    { args: [...goal, '--check', 'nmp test', ...agent] },
    { args: [...goal, '--check', 'file:', ...agent] },
    { args: [...goal, '--held-out', 'no-such-file.jsonc', ...agent] },
    { args: ['doctor', '--agent', 'cluade'] },
  ],
};

const runs: BadInputGroup = {
  title: 'Runs, tasks and files',
  inputs: [
    { args: ['status'] },
    { args: ['status', 'no-such-run'] },
    { args: ['stop', '../../etc'] },
    { args: ['resume'] },
    { args: ['suspend', '--time', '1h'] },
    { args: ['resume', 'no-such-run', '--setup', 'npm ci'] },
    { args: ['land'] },
    { args: ['verify', 'no-such-run'] },
    { args: ['approve'] },
    { args: ['retry', 'main'] },
    { args: ['logs', 'no-such-run'] },
    { args: ['export', 'no-such-run'] },
    { args: ['report', 'no-such-run'] },
    { args: ['queue', ...agent], given: 'no task file' },
    { args: ['queue', 'no-such-file.md', ...agent] },
    { args: ['queue', 'tasks.md', ...agent], given: 'an empty task file', prepare: withTasks('') },
    {
      args: ['queue', 'tasks.md', ...agent],
      given: 'tasks that wait for each other',
      prepare: withTasks(
        [
          '## Task 1: First\n**Depends on**: Task 2\n**Acceptance Criteria**\n- [ ] it works (check: make first)\n',
          '## Task 2: Second\n**Depends on**: Task 1\n**Acceptance Criteria**\n- [ ] it works (check: make second)\n',
        ].join('\n'),
      ),
    },
    { args: ['import', 'no-such-file.md'] },
    { args: [...goal, '--preset', 'campaign', '--plan', 'no-such-plan.json', ...agent] },
  ],
};

const settings: BadInputGroup = {
  title: 'Configuration and environment',
  inputs: [
    { args: work, config: '{\n  "chekcs": ["true"]\n}' },
    { args: work, config: '{\n  "checks": ["true"\n' },
    { args: work, config: '{ "checks": [{ "run": "true", "timeout": "soon" }] }' },
    { args: work, config: '{ "checks": [{ "run": "true", "cwd": "../.." }] }' },
    {
      args: work,
      config: '{ "checks": [{ "id": "a", "run": "true" }, { "id": "a", "run": "false" }] }',
    },
    { args: work, config: '{ "roles": { "bilder": { "agent": "claude" } } }' },
    { args: work, config: '{ "budget": { "usd": "50" } }' },
    {
      args: [...goal, '--agent', 'mine'],
      config: '{ "agents": { "mine": { "driver": "openai-compatible" } } }',
    },
    {
      args: [...goal, '--agent', 'mine'],
      config: '{ "agents": { "mine": { "driver": "command", "command": "true", "promt": "stdin" } } }',
    },
    { args: work, env: { WIGGUM_MAX_LOOPS: 'many' } },
    { args: work, env: { WIGGUM_MAX_LOOPS: '0' } },
    { args: work, env: { WIGGUM_COOLDOWN_SECONDS: '-1' } },
    { args: work, env: { WIGGUM_REPO_ROOT: '/no/such/folder' } },
    { args: work, env: { UNTILDONE_SANDBOX: 'docker' } },
  ],
};

const places: BadInputGroup = {
  title: 'Repositories and machines',
  inputs: [
    { args: work, given: 'not a git repository', place: { isRepository: false } },
    { args: work, given: 'a repository without a commit', place: { files: {} } },
    { args: work, given: 'git is not installed', prepare: withoutGit },
    { args: work, given: 'git has no user name', prepare: (place) => writeHome(place, '.gitconfig', '') },
    { args: work, given: 'commits cannot be signed', prepare: withBrokenSigning },
    { args: [...work, '--in-place'], given: 'an uncommitted change', prepare: withUncommitted },
    { args: work, given: 'the state folder is a file', prepare: withStateFile },
  ],
};

export const badInputs: readonly BadInputGroup[] = [usage, agents, runs, settings, places];

function withTasks(text: string): (place: Place) => void {
  return (place) => void place.write('repo/tasks.md', text);
}

function withCodex(place: Place): { readonly [name: string]: string } {
  place.write('programs/codex', '#!/bin/sh\necho codex-cli 0.0.0\n');
  place.makeExecutable('programs/codex');
  return { PATH: `${join(place.folder, 'programs')}:${place.env['PATH'] ?? ''}` };
}

function withoutGit(place: Place): { readonly [name: string]: string } {
  const folder = join(place.folder, 'programs');
  mkdirSync(folder);
  symlinkSync(process.execPath, join(folder, 'node'));
  symlinkSync('/bin/sh', join(folder, 'sh'));
  symlinkSync('/usr/bin/env', join(folder, 'env'));
  return { PATH: folder };
}

function withBrokenSigning(place: Place): void {
  place.git('config', 'commit.gpgSign', 'true');
  place.git('config', 'gpg.program', '/bin/false');
}

function withUncommitted(place: Place): void {
  writeFileSync(join(place.repo, 'README.md'), 'my own edit\n');
}

function withStateFile(place: Place): { readonly [name: string]: string } {
  return { XDG_STATE_HOME: place.write('occupied', 'a file') };
}

function writeHome(place: Place, name: string, text: string): void {
  place.write(`home/${name}`, text);
}
