// Events about changes of pinned files and settings, and about their restoration.

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
  /** Accepted by a person or reviewer who did not make the change; for this content only. */
  | {
      readonly type: 'tampering-accepted';
      readonly path: string;
      readonly content: string;
      readonly by: string;
      readonly why: string;
    }
  | { readonly type: 'tampering-righted'; readonly path: string; readonly by: string; readonly tree: string };

/** One change of a pinned file or setting, as we first saw it. */
export interface Tampering {
  readonly path: string;
  readonly change: 'changed' | 'deleted' | 'added';
  /** Why it is pinned. */
  readonly why: string;
  /** Mode and hash of the present content; '' if it is gone. An acceptance is bound to it. */
  readonly content: string;
  /** What the change removes, in words: `skips tests`, `loses assertions`. Empty if unknown. */
  readonly weakening: readonly string[];
  /** The step that saw it, and the tree on which it was seen. */
  readonly stepId: string;
  readonly tree: string;
  /** Null if the run as a whole was checked. */
  readonly taskId: string | null;
  /** The session that left it so, such as `builder_003`; null if unknown. */
  readonly session: string | null;
  /** A person allowed this change beforehand. */
  readonly isAllowed: boolean;
  /** The work is not refused for it, but a person should see it. */
  readonly isSuspicion?: true;
}
