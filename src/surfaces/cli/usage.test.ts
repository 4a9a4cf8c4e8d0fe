// Typical mistakes of a newcomer: words without quotes, sentences instead of ids, repositories without a commit or
// without write permission.
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtEntry } from '#test/program.ts';

const main = builtEntry('cli');
let folder = '';
let repo = '';

interface Said {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function untildone(args: readonly string[], cwd = repo, wrapper: readonly string[] = []): Promise<Said> {
  const env = {
    PATH: process.env['PATH'] ?? '',
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
    HOME: folder,
    XDG_STATE_HOME: join(folder, 'state'),
    UNTILDONE_SANDBOX: 'none',
  };
  const [file = '', ...rest] = [...wrapper, process.execPath, main, ...args];
  return new Promise((resolve) => {
    execFile(file, rest, { cwd, env, timeout: 600_000 }, (error, out, err) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
      resolve({ code, out, err });
    });
  });
}

function git(cwd: string, ...args: string[]): void {
  execFileSync('git', args, { cwd, env: { PATH: process.env['PATH'] ?? '', HOME: folder } });
}

function makeRepo(name: string, hasCommit = true): string {
  const path = join(folder, name);
  mkdirSync(path);
  git(path, 'init', '-q', '-b', 'main');
  if (hasCommit) git(path, 'commit', '-q', '--allow-empty', '-m', 'base');
  return path;
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'untildone-usage-'));
  writeFileSync(join(folder, '.gitconfig'), '[user]\nname = Ada\nemail = ada@example.invalid\n');
  repo = makeRepo('repo');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  ['config', []],
  ['session', []],
  ['notify', []],
  ['config', ['--color', 'never']],
  ['session', ['--color=never']],
] as const)(
  'The group %s without a subcommand prints its own help and exits with 0, after the options %j [X6]',
  async (group, options) => {
    const { code, out, err } = await untildone([...options, group]);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(new RegExp(`^Usage: untildone ${group} .*\\nCommands:\\n  \\w+`, 's'));
  },
);

describe('words without quotes', () => {
  it.each([
    [
      'run add a flag',
      '`untildone run` takes one goal, but 3 words are given.',
      'Put the goal in quotes: untildone run "add a flag"',
    ],
    [
      'run add --agent a a --check=x flag --known-red --budget 5',
      '`untildone run` takes one goal, but 3 words are given.',
      'Put the goal in quotes: untildone run "add a flag" --agent a --check=x --known-red --budget 5',
    ],
    [
      'plan move the store',
      '`untildone plan` takes one goal, but 3 words are given.',
      'Put the goal in quotes: untildone plan "move the store"',
    ],
    [
      'tell use sqlite --run 2026',
      '`untildone tell` takes one text, but 2 words are given.',
      'Put the text in quotes: untildone tell "use sqlite" --run 2026',
    ],
    [
      'criteria explain tests pass',
      '`untildone criteria explain` takes one sentence, but 2 words are given.',
      'Put the sentence in quotes: untildone criteria explain "tests pass"',
    ],
  ])('`untildone %s` is answered with the command to type', async (line, message, hint) => {
    const { code, out, err } = await untildone(line.split(' '));
    expect([code, out, err]).toEqual([2, '', `${message}\nHint: ${hint}\n`]);
  });

  it('The suggested command is safe from expansion by the shell', async () => {
    const { err } = await untildone(['run', 'pay', '$5', "it's", '--check', 'npm test']);
    const typed = /in quotes: untildone (.*)\n/.exec(err)?.[1] ?? '';
    const words = execFileSync('/bin/sh', ['-c', `printf '%s\\n' ${typed}`], { encoding: 'utf8' });
    expect(words.split('\n').slice(0, -1)).toEqual(['run', "pay $5 it's", '--check', 'npm test']);
  });

  it('A command that takes no sentence only says that there are too many arguments', async () => {
    const { code, err } = await untildone(['list', 'all', 'runs']);
    expect([code, err]).toEqual([2, expect.stringContaining("Too many arguments for 'list'")]);
    expect(err).not.toContain('quotes');
  });
});

it.each([
  ['runn', "Unknown command 'runn'.", 'Did you mean `untildone run`? See `untildone --help`.'],
  [
    'config shov',
    "Unknown command 'shov'.",
    'Did you mean `untildone config show`? See `untildone config --help`.',
  ],
  ['run --chek x', "Unknown option '--chek'.", 'Did you mean --check? See `untildone run --help`.'],
  [
    'completion tcsh',
    'The argument shell is "tcsh"; the choices are bash, zsh, fish.',
    'See `untildone completion --help`.',
  ],
  [
    'list --color red',
    '--color is "red"; the choices are auto, always, never.',
    'See `untildone list --help`.',
  ],
])('The mistyped command line `untildone %s` is answered in plain words', async (line, message, hint) => {
  const { code, err } = await untildone(line.split(' '));
  expect([code, err]).toEqual([2, `${message}\nHint: ${hint}\n`]);
});

