// The rules of a real run, on a machine with a planted home.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProcesses } from '#adapters/processes/create-processes.ts';
import { findBubblewrap } from '#adapters/sandbox/bubblewrap/find-bubblewrap.ts';
import type { AgentConfig, RunConfig, SandboxConfig } from '#kernel/model/config.ts';
import { findSrt } from '#adapters/sandbox/srt/find-srt.ts';
import type { SandboxRules } from '#ports/sandbox.ts';
import { sandboxOf } from '#config/resolve/sandbox.ts';
import { isProtected, sandboxNote } from '#views/report/sandbox.ts';
import { simulatedConfig } from '#test/simulated/simulated-run.ts';
import { createSandbox } from './create-sandbox.ts';
import { entryOf } from '#app/own-files.ts';
import { agentRules, checkRules, type RulesInput, rulesWith } from './sandbox-rules.ts';
import { settleSandbox } from './sandbox.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'untildone-rules-')));
const at = (path: string): string => join(folder, path);
const sandbox: SandboxConfig = {
  kind: 'auto',
  isRequired: false,
  why: '',
  allowRead: [],
  denyRead: [],
  allowWrite: [],
  allowHosts: [],
};
let registry: Server;
let input: RulesInput;

beforeAll(async () => {
  for (const path of ['home/.tool/bin', 'home/.ssh', 'src/app', 'src/other', 'state/checkout'])
    mkdirSync(at(path), { recursive: true });
  registry = await serveRegistry();
  const address = registry.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/`;
  writeFileSync(at('home/.npmrc'), `registry=${url}\naudit=false\nfund=false\nupdate-notifier=false\n`);
  writeFileSync(at('home/.yarnrc.yml'), 'npmAuthToken: planted\n');
  mkdirSync(at('home/.config/git'), { recursive: true });
  writeFileSync(at('home/.config/git/ignore'), '*.log\n');
  writeFileSync(at('home/.config/git/config'), '[url "https://planted@a.example/"]\n');
  writeFileSync(at('home/.config/git/credentials'), 'https://ada:planted@a.example\n');
  execFileSync('git', ['init', '-q', at('state/checkout')]);
  input = {
    root: at('src/app'),
    commonDir: at('src/app/.git'),
    stateDir: at('state'),
    workspaces: [at('state/checkout')],
    env: { PATH: `${at('home/.tool/bin')}:${process.env['PATH'] ?? ''}`, HOME: at('home') },
    sandbox,
  };
});
afterAll(() => {
  registry.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('The sandbox rules of a run', () => {
  it('The sandbox shows tools and settings without a credential, and hides the rest of the machine [C10]', () => {
    const rules = rulesWith(input, []);
    expect(rules.home).toBe(at('home'));
    const withPackages = rulesWith({ ...input, env: { ...input.env, NODE_PATH: at('src/other') } }, []);
    expect(withPackages.readable).toContain(at('src/other'));
    expect(rules.readable).toEqual(expect.arrayContaining([at('home/.tool'), at('home/.npmrc')]));
    expect(rules.readable).not.toContain(at('home/.yarnrc.yml'));
    const ofGit = rules.readable.filter((path) => path.startsWith(at('home/.config')));
    expect(ofGit).toEqual([at('home/.config/git/ignore')]);
    expect(rules.hidden).toEqual(expect.arrayContaining([at('src'), at('state'), '/home', '/etc/shadow']));
    expect(rules.writable).toEqual([]);
  });

  it('The sandbox allows only the registries that the package managers of this machine use [C10]', async () => {
    const { hosts } = await checkRules({
      ...input,
      sandbox: { ...sandbox, allowHosts: ['db.example:5432'] },
    });
    const address = registry.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    expect(hosts).toEqual(expect.arrayContaining([`127.0.0.1:${port}`, 'db.example:5432']));
  });

  it('The user can hide a path that the sandbox shows, and show a path that it hides', () => {
    const wish = { ...sandbox, denyRead: ['~/.tool'], allowRead: [at('src')], allowWrite: ['~/.npm'] };
    const rules = rulesWith({ ...input, sandbox: wish }, []);
    expect(rules.readable).not.toContain(at('home/.tool'));
    expect(rules.hidden).toContain(at('home/.tool'));
    expect(rules.hidden).not.toContain(at('src'));
    expect(rules.writable).toEqual([at('home/.npm')]);
  });

  it("The sandbox gives an agent its model and its login, and no setting that steers the user's own client [C10]", () => {
    const agent = { driver: 'claude', env: [], options: {} };
    const env = { ...input.env, ANTHROPIC_BASE_URL: 'http://127.0.0.1:4321' };
    const rules = agentRules(rulesWith(input, []), {
      agent,
      env,
      ownDir: at('state/own'),
      hasStandIns: true,
    });
    expect(rules.hosts).toContain('127.0.0.1:4321');
    expect(rules.writable).toContain(at('home/.claude'));
    expect(rules.readable).toContain(at('home/.claude/settings.json'));
    expect(readFileSync(at('home/.claude/settings.json'), 'utf8')).toBe('{}\n');
  });

  it('A client can write its notes in its login folder; its programs are read-only, and other sessions are hidden [C10]', () => {
    const names = [
      '.claude/.credentials.json',
      '.claude/statusline.sh',
      '.claude/local/claude',
      '.claude/projects/x',
    ];
    for (const name of names) {
      mkdirSync(dirname(at(`home/${name}`)), { recursive: true });
      writeFileSync(at(`home/${name}`), 'planted', { mode: name.endsWith('claude') ? 0o755 : 0o600 });
    }
    const rulesOf = (
      driver: string,
      more: { readonly [name: string]: string } = {},
      options: AgentConfig['options'] = {},
      hasStandIns = true,
    ): SandboxRules =>
      agentRules(rulesWith(input, []), {
        agent: { driver, env: [], options },
        env: { ...input.env, ...more },
        ownDir: at('state/own'),
        hasStandIns,
      });
    const { readable, own } = rulesOf('claude');
    expect(readable).toEqual(
      expect.arrayContaining([
        at('home/.claude/statusline.sh'),
        at('home/.claude/local'),
        at('home/.claude/.config.json'),
      ]),
    );
    for (const name of ['.credentials.json', 'projects'])
      expect(readable).not.toContain(at(`home/.claude/${name}`));
    expect(own).toContainEqual({ path: at('home/.claude/projects'), from: at('state/own/.claude/projects') });
    // An empty one that anybody could write would count.
    expect(statSync(at('home/.claude/.config.json')).mode & 0o222).toBe(0);
    const elsewhere = rulesOf('claude', { CLAUDE_CONFIG_DIR: at('home/config') });
    expect(elsewhere.copied).toEqual([at('home/config/.claude.json')]);
    expect(rulesOf('codex').own.map(({ path }) => path)).toContain(at('home/.codex/shell_snapshots'));
    expect(rulesOf('codex').readable).toContain(at('home/.codex/.env'));
    const spoken = { command: ['sh', 'mine.sh'], output: 'gemini' };
    expect(rulesOf('command', {}, spoken).own).toEqual([
      { path: at('home/.gemini'), from: at('state/own/.gemini') },
    ]);
    expect(rulesOf('command', {}, spoken, false).writable).toContain(at('home/.gemini'));
    expect(rulesOf('command', {}, { command: 'npx opencode run' }).own).toEqual([
      { path: at('home/.local/share/opencode'), from: at('state/own/opencode') },
    ]);
    for (const name of ['.gemini', '.local/share/opencode'])
      expect(existsSync(at(`home/${name}`))).toBe(false);
  });

  it('A command that speaks like a client reaches the login of the user, reads its settings, and changes nothing else there [C10]', () => {
    const names = [
      'auth.json',
      'config.toml',
      'state_5.sqlite',
      'state_5.sqlite-wal',
      'sessions/x',
      'run.sh',
    ];
    for (const name of names) {
      mkdirSync(dirname(at(`home/.codex/${name}`)), { recursive: true });
      writeFileSync(at(`home/.codex/${name}`), 'theirs');
    }
    const before = readdirSync(at('home'), { recursive: true });
    const agent = { driver: 'command', env: [], options: { command: 'mine', output: 'codex' } };
    const order = { agent, env: input.env, ownDir: at('state/own'), hasStandIns: true };
    const { readable, writable, own } = agentRules(rulesWith(input, []), order);
    expect(writable).toEqual([at('home/.codex/auth.json')]);
    expect(readable).toEqual(
      expect.arrayContaining([at('home/.codex/config.toml'), at('home/.codex/run.sh')]),
    );
    expect(own).toEqual([{ path: at('home/.codex'), from: at('state/own/.codex') }]);
    expect(readdirSync(at('home'), { recursive: true })).toEqual(before);
  });
});

describe('The model endpoint of a client', () => {
  it("The sandbox allows the model endpoint of the user's client settings, and no other address in them [C10]", () => {
    const files = {
      '.codex/config.toml':
        'docs = "http://10.0.0.1"\n[model_providers.here]\nbase_url = "http://localhost:11434/v1"\n',
      '.config/opencode/opencode.json':
        '{"provider":{"x":{"options":{"baseURL":"https://models.example/v1"}}}}',
      '.claude/settings.json': '{"env":{"ANTHROPIC_BASE_URL":"http://127.0.0.1:8082"}}',
      '.gemini/.env': 'GOOGLE_GEMINI_BASE_URL=http://127.0.0.1:8083\n',
    };
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(at(`home/${name}`)), { recursive: true });
      writeFileSync(at(`home/${name}`), text);
    }
    const hostsOf = (command: string): readonly string[] | null => {
      const agent = { driver: 'acp', env: [], options: { command: [command] } };
      return agentRules(rulesWith(input, []), {
        agent,
        env: input.env,
        ownDir: at('state/own'),
        hasStandIns: true,
      }).hosts;
    };
    expect(hostsOf('codex')).toContain('localhost:11434');
    expect(hostsOf('codex')).not.toContain('10.0.0.1:80');
    expect(hostsOf('opencode')).toContain('models.example:443');
    expect(hostsOf('claude')).toContain('127.0.0.1:8082');
    expect(hostsOf('gemini')).toContain('127.0.0.1:8083');
  });
});

describe('An agent that is a script', () => {
  it('A script is shown with its neighbouring files, but alone where repositories or state are beside it [C10]', () => {
    mkdirSync(at('agent'), { recursive: true });
    for (const path of ['agent/run.sh', 'run.sh', 'src/app/run.sh']) writeFileSync(at(path), '');
    const shownFor = (path: string): readonly string[] => {
      const agent = { driver: 'command', env: [], options: { command: `sh ${at(path)}` } };
      return agentRules(rulesWith(input, []), {
        agent,
        env: input.env,
        ownDir: at('state/own'),
        hasStandIns: true,
      }).readable;
    };
    expect(shownFor('agent/run.sh')).toContain(at('agent'));
    expect(shownFor('run.sh')).toContain(at('run.sh'));
    expect(shownFor('run.sh')).not.toContain(folder);
    mkdirSync(at('src/app/.git'), { recursive: true });
    expect(shownFor('src/app/run.sh')).not.toContain(at('src/app'));
  });

  it.each(['"', "'"])('A script is shown where its path is in quotes and has a blank: %s [C10]', (quote) => {
    mkdirSync(at('my tools'), { recursive: true });
    writeFileSync(at('my tools/run.sh'), '');
    const readableOf = (command: unknown): readonly string[] => {
      const agent = { driver: 'command', env: [], options: { command } } as const;
      const order = { env: input.env, ownDir: at('state/own'), hasStandIns: true };
      return agentRules(rulesWith(input, []), { ...order, agent }).readable;
    };
    const quoted = `${quote}${at('my tools/run.sh')}${quote}`;
    for (const command of [quoted, `A=1 ${quoted} --yes`, [at('my tools/run.sh'), '--yes']])
      expect(readableOf(command)).toContain(at('my tools'));
    writeFileSync(at('plain.sh'), '');
    expect(readableOf(`${quote}${at('plain.sh')}${quote} > ${quote}/dev/null${quote}`)).toEqual([
      ...rulesWith(input, []).readable,
      at('plain.sh'),
      at('plain.sh'),
    ]);
  });

  it('A command that names /dev/null, /proc or the root folder keeps the devices of the sandbox [C10]', () => {
    const checks = rulesWith(input, []);
    const command = 'cat /proc/version > /dev/null && ls / && echo right > /dev/stdout';
    const agent = { driver: 'command', env: [], options: { command } };
    const order = { agent, env: input.env, ownDir: at('state/own'), hasStandIns: true };
    expect(agentRules(checks, order).readable).toEqual(checks.readable);
  });
});

describe('The sandbox of a run', () => {
  const agents: { [name: string]: AgentConfig } = { mine: { driver: 'command', env: [], options: {} } };
  const configOf = (wish: Partial<SandboxConfig>): RunConfig => ({
    ...simulatedConfig({ agents }),
    sandbox: { ...sandbox, ...wish },
  });

  it('A run has no sandbox where the user says so, and it records the reason', () => {
    expect(settleSandbox(configOf({ kind: 'none', isRequired: true })).sandbox).toMatchObject({
      kind: 'none',
      why: 'you asked for that',
    });
  });

  it.runIf('path' in findBubblewrap())(
    'An unknown agent is sandboxed too, and the run says which access it may lack [C10]',
    () => {
      const settled = settleSandbox(configOf({}));
      expect(settled.sandbox?.undescribed).toEqual(['mine']);
      expect(sandboxNote(settled)).toMatch(
        /by bubblewrap.*the needs of mine are unknown.*sandbox\.allowHosts/,
      );
      expect(isProtected(settled)).toBe(true);
      expect(settleSandbox(configOf({ allowHosts: ['a.example'] })).sandbox?.undescribed).toBeUndefined();
    },
  );

  it('A sandbox is required in every run without an attached session, unless the user says otherwise [C10]', () => {
    const isRequired = (settings: { readonly [name: string]: unknown }, driver = 'command'): boolean =>
      sandboxOf(
        new Map(
          Object.entries(settings).map(([name, value]) => [
            name,
            { value, origin: { kind: 'flag', where: name } },
          ]),
        ),
        { a: { driver, env: [], options: {} } },
      ).isRequired;
    expect(isRequired({})).toBe(true);
    expect(isRequired({ 'sandbox.required': false })).toBe(false);
    expect(isRequired({}, 'foreign')).toBe(false);
    expect(isRequired({ 'sandbox.required': true }, 'foreign')).toBe(true);
  });

  it.runIf('problem' in findSrt())('A run whose named sandbox is missing is refused [C10] [X3]', () => {
    expect(() => settleSandbox(configOf({ kind: 'srt', isRequired: true }))).toThrow(
      'cannot be sandboxed here',
    );
    const allowed = settleSandbox(configOf({ kind: 'srt', isRequired: false }));
    expect(allowed.sandbox).toMatchObject({ kind: 'none' });
    expect(sandboxNote(allowed)).toContain('NOT SANDBOXED');
  });
});

describe.runIf('path' in findBubblewrap())('Honest work inside the sandbox', () => {
  it('A sandboxed npm installs a package from its configured registry, and from no other [C10]', async () => {
    writeFileSync(at('state/checkout/package.json'), '{"name":"app","version":"1.0.0"}');
    const rules = { ...(await checkRules(input)), commonDir: null };
    const shut = createSandbox(
      { kind: 'bubblewrap', rules },
      { hostEntry: entryOf('host'), env: process.env },
    );
    let said = '';
    const ending = await createProcesses({ confine: 'auto', sandbox: shut }).start({
      command: 'npm install small-thing 2>&1 && node -e "console.log(require(\'small-thing\'))"',
      cwd: at('state/checkout'),
      env: input.env,
      mark: `rules-test/${process.pid}`,
      wallMs: 600_000,
      idleMs: null,
      graceMs: 1_000,
      input: null,
      onOutput: (chunk) => {
        said += chunk.toString('utf8');
      },
    }).ended;
    shut.close();
    expect({ ending, said }).toMatchObject({ ending: { kind: 'exited', code: 0 } });
    expect(said).toContain('it works');
  });
});

/** One package, as a registry of npm tells of it. */
async function serveRegistry(): Promise<Server> {
  mkdirSync(at('pack/package'), { recursive: true });
  writeFileSync(at('pack/package/package.json'), '{"name":"small-thing","version":"1.0.0","main":"main.js"}');
  writeFileSync(at('pack/package/main.js'), "module.exports = 'it works';");
  execFileSync('tar', ['-czf', at('pack/small.tgz'), '-C', at('pack'), 'package']);
  const tarball = readFileSync(at('pack/small.tgz'));
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  const server = createServer((request, response) => {
    if (request.url?.endsWith('.tgz') === true) return void response.end(tarball);
    const dist = { tarball: `http://${request.headers.host ?? ''}/small.tgz`, integrity };
    const version = { name: 'small-thing', version: '1.0.0', main: 'main.js', dist };
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        name: 'small-thing',
        'dist-tags': { latest: '1.0.0' },
        versions: { '1.0.0': version },
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
