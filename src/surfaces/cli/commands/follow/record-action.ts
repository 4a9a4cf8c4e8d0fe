import { resolve } from 'node:path';
import type { Recording } from '#app/recording/recording.ts';
import type { Run } from '#kernel/fold/run.ts';
import { print, printJson, printNote } from '#surfaces/cli/output.ts';
import { pickToRead } from '#surfaces/cli/pick/pick-run.ts';
import { writeOutput } from '#surfaces/cli/write-output.ts';
import { count, utc } from '#views/words.ts';

export interface RecordOptions {
  readonly session?: string;
  readonly output?: string;
  readonly json?: boolean;
}

export async function recordCommand(name: string | undefined, options: RecordOptions): Promise<number> {
  const { makeRecording } = await import('#app/recording/recording.ts');
  const { site, run } = await pickToRead(name, 'record');
  const recording = await makeRecording(site, run, options.session ?? null);
  const text = `${JSON.stringify(scriptOf(run, recording), null, 2)}\n`;
  const file = options.output === undefined ? null : resolve(options.output);
  if (file === null) {
    for (const note of recording.notes) printNote(`note: ${note}`);
    print(text.trimEnd());
    return 0;
  }
  await writeOutput(file, text, 0o600);
  const sessions = recording.turns.map((turn) => turn.sessions.join('+'));
  if (options.json === true) printJson({ runId: run.id, file, sessions, notes: recording.notes });
  else for (const line of report(run, recording, options.output ?? '')) print(line);
  return 0;
}

/** `recorded` is for people: the scripted agent reads only the turns. */
function scriptOf(run: Run, { turns }: Recording) {
  const { goal, roles } = run.config;
  const agents = Object.fromEntries(Object.entries(roles).map(([role, { agent }]) => [role, agent]));
  return {
    recorded: { runId: run.id, goal, startedAt: utc(run.createdAt), base: run.base?.commit ?? null, agents },
    turns,
  };
}

function report(run: Run, { turns, notes }: Recording, file: string): string[] {
  const actions = turns.reduce((all, turn) => all + turn.actions.length, 0);
  const roles = [...new Set(turns.map((turn) => turn.role))];
  const isWhole = roles.length === Object.keys(run.config.roles).length;
  const agent = isWhole ? `scripted:${file}` : `${roles[0] ?? 'builder'}=scripted:${file}`;
  return [
    `Recorded ${count(turns.length, 'session')} of the run ${run.id}, ${count(actions, 'action')}, to ${file}`,
    ...turns.map((turn) => `  ${turn.sessions.join('+')}: ${count(turn.actions.length, 'action')}`),
    ...notes.map((note) => `  note: ${note}`),
    `Known secrets are removed. Read the file before you share it.`,
    `Play it again${run.base === null ? '' : ` on ${run.base.commit.slice(0, 10)}`}: untildone run "…" --agent ${agent} --check "…"`,
  ];
}
