// Claude Code as root: the list before the start, the dry run and the session agree whether it can work.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readEvents, sessionsOf } from '../journal.ts';
import type { Place } from '../place.ts';
import { makePlace, runFolders } from '../place.ts';
import { canSandbox, sandboxNote } from '../sandboxed.ts';
import { plain } from './plain.ts';
import { makefileProject } from './projects.ts';

/** Refuses root as the real client does, and speaks its protocol. */
const client = (work: string): string => `#!/bin/sh
if [ "$1" = --version ]; then echo 1.0.0; exit; fi
if [ "$(id -u)" = 0 ] && [ "$IS_SANDBOX" != 1 ]; then
  echo "--dangerously-skip-permissions cannot be used with root/sudo privileges" >&2
  exit 1
fi
read -r prompt
${work}
echo '{"type":"system","subtype":"init","model":"claude-fake-1","session_id":"s"}'
echo '{"type":"assistant","message":{"id":"m","model":"claude-fake-1","role":"assistant","content":[{"type":"text","text":"===WIGGUM_COMPLETE==="}],"usage":{"input_tokens":1,"output_tokens":1}},"parent_tool_use_id":null,"session_id":"s"}'
echo '{"type":"result","subtype":"success","is_error":false,"terminal_reason":"completed","total_cost_usd":0.01,"session_id":"s"}'
`;

const run = ['run', 'say hello', '--check', 'make test', '--agent', 'claude', '--verifier', 'none'];

function withClient(isSandboxed: boolean, work: string): { place: Place; env: { [name: string]: string } } {
  const place = makePlace({ files: makefileProject, isSandboxed });
  place.write('programs/claude', client(work));
  place.makeExecutable('programs/claude');
  const settings = { agents: { claude: { driver: 'claude', via: 'cli', env: ['IS_SANDBOX'] } } };
  place.write('repo/.untildone/config.jsonc', JSON.stringify(settings));
  const PATH = `${join(place.folder, 'programs')}:${place.env['PATH'] ?? ''}`;
  return { place, env: { PATH, ANTHROPIC_API_KEY: 'sk-ant-not-a-real-key' } };
}

function sessionsIn(place: Place): number {
  return runFolders(place).reduce((sum, folder) => sum + sessionsOf(readEvents(folder)).length, 0);
}

describe.skipIf(process.getuid?.() !== 0)('Claude Code as root', () => {
  it.skipIf(!canSandbox)(
    `In bubblewrap, where Claude Code is another user, the session starts as the dry run says${sandboxNote} [X16]`,
    async () => {
      const { place, env } = withClient(true, 'echo hello > hello.txt');
      const dry = await place.untildone([...run, '--dry-run'], { env });
      expect({ code: dry.code, stderr: dry.stderr }).toEqual({ code: 0, stderr: '' });
      const { code, stdout, stderr } = await place.untildone(run, { env });
      expect(`${stdout}${stderr}`).not.toContain('as root');
      expect({ code, sessions: sessionsIn(place) }).toEqual({ code: 0, sessions: 1 });
    },
  );

  it('If root is no longer allowed, a run is refused with a flag that retry and resume accept [X16]', async () => {
    const { place, env } = withClient(false, 'test -f "$HOME/may-work" && echo hello > hello.txt');
    const failing = await place.untildone([...run, '--max-loops', '1'], { env: { ...env, IS_SANDBOX: '1' } });
    expect(failing.code).toBe(3);
    expect(sessionsIn(place)).toBe(1);
    const refused = await place.untildone(['retry', 'main'], { env });
    expect({ code: refused.code, told: plain(place, `${refused.stdout}${refused.stderr}`) })
      .toMatchInlineSnapshot(`
        {
          "code": 2,
          "told": "Claude Code refuses to work unattended as root.
        Hint: In a container or a disposable machine: untildone retry main --run RUN --allow-root. Otherwise resume as the user who started it.
        ",
        }
      `);
    expect(sessionsIn(place)).toBe(1);
    place.write('home/may-work', '');
    const retried = await place.untildone(['retry', 'main', '--allow-root'], { env });
    expect({ code: retried.code, sessions: sessionsIn(place) }).toEqual({ code: 0, sessions: 2 });
  });
});
