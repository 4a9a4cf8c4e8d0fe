// Chooses how to end all processes of a program: by pid namespace, environment mark, or process group.
import { noSandbox } from './no-sandbox.ts';
import type { Confinement } from '#ports/processes.ts';
import type { Sandbox } from '#ports/sandbox.ts';
import { withRunMarker } from './run-marker.ts';
import { findWorking } from './program.ts';
import { hasProcTable } from './proc-table.ts';

const namespaceArguments =
  '--bind / / --dev-bind /dev /dev --proc /proc --unshare-pid --die-with-parent --'.split(' ');

const promises: { readonly [kind in Confinement['kind']]: string } = {
  'pid-namespace':
    'Every program runs in a pid namespace of its own (bubblewrap): when it ends or is killed, the kernel ends all it started.',
  marker:
    'All processes of a program are found by parent, session and an environment mark, and killed. A process that drops all three can survive until the next start. Install bubblewrap for a hard guarantee.',
  'process-group':
    'Only the process group of a program is killed; on this system a process that leaves its group can stay alive.',
};

export interface Confiner {
  readonly confinement: Confinement;
  readonly wrap: Sandbox['wrap'];
}

export function createConfiner(choice: 'auto' | 'marker', sandbox: Sandbox): Confiner {
  if (sandbox.kind !== 'none')
    return { confinement: describe('pid-namespace'), wrap: (program) => sandbox.wrap(program) };
  const isWanted = choice === 'auto' && hasProcTable();
  const bubblewrap = isWanted ? findWorking('bwrap', namespaceArguments) : null;
  if (bubblewrap !== null) {
    return {
      confinement: describe('pid-namespace'),
      wrap: ({ file, args, env }) => ({
        file: bubblewrap,
        args: ['--info-fd', '3', ...namespaceArguments, file, ...args],
        env,
        isNamespace: true,
        release: async () => {},
      }),
    };
  }
  return {
    confinement: describe(hasProcTable() ? 'marker' : 'process-group'),
    wrap: (program) => withRunMarker(noSandbox.wrap(program)),
  };
}

function describe(kind: Confinement['kind']): Confinement {
  return { kind, promise: promises[kind] };
}
