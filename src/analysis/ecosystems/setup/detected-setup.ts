// The way in which a checkout gets its dependencies, as far as the committed files show it.

/**
 * `command`: this command runs. `self`: the build tool fetches dependencies itself. `ask`: dependencies are
 * declared, but no command is certain, so the user has to name one. `none`: nothing declares a dependency.
 */
export type DetectedSetup =
  | {
      readonly kind: 'command';
      readonly command: string;
      readonly why: string;
      /** No lock file is committed, so the command decides the versions. */
      readonly isUnlocked?: true;
      /** A lock file is committed, but no manifest next to it declares a dependency. */
      readonly declaresNothing?: true;
    }
  | { readonly kind: 'self'; readonly why: string }
  | {
      readonly kind: 'ask';
      readonly why: string;
      readonly hint: string;
      /** The manifest that declares them, and the tools that would install from it. */
      readonly asked?: { readonly manifest: string; readonly tools: string };
    }
  | { readonly kind: 'none'; readonly why: string };
