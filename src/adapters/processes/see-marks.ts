// Reads the marks of living processes without being blocked by any of them.
import { markIn, type ProcEntry } from './proc-table.ts';
import { readProcFiles, type ReadFiles } from './read-proc-files.ts';

/** The mark a process was started with, null for none; `unsure` if only a later read can show it. */
export type MarkReading = { readonly mark: string | null } | 'unsure';

type MarkReadings = ReadonlyMap<number, MarkReading>;

/**
 * During an exec a process shows no environment, so no mark. It shows no arguments either, unlike a process
 * that was started without an environment.
 */
export async function seeMarks(
  entries: readonly Pick<ProcEntry, 'pid' | 'pgid'>[],
  read?: ReadFiles,
): Promise<MarkReadings> {
  // Kernel threads never have a mark; they have no process group.
  const pids = entries.filter(({ pgid }) => pgid !== 0).map(({ pid }) => pid);
  const environs = await filesOf(pids, 'environ', read);
  const bare = pids.filter((pid) => environs.get(pid) === '');
  let commands = await filesOf(bare, 'cmdline', read);
  // The exec may end between our two reads, or the next one begin: so read more than once.
  let later = await filesOf(namedIn(bare, commands), 'environ', read);
  for (let again = 1; again < asksMax && [...later.values()].includes(''); again += 1) {
    const silent = [...later].filter(([, environ]) => environ === '').map(([pid]) => pid);
    const commandLines = await filesOf(silent, 'cmdline', read);
    commands = new Map([...commands, ...commandLines]);
    later = new Map([...later, ...(await filesOf(namedIn(silent, commandLines), 'environ', read))]);
  }
  const markOf = (pid: number): MarkReading => {
    const environ = environs.get(pid);
    if (environ === undefined) return 'unsure';
    if (environ !== '') return { mark: markIn(environ) };
    if (commands.get(pid) === '' || !later.has(pid))
      return commands.get(pid) === null ? { mark: null } : 'unsure';
    return { mark: markIn(later.get(pid) ?? null) };
  };
  return new Map(pids.map((pid) => [pid, markOf(pid)]));
}

/** Further reads do not help for a process without an environment. */
const asksMax = 4;

const namedIn = (pids: readonly number[], commands: ReadonlyMap<number, string | null>): number[] =>
  pids.filter((pid) => (commands.get(pid) ?? '') !== '');

async function filesOf(
  pids: readonly number[],
  name: 'environ' | 'cmdline',
  read?: ReadFiles,
): Promise<ReadonlyMap<number, string | null>> {
  const found = await readProcFiles(
    pids.map((pid) => `/proc/${pid}/${name}`),
    read,
  );
  const byPid = new Map<number, string | null>();
  for (const pid of pids) {
    const text = found.get(`/proc/${pid}/${name}`);
    if (text !== undefined) byPid.set(pid, text);
  }
  return byPid;
}
