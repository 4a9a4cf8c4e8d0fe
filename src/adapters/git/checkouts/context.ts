// The dependencies that all parts of a git workspace share.
import type { SetupConfig } from '#kernel/model/config.ts';
import type { Installer } from '#adapters/git/setup/dependencies.ts';
import type { Environment, Git } from '#adapters/git/repo/git.ts';
import type { Repository } from '#adapters/git/repo/repository.ts';

export interface Ground {
  readonly git: Git;
  readonly env: Environment;
  readonly runId: string;
  readonly repository: Repository;
  readonly commonDir: string;
  readonly branch: string;
  readonly baseCommit: string;
  readonly prefix: string;
  readonly cacheDir: string;
  /** Read on each use: a person may change the command while the run is parked. */
  readonly setup: () => SetupConfig;
  /** The user and group that own the files of a check's checkout; null when they are our own. */
  readonly fileOwner: number | null;
  readonly installer: Installer;
  /** Prints a line for the user; nothing stops because of it. */
  readonly note: (text: string) => void;
}
