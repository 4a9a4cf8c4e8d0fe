import { describe, expect, it } from 'vitest';
import type { AgentReport } from '#app/doctor/agent-report.ts';
import type { Payer } from '#kernel/model/config.ts';
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
    refusal: null,
    nameIt: name,
    can: { resume: 'yes', hears: 'at once', cost: 'usd', sandbox: false },
  };
}

const key: Payer = { kind: 'key', name: 'ANTHROPIC_API_KEY' };
const sound: DoctorFindings = {
  git: { version: '2.50' },
  state: { folder: '/state', problem: null, hint: null },
  isWorkSound: true,
  isSandboxMissing: false,
  isBroken: false,
  refusal: null,
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
    const state = { folder: '/state', problem: 'it cannot be written (EROFS)', hint: 'Set XDG_STATE_HOME.' };
    expect(verdict({ state })).toMatchObject({
      text: 'Not ready: the state folder /state cannot be used: it cannot be written (EROFS). Set XDG_STATE_HOME.',
      code: 1,
    });
    expect(verdict({ isWorkSound: false })).toMatchObject({ code: 1 });
  });

  it('A configuration that cannot be read stops every run here', () => {
    const refusal = { message: '/repo/config.jsonc:1:3: unknown key "x".', hint: 'Correct the file.' };
    expect(verdict({ isBroken: true, refusal })).toEqual({
      text: 'Not ready: the configuration cannot be read. /repo/config.jsonc:1:3: unknown key "x". Correct the file.',
      code: 2,
    });
  });

  it('An agent that run refuses is not ready, and the verdict has the same reason as run', () => {
    const refusal = { message: 'Claude Code is not logged in.', hint: 'Log in: claude login.' };
    const loggedOut = { ...agent('claude', 'unsure'), refusal };
    expect(verdict({ agents: [loggedOut, agent('codex', 'missing')] })).toEqual({
      text: 'Not ready: Claude Code is not logged in. Log in: claude login.',
      code: 1,
    });
    expect(verdict({ agents: [loggedOut, agent('codex', 'ready', key)] })).toEqual({
      text: 'Ready. Agents: codex (API key).',
      code: 0,
    });
    expect(verdict({ agents: [loggedOut, agent('gemini', 'unsure')] })).toMatchObject({
      text: expect.stringMatching(/^Nearly ready: gemini/) as string,
      code: 0,
    });
  });

  it('A folder in which run refuses to start is not ready, and the verdict has the same reason as run', () => {
    const refusal = { message: '/x is not in a git repository.', hint: 'Make one with `git init`.' };
    expect(verdict({ refusal })).toEqual({
      text: 'Not ready: /x is not in a git repository. Make one with `git init`.',
      code: 1,
    });
    // Following the hint about the state would only lead to the other refusal.
    const state = { folder: '/state', problem: 'the file system is read-only', hint: 'Set XDG_STATE_HOME.' };
    expect(verdict({ refusal, state }).text).toContain('not in a git repository');
  });

  it('A missing sandbox is reported, and stops no run that works without one', () => {
    expect(verdict({ isSandboxMissing: true })).toEqual({
      text: 'Ready without a sandbox only (--allow-unsandboxed). Agents: claude (API key).',
      code: 0,
    });
  });
});
