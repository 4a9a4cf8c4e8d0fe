// The first lines of a run: its name, and the preflight.
import { type PreflightItem, preflightLines } from '#views/preflight/preflight.ts';
import { clean } from './words.ts';

export interface HeaderInput {
  readonly runId: string;
  readonly preset: string;
  readonly items: readonly PreflightItem[];
}

export function headerLines({ runId, preset, items }: HeaderInput): string[] {
  // Names of files and commands come from the repository.
  return [`untildone run ${runId} · preset ${preset}`, ...preflightLines(items).map(clean)];
}
