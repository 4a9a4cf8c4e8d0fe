// Turns written criteria into criteria with an id, an origin and a check (given, inferred, or a person's).
import { type Check, describeCheck, isMachineCheck } from '#kernel/model/check.ts';
import type { Criterion, CriterionOrigin } from '#kernel/model/criterion.ts';
import type { LoopSettings } from '#kernel/model/config.ts';
import { OperatorError } from '#base/operator-error.ts';
import { isCheckLine } from './check-shorthand.ts';
import { criteriaOf } from './checks.ts';
import type { CheckEntry } from './check-schema.ts';
import type { CriterionEntry } from '#tasks/task-schema.ts';

export interface WrittenCriterion {
  readonly id?: string;
  readonly text: string;
  readonly kind: 'entry' | 'exit';
  readonly required: boolean;
  readonly when: 'attempt' | 'acceptance';
  /** `'human'` for a person; null: inferred from the text. */
  readonly check: CheckEntry | null;
  /** `tasks.md:12` */
  readonly from: string;
}

/** An entry of a JSON list: the text alone, or a table. */
export function writtenOf(entry: CriterionEntry, from: string): WrittenCriterion {
  const table = typeof entry === 'string' ? { text: entry } : entry;
  const { id, text, kind = 'exit', required = true, when = 'attempt', check = null } = table;
  return { ...(id === undefined ? {} : { id }), text, kind, required, when, check, from };
}

/** Checks inferred from a sentence, which together decide it, or why a person must be asked. */
export type Inferred =
  | { readonly checks: readonly [Check, ...Check[]]; readonly confidence: number; readonly why: string }
  | { readonly checks: null; readonly why: string; readonly suggestion: string | null };

export type Infer = (text: string) => Promise<Inferred>;
/** `timeoutMs`: the time limit of an inferred command. */
export type MakeInfer = (timeoutMs: number) => Infer;

export interface Writing {
  readonly timeoutMs: number;
  readonly taken: readonly string[];
  readonly loops: Pick<LoopSettings, 'autoInferVerification' | 'suggestBrowserTests'>;
  /** Null if nothing can be inferred here. */
  readonly infer: Infer | null;
  /** Entry criteria without a check are returned as they are; the caller removes them. */
  readonly keepsSoftEntry?: true;
}

export async function toCriteria(
  written: readonly WrittenCriterion[],
  writing: Writing,
): Promise<Criterion[]> {
  const ids = idsFor(written.map(named), writing.taken);
  const criteria: Criterion[] = [];
  for (const [index, one] of written.entries())
    criteria.push(...(await toSeveral(one, ids[index] ?? `AC-${index + 1}`, writing)));
  return criteria;
}

/** A criterion without an id takes the id of its check. */
function named(one: WrittenCriterion): WrittenCriterion {
  const id = one.id ?? (typeof one.check === 'object' ? one.check?.id : undefined);
  return id === undefined ? one : { ...one, id };
}

/** One sentence may need several checks: each becomes a criterion with the same text. */
async function toSeveral(one: WrittenCriterion, id: string, writing: Writing): Promise<Criterion[]> {
  const { text, kind, from } = one;
  const { checks, how, confidence, why, suggestion, original } = await findChecks(one, writing);
  const isKept = how === 'none' && writing.keepsSoftEntry === true;
  if (kind === 'entry' && !isKept && !checks.every(isMachineCheck))
    throw badCriterion(from, 'an entry criterion is checked before the work, so it needs a check');
  const better = suggestion ?? suggestBrowser(text, how, writing);
  const origin = {
    from,
    check: how,
    confidence,
    why,
    ...(better === null || isUnwanted(better, writing) ? {} : { suggestion: better }),
  };
  // Entry criteria are checked once, before the first session.
  const when = kind === 'entry' ? 'attempt' : original?.when === 'acceptance' ? 'acceptance' : one.when;
  return checks.map((check, index) => ({
    id: index === 0 ? id : `${id}.${index + 1}`,
    text: checks.length === 1 ? text : `${text} (${describeCheck(check)})`,
    kind,
    required: one.required && original?.required !== false,
    when,
    check,
    ...(original?.alone === undefined ? {} : { alone: original.alone }),
    origin,
  }));
}

