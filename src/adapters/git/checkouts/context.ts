// What every part of a git workspace stands on.
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
  /** As the run has it now: a person may change the command while it is parked. */
  readonly setup: () => SetupConfig;
  /** The user and group that own the files of a checkout for a check; null where these are our own. */
  readonly fileOwner: number | null;
  readonly installer: Installer;
  /** Something worth a line for the user that stops nothing. */
  readonly note: (text: string) => void;
}
