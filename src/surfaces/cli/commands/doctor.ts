import { knownClients } from '#config/known-agents.ts';
import { OperatorError } from '#ports/operator-error.ts';
import { print, printJson } from '#surfaces/cli/output.ts';
import { openHere } from '#surfaces/cli/site.ts';

export async function doctorCommand(options: { readonly json?: boolean }): Promise<number> {
  const { probe } = await import('#compose.ts');
  const { root, problem } = await repositoryHere();
  const found = await probe(process.env);
  if (options.json === true) {
    printJson({ repository: root, ...found });
    return 0;
  }
  const { git, state, confinement, sandbox } = found;
  line(true, `Node ${found.node} on ${found.platform}`);
  line(
    'version' in git,
    'version' in git ? `git ${git.version}` : `${git.problem}: install git 2.38 or newer`,
  );
  line(root !== null, root === null ? problem : `repository ${root}`);
  line(
    state.problem === null,
    `state is kept in ${state.folder}${state.problem === null ? '; writing and locking work' : `: ${state.problem}`}`,
  );
  line(confinement.kind !== 'process-group', `processes: ${confinement.promise}`);
  line(
    sandbox.available,
    `${sandbox.available ? 'agents are sandboxed' : 'agents are NOT SANDBOXED'}: ${sandbox.reason}`,
  );
  printAgents(found.agents);
  return 0;
}

function printAgents(agents: readonly { readonly name: string; readonly version: string | null }[]): void {
  print('\nAgents:');
  for (const [name, recipe] of Object.entries(knownClients)) {
    const here = agents.find((agent) => agent.name === name);
    line(
      here !== undefined,
      here === undefined
        ? `${name}: not on PATH`
        : `${name} ${here.version ?? '(gives no version)'}: --agent "${recipe}"`,
    );
  }
  line(true, 'command: any program that reads a prompt: --agent "command:my-cli --flag"');
  line(true, 'scripted: plays a script, for tests and `untildone demo`');
}

/** Outside a repository there is still a machine to look at. */
async function repositoryHere(): Promise<{ readonly root: string | null; readonly problem: string }> {
  try {
    return { root: (await openHere()).root, problem: '' };
  } catch (error) {
    if (error instanceof OperatorError) return { root: null, problem: `${error.message} ${error.hint}` };
    throw error;
  }
}

function line(isGood: boolean, text: string): void {
  print(`${isGood ? '✅' : '❌'} ${text}`);
}
