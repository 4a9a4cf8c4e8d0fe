// The marks of living processes, read so that none of them can hold us.
import { markIn, type ProcEntry } from './proc-table.ts';
import { readProcFiles, type ReadFiles } from './read-proc-files.ts';

/** The mark that a process was started with, null for none; `unsure` when only a later look can tell. */
export type SeenMark = { readonly mark: string | null } | 'unsure';

type Seen = ReadonlyMap<number, SeenMark>;

/**
 * In the middle of an exec a process shows no environment, and so no mark. It shows no arguments either, unlike one that was
 * started without an environment.
 */
export async function seeMarks(
  entries: readonly Pick<ProcEntry, 'pid' | 'pgid'>[],
  read?: ReadFiles,
): Promise<Seen> {
  // Kernel threads, which never have one, have no group.
  const pids = entries.filter(({ pgid }) => pgid !== 0).map(({ pid }) => pid);
  const environs = await filesOf(pids, 'environ', read);
  const bare = pids.filter((pid) => environs.get(pid) === '');
  let commands = await filesOf(bare, 'cmdline', read);
  // It may have come through between our two questions, or be in its next exec already: so it is asked more than once.
  let later = await filesOf(namedIn(bare, commands), 'environ', read);
  for (let again = 1; again < asksMax && [...later.values()].includes(''); again += 1) {
    const silent = [...later].filter(([, environ]) => environ === '').map(([pid]) => pid);
    const heard = await filesOf(silent, 'cmdline', read);
    commands = new Map([...commands, ...heard]);
    later = new Map([...later, ...(await filesOf(namedIn(silent, heard), 'environ', read))]);
  }
  const markOf = (pid: number): SeenMark => {
    const environ = environs.get(pid);
    if (environ === undefined) return 'unsure';
    if (environ !== '') return { mark: markIn(environ) };
    if (commands.get(pid) === '' || !later.has(pid))
      return commands.get(pid) === null ? { mark: null } : 'unsure';
    return { mark: markIn(later.get(pid) ?? null) };
  };
  return new Map(pids.map((pid) => [pid, markOf(pid)]));
}

/** A process without an environment has none however often it is asked. */
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
