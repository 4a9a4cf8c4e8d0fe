// Presets: data plus a pure policy. The seeds are presets of one engine, never engines of their own.
import type { Criterion } from '#kernel/criterion.ts';
import type { Policy } from '#kernel/policy.ts';
import type { SignalWords } from '#kernel/signal.ts';
import type { Task } from '#kernel/task.ts';
import { builderVerifier } from './builder-verifier.ts';

export interface Preset {
  readonly name: string;
  readonly roles: {
    readonly [role: string]: {
      readonly prompt: string;
      readonly words: SignalWords;
      readonly readOnly: boolean;
    };
  };
  readonly limits: { readonly attemptsMax: number; readonly cooldownMs: number };
  readonly policy: Policy;
  tasks(input: PresetInput): Task[];
}

export interface PresetInput {
  readonly goal: string;
  readonly checks: readonly Criterion[];
  readonly mayChange: readonly string[];
}

export const presets: { readonly [name: string]: Preset } = {
  'builder-verifier': builderVerifier,
};