interface FoundChecks {
  readonly checks: readonly Check[];
  readonly how: CriterionOrigin['check'];
  readonly confidence: number | null;
  readonly why: string;
  readonly suggestion: string | null;
  /** The check as written, with its own settings: when, whether required, whether it must run alone. */
  readonly original?: Criterion;
}

async function findChecks({ text, from, ...one }: WrittenCriterion, writing: Writing): Promise<FoundChecks> {
  const check = one.check ?? (isCheckLine(text) ? text : null);
  const person: Check = { kind: 'human', question: `Is this so: ${text}` };
  const byAuthor = { how: 'given', confidence: null, suggestion: null } as const;
  if (check === 'human') return { ...byAuthor, checks: [person], why: 'it says that a person decides' };
  if (check !== null) {
    const [made] = criteriaOf([check], writing.timeoutMs);
    if (made === undefined) throw badCriterion(from, 'its check cannot be read');
    return { ...byAuthor, checks: [made.check], why: 'it was written with the criterion', original: made };
  }
  const inferred = await infer(text, writing);
  const { why } = inferred;
  if (inferred.checks === null)
    return { checks: [person], how: 'none', confidence: null, why, suggestion: inferred.suggestion };
  return { checks: inferred.checks, how: 'inferred', confidence: inferred.confidence, why, suggestion: null };
}

function infer(text: string, { infer: find, loops }: Writing): Promise<Inferred> | Inferred {
  const nothing = { checks: null, suggestion: null } as const;
  if (!loops.autoInferVerification)
    return { ...nothing, why: 'nothing is inferred (loops.autoInferVerification is off)' };
  return find === null ? { ...nothing, why: 'it was written without a check' } : find(text);
}

function suggestBrowser(text: string, how: CriterionOrigin['check'], { loops }: Writing): string | null {
  if (!loops.suggestBrowserTests || how !== 'none' || !speaksOfScreens.test(text)) return null;
  return 'it describes a page: a browser check could decide it (a page, a selector, a text)';
}

function isUnwanted(suggestion: string, { loops }: Writing): boolean {
  return !loops.suggestBrowserTests && /browser|page/i.test(suggestion);
}

const speaksOfScreens =
  /\b(pages?|buttons?|forms?|screens?|click(?:s|ed|ing)?|modals?|dialogs?|menus?|browser|ui|displays?|displayed|visible|shows?|shown|renders?|rendered|tooltips?|layout)\b/i;

function idsFor(written: readonly WrittenCriterion[], reserved: readonly string[]): string[] {
  const taken = new Map<string, string>(reserved.map((id) => [id, 'a check']));
  for (const { id, from } of written) {
    if (id === undefined) continue;
    const other = taken.get(id);
    if (other !== undefined) throw badCriterion(from, `the id ${id} is already used by ${other}`);
    taken.set(id, from);
  }
  const last = { entry: 0, exit: 0 };
  return written.map(({ id, kind, from }) => {
    if (id !== undefined) return id;
    const stem = kind === 'entry' ? 'EC' : 'AC';
    do last[kind] += 1;
    while (taken.has(`${stem}-${last[kind]}`));
    taken.set(`${stem}-${last[kind]}`, from);
    return `${stem}-${last[kind]}`;
  });
}

/** One line per criterion whose check was not written: the check, the confidence, and why. */
export function criteriaNotes(criteria: readonly Criterion[]): string[] {
  return criteria.flatMap(({ id, text, check, origin }) => {
    if (origin === undefined || origin.check === 'given') return [];
    const tip = origin.suggestion === undefined ? '' : `. ${origin.suggestion}`;
    if (origin.check === 'none') return [`${id} "${text}" is decided by a person: ${origin.why}${tip}`];
    const sure = Math.round((origin.confidence ?? 0) * 100);
    return [
      `${id} "${text}" is decided by \`${describeCheck(check)}\` (inferred, ${sure} % sure: ${origin.why})`,
    ];
  });
}

export function badCriterion(where: string, problem: string): OperatorError {
  return new OperatorError(
    'bad-criterion',
    `${where}: ${problem}.`,
    'For example: - [ ] AC-1: the server answers /health (check: npm test)',
  );
}
