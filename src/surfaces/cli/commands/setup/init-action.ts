import { join, relative } from 'node:path';
import { startFolder } from '#config/environment.ts';
import { loadSettings, projectConfigPath } from '#config/load.ts';
import { planFile } from '#config/resolve/plan.ts';
import { print, printJson } from '#surfaces/cli/output.ts';

export async function initCommand(options: { readonly json?: boolean }): Promise<number> {
  const { openCheckout } = await import('#app/site.ts');
  const { writeNew } = await import('#app/write-new.ts');
  const site = await openCheckout(startFolder(process.cwd(), process.env), process.env);
  const { merged } = await loadSettings(site);
  const plan = planFile(site.root, merged);
  const files = [
    { path: projectConfigPath(site.root), text: configTemplate },
    { path: plan, text: planTemplate },
  ];
  const made = [];
  for (const { path, text } of files)
    made.push({ path: relative(site.root, path), isNew: await writeNew(path, text, wayOn) });
  if (options.json === true) {
    printJson({ files: made });
    return 0;
  }
  for (const { path, isNew } of made) print(`${isNew ? 'created' : 'exists'}: ${path}`);
  const { placeRefusal } = await import('#app/run/start-refusal.ts');
  const refusal = await placeRefusal(site);
  if (refusal !== null) print(`\nBefore the first run: ${refusal.message} ${refusal.hint}`);
  print(
    `\nNext: write what you want into ${relative(site.root, plan) || join('.', 'CLAUDE.md')}, name an agent and a check in ${relative(site.root, projectConfigPath(site.root))}, then: untildone run`,
  );
  return 0;
}

const wayOn = 'Make the folder writable, then run `untildone init` again.';

const planTemplate = `# What is wanted

Say what must be true when the work is done, so that another person can check it.

- …

# How it fits in

Which parts of the code it touches, which rules hold there, what must not break.

# How it is checked

The commands that show it, such as \`npm test\`. They belong into .untildone/config.jsonc under "checks" as well.
`;

const configTemplate = `// Settings of untildone for this repository. Every key can be left out; \`untildone config show\` prints what is in force.
{
  // How the checks decide: commands that pass by exit 0. They run on the base first, after every attempt, and at the end.
  // Only what fails before the work proves it; what passes there must stay so.
  "checks": [
    // "npm test",
    // { "run": "npm run test:slow", "when": "acceptance", "timeout": "30m" }
  ],

  // The agents. "command" is any program that reads a prompt; "env" names the keys that it may see.
  "agents": {
    // "mine": { "driver": "command", "command": "my-cli --flag", "prompt": "stdin", "env": ["MY_API_KEY"] }
    // A plain command reviews only where a role below names it, or with "verdicts": true.
  },
  "roles": {
    // "builder": { "agent": "mine" },
    // "verifier": { "agent": "mine", "model": "another" }
  },
  // Only for single tasks, by their id: "name" or "name:model", as after --agent.
  "tasks": {
    // "main": { "agents": { "builder": "mine:big" } }
  },

  // The most that a run may use.
  "budget": {
    // "usd": 20, "sessions": 40, "hours": 8
  },

  // Notifications about outcomes and questions; \`untildone notify test\` tries it.
  // "notify": ["terminal", { "to": "webhook", "urlEnv": "SLACK_WEBHOOK_URL", "format": "slack" }],

  // No verifier, where the checks are enough.
  // "verifier": false,

  // Whether a reviewer's pass alone completes a run, where no check failed before the work.
  // "acceptReview": true,

  // Globs of existing tests and check scripts that the work may change.
  "mayChange": []
}
`;
