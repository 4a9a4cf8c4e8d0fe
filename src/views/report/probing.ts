// The result of a mutation test: which criteria notice broken new code, and which notice nothing.

export interface ProbedMutant {
  readonly path: string;
  readonly line: number;
  readonly what: string;
  /** Criteria whose check did not pass with it; empty if none noticed. */
  readonly noticedBy: readonly string[];
}

export interface ProbedCriterion {
  readonly id: string;
  readonly check: string;
  /** `weak`: noticed no mutant. `left out`: fails on the unchanged work, so it cannot notice anything. */
  readonly finding: 'noticed' | 'weak' | 'left out';
  readonly noticed: number;
}

export interface Probing {
  readonly runId: string;
  readonly commit: string;
  readonly seed: number;
  /** Number of possible mutants; `seed` chooses those that are tried. */
  readonly possible: number;
  readonly mutants: readonly ProbedMutant[];
  readonly criteria: readonly ProbedCriterion[];
}

export function isWeak({ criteria }: Probing): boolean {
  return criteria.some(({ finding }) => finding === 'weak');
}

export function probingText(probing: Probing): string {
  const { runId, commit, mutants, possible, criteria, seed } = probing;
  const survivors = mutants.filter(({ noticedBy }) => noticedBy.length === 0);
  const lines = [
    `Probe of ${runId} (${commit.slice(0, 12)}): the new code broken in ${mutants.length} of ${possible} possible ways, seed ${seed}`,
    '',
    ...criteria.map((criterion) => criterionLine(criterion, mutants.length)),
    ...(survivors.length === 0 ? [] : ['', `Not noticed (${survivors.length}):`]),
    ...survivors.map(({ path, line, what }) => `  ${path}:${line} ${what}`),
    '',
    conclusion(probing, survivors.length),
  ];
  return lines.join('\n');
}

function conclusion(probing: Probing, survivors: number): string {
  const { criteria, mutants } = probing;
  if (isWeak(probing)) return 'A weak check passes whatever the new code does.';
  if (!criteria.some(({ finding }) => finding === 'noticed'))
    return 'No check passes on this work, so none could notice anything.';
  if (survivors === 0) return 'Each of them was noticed by a check.';
  return `No check is weak, but ${survivors} of ${mutants.length} were not noticed: no check tests these lines.`;
}

function criterionLine({ id, check, finding, noticed }: ProbedCriterion, all: number): string {
  if (finding === 'left out') return `⏳ ${id} (${check}): skipped, it does not pass on the work`;
  return `${finding === 'weak' ? '❌ weak:' : '✅'} ${id} (${check}): noticed ${noticed} of ${all}`;
}