describe('`criteria explain`', () => {
  it.each([
    '- [ ] README.md exists',
    '* [x] README.md exists',
    '- README.md exists',
    'Compiles.',
    'README.md',
    '全テストが通る',
  ])('The command `criteria explain` reads %j as a sentence, without a run', async (text) => {
    const { code, out, err } = await untildone(['criteria', 'explain', text]);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^ {2}Check:/m);
    expect(out.split('\n')[0]).toBe(text.replace(/^[-*] (\[.\] )?/, ''));
  });

  it.each([
    '- [ ] it works (check: npm test)',
    '1. [ ] it works (check: npm test)',
    '2) it works (check: `npm test`) (optional)',
  ])('The command `criteria explain` uses the check that %j names, as a task file does', async (text) => {
    const { code, out, err } = await untildone(['criteria', 'explain', text]);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^it works\n {2}Check: +command: npm test\n/);
  });

  it.each(['tests-pass', 'lint-clean', 'no_todo_left'])(
    'The command `criteria explain` reads %s as a sentence, and says that no criterion has this id',
    async (text) => {
      const { code, out, err } = await untildone(['criteria', 'explain', text]);
      expect([code, err]).toEqual([0, '']);
      expect(out).toMatch(/^ {2}Check:/m);
      expect(out).toContain('no criterion has this id');
    },
  );

  it('The command `criteria explain` reads AC-2 as an id, even without a run', async () => {
    const { code, err } = await untildone(['criteria', 'explain', 'AC-2']);
    expect([code, err]).toEqual([2, expect.stringContaining('There is no run in this repository')]);
  });
});

describe('a repository without a commit', () => {
  it('In a repository without a commit, `init` works, and `run` reports the missing commit', async () => {
    const empty = makeRepo('empty', false);
    const { code, out, err } = await untildone(['init'], empty);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('created: .untildone/config.jsonc');
    expect(existsSync(join(empty, '.untildone/config.jsonc'))).toBe(true);
    const run = await untildone(['run', 'g', '--agent', 'command:true'], empty);
    expect([run.code, run.err]).toEqual([2, expect.stringContaining('has no commit yet')]);
    expect(run.err).not.toContain('untildone init');
    expect(out).toMatch(/Before the first run: .*no commit yet.*git commit --allow-empty/);
  });

  it('In a repository without a commit, commands that read find no run, and doctor reports what run reports', async () => {
    const empty = makeRepo('empty-too', false);
    expect(await untildone(['list'], empty)).toEqual({
      code: 0,
      out: expect.stringContaining('No run yet') as string,
      err: '',
    });
    const status = await untildone(['status'], empty);
    expect([status.code, status.err]).toEqual([2, expect.stringContaining('There is no run in this')]);
    const doctor = await untildone(['doctor'], empty);
    expect(doctor.code).toBe(1);
    expect(doctor.out).toMatch(/^Not ready: The repository has no commit yet\. .*git commit/);
    expect((await untildone(['criteria', 'explain', 'the tests pass'], empty)).code).toBe(0);
  });
});

describe('doctor where run refuses to start [X3]', () => {
  it('Doctor exits with 1 outside a repository, without a git user name, and if signing fails', async () => {
    const outside = join(folder, 'outside');
    mkdirSync(outside);
    const first = async (cwd: string): Promise<unknown[]> => {
      const { code, out } = await untildone(['doctor'], cwd);
      return [code, out.split('\n')[0]];
    };
    expect(await first(outside)).toEqual([1, expect.stringMatching(/^Not ready: .*not in a git repository/)]);
    const unnamed = makeRepo('unnamed');
    git(unnamed, 'config', 'user.name', '');
    expect(await first(unnamed)).toEqual([1, expect.stringMatching(/^Not ready: git does not know who you/)]);
    const unsigned = makeRepo('unsigned');
    git(unsigned, 'config', 'commit.gpgSign', 'true');
    git(unsigned, 'config', 'gpg.program', '/bin/false');
    expect(await first(unsigned)).toEqual([1, expect.stringMatching(/^Not ready: Commits must be signed/)]);
  });
});

