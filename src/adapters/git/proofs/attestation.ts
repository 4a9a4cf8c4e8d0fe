// Reads and writes attestations: one JSON line with a statement, and maybe git's signature of that line.
import { createHash } from 'node:crypto';
import { type ReadStatement, statementSchema } from './statement-schema.ts';
import { parseJson } from '#base/parse-json.ts';

export interface Attestation {
  /** The line as written, which the signature covers. */
  readonly line: string;
  readonly statement: ReadStatement;
  /** A commit object signed by git whose message has the digest of the line; null if unsigned. */
  readonly signature: string | null;
}

const signatureType = 'untildone/git-signature/v1';

export function digestOf(line: string): string {
  return createHash('sha256').update(line).digest('hex');
}

export function formatAttestation({ line, signature }: Pick<Attestation, 'line' | 'signature'>): string {
  if (signature === null) return `${line}\n`;
  return `${line}\n${JSON.stringify({ _type: signatureType, sha256: digestOf(line), object: signature })}\n`;
}

/** Skips and counts other lines: other tools may keep their data in the note. */
export function readAttestations(text: string): {
  readonly found: Attestation[];
  readonly unreadable: number;
} {
  const statements: { line: string; statement: ReadStatement }[] = [];
  const signatures = new Map<string, string>();
  let unreadable = 0;
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (line === '') continue;
    const value = parseJson(line);
    const signature = signatureOf(value);
    const statement = statementSchema.safeParse(value);
    if (signature !== null) signatures.set(signature.sha256, signature.object);
    else if (statement.success) statements.push({ line, statement: statement.data });
    else unreadable += 1;
  }
  const found = statements.map((one) => ({ ...one, signature: signatures.get(digestOf(one.line)) ?? null }));
  return { found, unreadable };
}

/** The new text of a commit's note: an older statement of the same run is replaced. */
export function withAttestation(present: string, added: Pick<Attestation, 'line' | 'signature'>): string {
  const { found } = readAttestations(present);
  const runId = readAttestations(added.line).found[0]?.statement.predicate.untildone.run.id;
  const older = found.filter((one) => one.statement.predicate.untildone.run.id === runId);
  const gone = new Set(older.flatMap((one) => [one.line, digestOf(one.line)]));
  const kept = present.split('\n').filter((line) => {
    const signature = signatureOf(parseJson(line.trim()));
    return line.trim() !== '' && !gone.has(line.trim()) && !gone.has(signature?.sha256 ?? '');
  });
  return [...kept.map((line) => `${line}\n`), formatAttestation(added)].join('');
}

function signatureOf(value: unknown): { readonly sha256: string; readonly object: string } | null {
  if (typeof value !== 'object' || value === null || !('_type' in value)) return null;
  if (value._type !== signatureType || !('sha256' in value) || !('object' in value)) return null;
  const { sha256, object } = value;
  return typeof sha256 === 'string' && typeof object === 'string' ? { sha256, object } : null;
}
