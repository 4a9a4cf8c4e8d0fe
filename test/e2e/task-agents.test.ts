// Another agent for one role of one task: it really does the work, and the views show it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { passes, saysDone } from './agents.ts';
import { eventsOf, sessionsOf } from './journal.ts';
import { branchOf } from './looking.ts';
import type { Place } from './place.ts';
import { makePlace } from './place.ts';
import { send } from './processes.ts';
import { until } from './wait.ts';

/** Two programs that sign what they do. */
function programs(place: Place, before = ''): { general: string; special: string } {
  const agent = (name: string): string => {
    const words = `if [ "$UNTILDONE_ROLE" = builder ]; then ${before}\necho ${name} > done.txt; ${saysDone}; else ${passes}; fi`;
    return `sh ${place.write(`${name}.sh`, `cat > /dev/null\n${words}\n`)}`;
  };
  return { general: agent('general'), special: agent('special') };
}

function configure(place: Place, config: object): void {
  mkdirSync(join(place.repo, '.untildone'), { recursive: true });
  writeFileSync(join(place.repo, '.untildone/config.jsonc'), JSON.stringify(config));
}

/** Flags for one command as the builder and as the verifier. */
function both(program: string): string[] {
  return ['--agent', `command:${program}`, '--agent', `verifier=command:${program}`];
}

const check = ['--check', 'test -s done.txt'];

describe('An agent for one task', () => {
  it('An agent named for a task on the command line does that work, and no other [C8]', async () => {
    const place = makePlace();
    const { general, special } = programs(place);
    const flags = [...both(general), '--agent', `main/builder=command:${special}`];
    const { code, stdout } = await place.untildone(['run', 'do it', ...check, ...flags]);
    expect(code).toBe(0);
    expect(place.git('show', `${branchOf(place)}:done.txt`)).toBe('special');
    expect(stdout).toMatch(/✓ main\/builder: +command:sh .*special\.sh, its own model, paid /);
    expect(stdout).toMatch(
      /^Ran: builder_001 command:sh .*special\.sh, model not reported · verifier_001 .*general\.sh/m,
    );
    const added = eventsOf(place).find((event) => event.type === 'task-added');
    expect(added?.task.agents).toEqual({ builder: { name: `command:${special}`, model: null } });
    expect(sessionsOf(eventsOf(place)).map(({ deed }) => deed.agent.name)).toEqual([
      `command:${special}`,
      `command:${general}`,
    ]);
  });

  it('An agent for a task comes from the configuration with its model, and status shows which one really ran [C8]', async () => {
    const place = makePlace();
    const { general, special } = programs(place);
    const agent = (command: string) => ({ driver: 'command', command, prompt: 'stdin' });
    configure(place, {
      agents: { general: agent(general), special: agent(special) },
      roles: { builder: { agent: 'general' }, verifier: { agent: 'general', model: 'small' } },
      tasks: { main: { agents: { builder: 'special:big' } } },
    });
    expect((await place.untildone(['run', 'do it', ...check])).code).toBe(0);
    expect(place.git('show', `${branchOf(place)}:done.txt`)).toBe('special');
    const { stdout } = await place.untildone(['status']);
    expect(stdout).toContain(
      '\nAgents: builder general, verifier general (small), main/builder special (big)\n',
    );
    expect(stdout).toContain(
      '\nRan: builder_001 special (command), model big · verifier_001 general (command), model small\n',
    );
    const state = JSON.parse((await place.untildone(['status', '--json'])).stdout) as { sessions: unknown };
    expect(state.sessions).toEqual([
      {
        session: 'builder_001',
        taskId: 'main',
        attempt: 1,
        agent: 'special',
        ran: { driver: 'command', model: 'big' },
      },
      {
        session: 'verifier_001',
        taskId: 'main',
        attempt: 1,
        agent: 'general',
        ran: { driver: 'command', model: 'small' },
      },
    ]);
    expect((await place.untildone(['show'])).stdout).toContain('builder_001 (command, model big) finished');
    // What the command line says for every task is stronger than the file.
    const again = await place.untildone(['run', 'again', ...check, '--agent', 'general']);
    expect(again.code).toBe(0);
    expect(again.stdout).toMatch(/^Ran: builder_001 general \(command\), .* · verifier_001 general /m);
  });

  it('The agent of a task stays the same after kill -9, whatever the configuration says by then [C8] [D1]', async () => {
    const place = makePlace();
    const { general, special } = programs(
      place,
      `echo "$0" >> ${join(place.folder, 'begun')}; until [ -e ${join(place.folder, 'go')} ]; do sleep 0.05; done`,
    );
    const flags = [...both(general), '--agent', `main/builder=command:${special}`];
    const driver = place.start(['run', 'do it', ...check, ...flags]);
    await until('the builder', () => begun(place).length > 0);
    send(driver.pid, 'SIGKILL');
    await driver.ended;
    configure(place, { tasks: { main: { agents: { builder: `command:${general}` } } } });
    place.write('go', '');
    expect((await place.untildone(['resume'])).code).toBe(0);
    expect(begun(place).every((name) => name.endsWith('special.sh'))).toBe(true);
    expect(place.git('show', `${branchOf(place)}:done.txt`)).toBe('special');
  });

  it.each([
    ['min/builder=claude', 'there is no task "min"', 'Did you mean "main"?'],
    ['main/reviewer=claude', 'there is no role "reviewer"', 'The roles are builder, verifier.'],
    ['main/builder=nobody', 'There is no agent "nobody"', ''],
  ])(
    'A wrong agent for a task is refused before anything starts: --agent %s [X6]',
    async (flag, message, hint) => {
      const place = makePlace();
      const { general } = programs(place);
      const flags = ['--agent', `command:${general}`, '--agent', flag];
      const { code, stderr } = await place.untildone(['run', 'do it', ...check, ...flags]);
      expect(code).toBe(2);
      expect(stderr).toContain(message);
      expect(stderr).toContain(hint);
      expect(stderr).not.toMatch(/\n\s+at /);
      expect(eventsOf(place)).toEqual([]);
    },
  );
});

function begun(place: Place): string[] {
  try {
    return place.read('begun').trim().split('\n');
  } catch {
    return [];
  }
}
