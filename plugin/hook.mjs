// Finds the program that this plugin belongs to and hands the hook over to it, in this very process.
// Without it no session is held: the client continues as if the plugin were not there.
import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [, , event = ''] = process.argv;
const sessionId = process.env.CLAUDE_CODE_SESSION_ID ?? '';
const program = findProgram();

if (program === null) say('the program is not on PATH (npm install -g untildone), so no session is held.');
// Most sessions belong to no run: then only what a person types is of interest.
else if (event !== 'prompt' && sessionId !== '' && !existsSync(linkOf(sessionId)))
  process.stdout.write('{}\n');
else if (event === 'session-end') leaveBehind(program);
else {
  process.argv.splice(1, 1, program, 'hook');
  await import(pathToFileURL(program).href);
}

/** A closing client does not wait: the process that proves the session's work must outlive it. */
function leaveBehind(path) {
  const args = [path, 'hook', 'closed', sessionId];
  spawn(process.execPath, args, { detached: true, stdio: 'ignore' }).unref();
  process.stdout.write('{}\n');
}

function linkOf(id) {
  const given = process.env.XDG_STATE_HOME ?? '';
  const home = given === '' ? join(process.env.HOME ?? homedir(), '.local', 'state') : given;
  return join(home, 'untildone', 'foreign', `${encodeURIComponent(id)}.json`);
}

function findProgram() {
  const given = process.env.UNTILDONE_PROGRAM ?? '';
  if (given !== '' && existsSync(given)) return realpathSync(given);
  const beside = join(import.meta.dirname, '..', 'bin', 'untildone.js');
  if (existsSync(beside)) return realpathSync(beside);
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const place = join(folder, 'untildone');
    // A shell wrapper cannot be imported; npm links the program itself.
    if (folder !== '' && existsSync(place) && realpathSync(place).endsWith('.js')) return realpathSync(place);
  }
  return null;
}

function say(note) {
  const isHeard = event === 'session-start';
  process.stdout.write(`${JSON.stringify(isHeard ? { systemMessage: `untildone: ${note}` } : {})}\n`);
}