describe('a read-only repository', () => {
  const inMount = ['unshare', '--mount', '--map-root-user'];
  const script = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && cd "$0" && exec "$@"';
  const readOnly = (path: string): string[] => [...inMount, 'sh', '-c', script, path];
  const canMount = ((): boolean => {
    try {
      execFileSync('unshare', ['--mount', '--map-root-user', 'mount', '-t', 'tmpfs', 'none', '/mnt']);
      return true;
    } catch {
      process.stderr.write('NOT TESTED: a read-only repository; this machine does not allow mounts.\n');
      return false;
    }
  })();

  it.runIf(canMount)(
    'In a read-only repository, commands that only read work, with runs and without',
    async () => {
      const plain = makeRepo('plain');
      expect(await untildone(['list', '--json'], plain, readOnly(plain))).toEqual({
        code: 0,
        out: '[]\n',
        err: '',
      });
      expect(existsSync(join(plain, '.git/untildone'))).toBe(false);
      const used = makeRepo('used');
      const begun = await untildone(
        [
          'run',
          'g',
          '--agent',
          'command:echo hello',
          '--check',
          'false',
          '--max-loops',
          '1',
          '--cooldown',
          '0',
        ],
        used,
      );
      expect([begun.code, begun.err]).toEqual([3, '']);
      for (const args of [
        ['list'],
        ['show'],
        ['status'],
        ['stats'],
        ['criteria'],
        ['logs'],
        ['config', 'show'],
      ]) {
        const { code, out, err } = await untildone(args, used, readOnly(used));
        expect([args, code, err]).toEqual([args, 0, '']);
        expect(out).not.toBe('');
      }
    },
  );

  it.runIf(canMount)(
    'In a read-only repository, a run is refused in one sentence, with a next step that helps',
    async () => {
      const fresh = makeRepo('fresh');
      const { code, out, err } = await untildone(
        ['run', 'g', '--agent', 'command:true', '--check', 'false'],
        fresh,
        readOnly(fresh),
      );
      expect([code, out]).toEqual([2, '']);
      expect(err).toMatch(
        /The id of this repository could not be written to .*: the file system is read-only\./,
      );
      expect(err).toMatch(/Hint: .*Make it writable, or work in a clone of it/);
      expect(err).not.toContain('XDG_STATE_HOME');
    },
  );

  it.runIf(canMount)('A read-only repository that had a run before is refused in the same way', async () => {
    const used = makeRepo('used-before');
    const work = [
      '--agent',
      'command:sh -c "echo hi > new.txt"',
      '--check',
      'test -e new.txt',
      '--cooldown',
      '0',
    ];
    expect((await untildone(['run', 'g', ...work], used)).code).toBe(0);
    const runs = (await untildone(['list', '--json'], used)).out;
    const told = async (...args: string[]): Promise<string> => {
      const { code, out, err } = await untildone(args, used, readOnly(used));
      expect([args, code, out]).toEqual([args, 2, '']);
      expect(err.split('\n').filter((line) => line.includes('read-only'))).toHaveLength(1);
      expect(err).toContain('could not be written to');
      expect(err).toContain(': the file system is read-only.\nHint: ');
      expect(err).not.toMatch(/fatal:|EROFS|ENOENT|Free some space|untildone resume/);
      return err;
    };
    expect(await told('run', 'other', ...work)).toMatch(/Hint: .*Make it writable, or work in a clone of it/);
    expect(await told('run', 'other', ...work, '--dry-run')).toMatch(/work in a clone of it/);
    expect(await told('land')).toMatch(/Landing moves a branch/);
    expect(await told('verify')).toMatch(/Verifying makes a checkout/);
    expect(await told('init')).toMatch(/untildone init/);
    expect((await untildone(['list', '--json'], used)).out).toBe(runs);
    expect(existsSync(join(used, '.untildone/config.jsonc'))).toBe(false);
    const { code, out } = await untildone(['doctor'], used, readOnly(used));
    expect(code).toBe(1);
    expect(out).toMatch(
      /^Not ready: Branches and commits could not be written .*: the file system is read-only\. .*a clone of it\.\n/,
    );
    expect(out).toMatch(/❌ repository .*used-before cannot be written: the file system is read-only\n/);
  });

  it.runIf(canMount)(
    'A state folder that cannot be written is reported before a run, with a way to name another one',
    async () => {
      const used = makeRepo('used-state');
      const args = ['--agent', 'command:true', '--check', 'false', '--max-loops', '1', '--cooldown', '0'];
      await untildone(['run', 'g', ...args], used);
      const state = [
        ...readOnly(join(folder, 'state')).slice(0, -2),
        `${script.replace('cd "$0"', 'cd "$0/../used-state"')}`,
        join(folder, 'state'),
      ];
      const { code, out, err } = await untildone(['run', 'other', ...args], used, state);
      expect([code, out]).toEqual([2, '']);
      expect(err).toMatch(
        /could not be written to .*: the file system is read-only\.\nHint: .*XDG_STATE_HOME/,
      );
      expect(err).not.toMatch(/untildone resume|recorded before/);
      // Where the repository cannot be written either, another state folder would not help.
      const both = [...readOnly(used), ...state];
      const neither = await untildone(['run', 'other', ...args], used, both);
      expect([neither.code, neither.err]).toEqual([2, expect.stringContaining('a clone of it')]);
      expect(neither.err).not.toContain('XDG_STATE_HOME');
      const doctor = await untildone(['doctor'], used, state);
      expect(doctor.out).toMatch(
        /^Not ready: the state folder .* cannot be used: .*read-only\. .*set XDG_STATE_HOME.*\n/,
      );
      expect(doctor.out).toMatch(/❌ the state folder .* cannot be used: .*read-only\. .*set XDG_STATE_HOME/);
    },
  );
});
