import { execFileSync } from 'node:child_process';
import { execPath } from 'node:process';
import { describe, expect, it } from 'vitest';
import type { Ancestor } from '#adapters/processes/ancestors.ts';
import { clientOfHook } from './inside.ts';

const shell = process('1', {});
const client = process('2', {});
const hook = { CLAUDECODE: '1', CLAUDE_PLUGIN_ROOT: '/plugin', AI_AGENT: 'claude-code_2-1-325_harness' };
const tool = { CLAUDECODE: '1', AI_AGENT: 'claude-code_2-1-325_agent' };

function process(pid: string, env: { readonly [name: string]: string }): Ancestor {
  return { pid: Number(pid), env: new Map(Object.entries(env)) };
}

describe('The author of a command', () => {
  it('A command is from a person when the client itself started our hook [K11] [X12]', () => {
    expect(clientOfHook([process('4', hook), process('3', hook), client, shell])).toBe(2);
  });

  it.each([
    ['a tool call', [process('4', tool), process('3', tool), client, shell]],
    ['a tool call in the clothes of a hook', [process('4', hook), process('3', tool), client, shell]],
    ['one that has shed its environment', [process('5', hook), process('4', {}), process('3', tool), client]],
    [
      'a second client that a tool call started',
      [process('6', hook), process('5', hook), process('4', tool), process('3', tool), client, shell],
    ],
    [
      'a second client without the variables of the first',
      [process('6', hook), process('5', hook), process('4', {}), process('3', tool), client, shell],
    ],
    ['a hook of somebody else', [process('3', { CLAUDECODE: '1' }), client, shell]],
    [
      'a tool call where everything carries the name of the plugin',
      [process('3', hook), process('2', { CLAUDE_PLUGIN_ROOT: '/plugin' }), shell],
    ],
    ['anything inside a run', [process('3', hook), process('2', { UNTILDONE_MARK: 'run/0001' }), shell]],
    ['nobody that can be seen', []],
    ['a process without a client above it', [process('3', hook)]],
  ] as const)('A command is not from a person when it comes from %s [K11] [X12]', (_, above) => {
    expect(clientOfHook(above)).toBeNull();
  });
});

describe('The run of a process', () => {
  it('A process belongs to the run of its outermost parent, whatever an agent wrote into the environment of its children [X12] [X14]', () => {
    const told = "import { markAbove } from '#app/controls/inside.ts'; console.log(markAbove(process.env));";
    const agent = `UNTILDONE_MARK=other/2 "$0" --input-type=module -e "$1"; true`;
    const said = execFileSync('sh', ['-c', agent, execPath, told], {
      cwd: new URL('../../..', import.meta.url),
      env: { PATH: '/usr/bin:/bin', UNTILDONE_MARK: 'mine/1' },
      encoding: 'utf8',
    });
    expect(said.trim()).toBe('mine/1');
  });
});
