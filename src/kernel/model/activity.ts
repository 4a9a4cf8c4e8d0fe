// What takes the time within a step, for people who watch: shown, never recorded.
import type { CalibrationKind } from './calibration.ts';

/**
 * One object per activity: its beginning and its end are reported with the same one. `stepId` is null if the
 * step is unknown.
 */
export type Activity = { readonly stepId: string | null } & (
  | { readonly kind: 'setup'; readonly command: string }
  | { readonly kind: 'check'; readonly command: string; readonly run: number; readonly runsMax: number }
  | { readonly kind: 'calibration'; readonly command: string; readonly trial: CalibrationKind }
  | { readonly kind: 'blocker'; readonly command: string }
);
