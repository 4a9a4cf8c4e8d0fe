// Agents that sign a file outside the repository: when they start, work and end.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Place } from './place.ts';

export interface LedgerLine {
  /** `start` and `end` of the agent itself; `alive` by a process that it leaves behind. */
  readonly what: 'start' | 'alive' | 'end';
  readonly role: string;
  /** Names run and step. */
  readonly mark: string;
}

export function readLedger(place: Place): LedgerLine[] {
  let text = '';
  try {
    text = readFileSync(join(place.folder, 'ledger'), 'utf8');
  } catch {
    return [];
  }
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [what, role = '', mark = ''] = line.split(' ');
      return { what: what as LedgerLine['what'], role, mark };
    });
}

/** Lines of a session that stand behind the start of a later one. */
export function overlaps(lines: readonly LedgerLine[]): LedgerLine[] {
  let current = '';
  return lines.filter((line) => {
    if (line.what === 'start') current = line.mark;
    return line.mark !== current;
  });
}

/** `--agent` flags for a builder and a verifier whose work takes three attempts, however often they are killed. */
export function signingAgents(place: Place): string[] {
  const ledger = join(place.folder, 'ledger');
  const sign = (what: string): string => `echo "${what} $UNTILDONE_ROLE $UNTILDONE_MARK" >> '${ledger}'`;
  const left = place.write(
    'left-behind.sh',
    // Deaf to TERM, so that ending it takes a while after the agent has exited.
    `trap "" TERM\ni=0\nwhile [ $i -lt 1200 ]; do ${sign('alive')}; sleep 0.05; i=$((i+1)); done\n`,
  );
  const work = place.write(
    'work.sh',
    'n=$(cat progress.txt 2>/dev/null || echo 0)\n[ "$n" -lt 3 ] && n=$((n+1))\nmkdir -p src\necho "part of it" > src/half.txt\nsleep 0.03\necho $n > progress.txt\nrm -f src/half.txt\necho "whole" > src/whole.txt\n',
  );
  const script = {
    turns: [
      {
        role: 'builder',
        actions: [
          { run: sign('start') },
          { leave: `sh '${left}'` },
          { say: 'I begin.\n' },
          { run: `sh '${work}'` },
          { write: { path: 'notes/plan.md', text: 'as planned\n' } },
          { sleep: 40 },
          { usage: { usd: 0.01, tokens: 100 } },
          { run: sign('end') },
          { say: 'Done.\n\n===WIGGUM_COMPLETE===\n' },
        ],
      },
    ],
  };
  const builder = place.write('builder.json', JSON.stringify(script));
  const verifier = place.write(
    'verifier.sh',
    `cat > /dev/null\n${sign('start')}\nsetsid sh '${left}' > /dev/null 2>&1 < /dev/null &\nsleep 0.1\n${sign('end')}\n` +
      'if grep -q 3 progress.txt; then echo; echo "===VERIFIER_COMPLETE==="; else echo "<verifier-report>progress is too small</verifier-report>"; fi\n',
  );
  return ['--agent', `builder=scripted:${builder}`, '--agent', `verifier=command:sh ${verifier}`];
}

export const signingCheck = "sleep 0.05; grep -q '[23]' progress.txt";
