import type { SessionErrorClass } from './ending.ts';

/** Trouble of a provider that passes by itself. */
export interface Setback {
  readonly role: string;
  readonly errorClass: SessionErrorClass;
  readonly detail: string;
  /** In a row. */
  readonly count: number;
  readonly at: number;
  /** As the provider told it. */
  readonly resetAt: number | null;
  /** Set once it was concluded that a usage limit is waited for. */
  readonly until: number | null;
}
