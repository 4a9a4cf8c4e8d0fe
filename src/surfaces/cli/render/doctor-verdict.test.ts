import { describe, expect, it } from 'vitest';
import type { AgentReport } from '#compose/agent-report.ts';
import type { Payer } from '#kernel/config.ts';
import type { DoctorFindings } from './doctor-verdict.ts';
import { doctorVerdict } from './doctor-verdict.ts';

function agent(name: string, state: AgentReport['state'], payer: Payer | null = null): AgentReport {
  return {
    name,
    state,
    payer,
    title: name.toUpperCase(),
    kind: 'client',
    version: null,
    address: null,
    models: [],
    install: `npm install -g ${name}`,
    begin: `${name} login`,
    next: null,
    nameIt: name,
    can: { resume: 'yes', hears: 'at once', cost: 'usd', sandbox: false },
  };
}

const key: Payer = { kind: 'key', name: 'ANTHROPIC_API_KEY' };
const sound: DoctorFindings = {
  git: { version: '2.50' },
  state: { folder: '/state', problem: null },
  isWorkSound: true,
  isSandboxMissing: false,
  isBroken: false,
  root: '/repo',
  readOnly: null,
  agents: [agent('claude', 'ready', key), agent('codex', 'missing')],
};

const verdict = (change: Partial<DoctorFindings>) => doctorVerdict({ ...sound, ...change });

describe('the verdict of doctor', () => {
  it('A machine on which a run can start is ready, with the agents and who pays', () => {
    expect(verdict({})).toEqual({ text: 'Ready. Agents: claude (API key).', code: 0 });
    const agents = [
      agent('claude', 'ready', { kind: 'subscription', name: 'your Claude subscription' }),
      agent('ollama', 'ready', { kind: 'nobody', name: 'a local model' }),
      agent('bedrock', 'ready', { kind: 'account', name: 'your AWS account' }),
      agent('mine', 'ready', { kind: 'unknown', name: "the agent's own login" }),
    ];
    expect(verdict({ agents }).text).toBe(
      'Ready. Agents: claude (subscription), ollama (local model), bedrock (your AWS account), mine.',
    );
  });

  it('A machine without any agent is not ready, and the exit code says so', () => {
    const { text, code } = verdict({ agents: [agent('claude', 'missing'), agent('codex', 'missing')] });
    expect(text).toBe(
      'Not ready: no agent was found. Install one (npm install -g claude), or name your own: --agent "command:my-cli --flag".',
    );
    expect(code).toBe(1);
  });

  it('An agent without a login that we can see may still work: the verdict names it and how to log in', () => {
    const agents = [agent('claude', 'unsure'), agent('codex', 'missing')];
    expect(verdict({ agents })).toEqual({
      text: 'Nearly ready: claude is installed, but no login was found. Log in: claude login.',
      code: 0,
    });
  });

  it('Without git, a writable state folder or a sound small run, nothing could run', () => {
    expect(verdict({ git: { problem: 'git was not found' } })).toEqual({
      text: 'Not ready: git was not found. Install git 2.38 or newer.',
      code: 1,
    });
    const state = { folder: '/state', problem: 'it cannot be written (EROFS)' };
    expect(verdict({ state })).toMatchObject({
      text: 'Not ready: state cannot be kept in /state: it cannot be written (EROFS).',
      code: 1,
    });
    expect(verdict({ isWorkSound: false })).toMatchObject({ code: 1 });
  });

  it('A configuration that cannot be read stops every run here', () => {
    expect(verdict({ isBroken: true })).toEqual({
      text: 'Not ready: the configuration cannot be read (see the last line).',
      code: 2,
    });
  });

  it('A missing sandbox and a folder without a repository are said, and stop no run elsewhere', () => {
    expect(verdict({ isSandboxMissing: true })).toEqual({
      text: 'Ready without a sandbox only (--allow-unsandboxed). Agents: claude (API key).',
      code: 0,
    });
    expect(verdict({ root: null })).toEqual({
      text: 'Ready, but a run starts in a git repository, and this folder is in none. Agents: claude (API key).',
      code: 0,
    });
  });
});
