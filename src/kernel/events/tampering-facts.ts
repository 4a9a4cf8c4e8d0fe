// The facts about changes of pinned things, and about what was put back.

export type TamperingFact =
  | {
      readonly type: 'workspace-restored';
      readonly stepId: string;
      readonly keptAs: string;
      readonly reason: string;
    }
  | {
      readonly type: 'ref-restored';
      readonly stepId: string;
      readonly ref: string;
      readonly keptAs: string;
      readonly action: string;
    }
  | { readonly type: 'tampering-seen'; readonly tampering: Tampering }
  /** By somebody who did not make the change; good for this content alone. */
  | {
      readonly type: 'tampering-accepted';
      readonly path: string;
      readonly content: string;
      readonly by: string;
      readonly why: string;
    }
  | { readonly type: 'tampering-righted'; readonly path: string; readonly by: string; readonly tree: string };

/** One change of a pinned thing, as we first saw it. */
export interface Tampering {
  readonly path: string;
  readonly change: 'changed' | 'deleted' | 'added';
  /** Why it is pinned. */
  readonly why: string;
  /** Mode and hash of what stands there now; '' when nothing does. An acceptance is bound to it. */
  readonly content: string;
  /** What the change takes away, in words: `skips tests`, `loses assertions`. Empty when that cannot be told. */
  readonly weakening: readonly string[];
  /** The step that saw it, and the tree it was seen on. */
  readonly stepId: string;
  readonly tree: string;
  /** Null when the run as a whole was looked at. */
  readonly taskId: string | null;
  /** The session that left it so, such as `builder_003`; null when it cannot be told. */
  readonly session: string | null;
  /** A person said beforehand that this may change. */
  readonly isAllowed: boolean;
  /** Nothing is refused for it: somebody should look. */
  readonly isSuspicion?: true;
}
