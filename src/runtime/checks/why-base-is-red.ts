// Finds out why a check is red on the base, from its output while it runs.
import { boundedOutput } from '#analysis/output/bounded-output.ts';
import { isManifest, whyRed } from '#analysis/why-red/why-red.ts';
import { judgeOf } from '#kernel/model/check.ts';
import type { Evidence } from '#kernel/model/criterion.ts';
import type { CheckRequest, Finding } from '#ports/checker.ts';
import type { CheckContext, Due } from './check-context.ts';

export interface BaseWatch {
  readonly request: Pick<CheckRequest, 'onOutput'>;
  causeOf(found: Finding): Promise<Pick<Evidence, 'cause'>>;
}

const unwatched: BaseWatch = { request: {}, causeOf: async () => ({}) };

/** Enough for the first errors and for the report at the end. */
const partMax = 256 * 1024;
const manifestsMax = 200;

/** Contract: reads nothing of a held-out check, because `judgeOf` returns no command for it. */
export function watchBase({ step, run, world }: CheckContext, { criterion }: Due): BaseWatch {
  const command = judgeOf(criterion.check);
  if (step.deed.purpose !== 'base' || command === null) return unwatched;
  const output = boundedOutput(partMax, partMax, '\n');
  return {
    request: { onOutput: output.add },
    async causeOf({ verdict, ending }) {
      const tree = step.baseTree;
      if (verdict === 'pass' || ending?.kind !== 'exited' || tree === null) return {};
      const { trees } = world.workspace;
      const files = new Set((await trees?.list(tree))?.keys());
      const paths = [...files].filter(isManifest).toSorted((a, b) => a.length - b.length);
      const cause = whyRed({
        command: command.run,
        folder: [run.config.repo.prefix, command.cwd].filter((part) => part !== '').join('/'),
        output: output.text(),
        exitCode: ending.code,
        files,
        manifests: (await trees?.read(tree, paths.slice(0, manifestsMax))) ?? new Map(),
      });
      return cause === null ? {} : { cause };
    },
  };
}
