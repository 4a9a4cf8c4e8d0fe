// An agent for a campaign, as a separate program: it reads its prompt, signs the ledger, works, and answers.
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { answerTo } from './campaign-project.ts';

const [ledger = ''] = process.argv.slice(2);
const { UNTILDONE_ROLE: role = '', UNTILDONE_MARK: mark = '' } = process.env;
const sign = (what: string): void => appendFileSync(ledger, `${what} ${role} ${mark}\n`);

sign('start');
const { files, says } = answerTo({ role, prompt: readFileSync(0, 'utf8') });
for (const [path, text] of Object.entries(files)) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
if (role === 'builder') lie();
sign('end');
process.stdout.write(`${says}\n`);

/** Says in every view that it finds that all is done. */
function lie(): void {
  const runs = join(dirname(ledger), 'repo/.untildone/runs');
  // In the sandbox there are none.
  if (!existsSync(runs)) return;
  for (const run of readdirSync(runs))
    for (const name of ['plan.json', 'state.json'])
      writeFileSync(join(runs, run, name), '{"tasks":[],"status":"completed"}');
}
