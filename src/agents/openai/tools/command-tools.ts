// The tools run and search. Search is a child process too: an endless pattern must not block the host.
import { relative } from 'node:path';
import { realpath } from 'node:fs/promises';
import { describeProcessEnding } from '#kernel/model/ending.ts';
import { confinePath, ToolError } from './confine-path.ts';
import type { Runner } from './runner.ts';
import { flagArgument, optionalCount, optionalText, parametersOf, textArgument } from './tool-arguments.ts';
import type { Tool } from './toolbox.ts';

const minuteMs = 60_000;
/** Long enough for a test suite; a server that never exits costs no more than this. */
const runMsDefault = 10 * minuteMs;
const runMsMax = 30 * minuteMs;
const searchMsMax = minuteMs;
const matchesMax = 200;

export function createRunTool(runner: Runner): Tool {
  return {
    definition: {
      name: 'run',
      description:
        'Runs a shell command in the workspace and tells how it ended and what it printed. All processes that it started are ended afterwards; there is no input and no terminal.',
      parameters: parametersOf({
        command: ['string', 'For sh -c'],
        'seconds?': [
          'integer',
          `How long it may take; ${runMsDefault / 1000} unless told, ${runMsMax / 1000} at most`,
        ],
      }),
    },
    use: async (args) => {
      const command = textArgument(args, 'command');
      if (command.trim() === '') throw new ToolError('"command" is empty.');
      const seconds = optionalCount(args, 'seconds');
      const wallMs = seconds === null ? runMsDefault : Math.min(seconds * 1000, runMsMax);
      const { ending, output } = await runner.run(command, wallMs);
      return `[${describeProcessEnding(ending)}]\n${output}`;
    },
  };
}

export function createSearchTool(runner: Runner): Tool {
  return {
    definition: {
      name: 'search',
      description:
        'Finds lines in the files of the workspace, without those that git ignores: path:line:text.',
      parameters: parametersOf({
        pattern: ['string', 'An extended regular expression'],
        'path?': ['string', 'A file or folder; the whole workspace unless told'],
        'ignoreCase?': ['boolean', 'Treat upper and lower case alike'],
      }),
    },
    use: async (args, root) => {
      const pattern = textArgument(args, 'pattern');
      if (pattern === '' || /[\n\0]/.test(pattern))
        throw new ToolError('"pattern" must be one line of text.');
      const place = await confinePath(root, optionalText(args, 'path') ?? '.', 'read');
      const path = relative(await realpath(root), place) || '.';
      const grep = '--literal-pathspecs grep --no-index --exclude-standard -n -I -E --no-color'.split(' ');
      const how = flagArgument(args, 'ignoreCase') ? ['-i'] : [];
      const { ending, output } = await runner.run(
        ['git', ...grep, ...how, '-e', pattern, '--', path],
        searchMsMax,
      );
      if (ending.kind === 'exited' && ending.code === 1 && output === '') return 'No line matches.';
      if (ending.kind !== 'exited' || ending.code > 1) {
        throw new ToolError(`The search failed (${describeProcessEnding(ending)}): ${output.slice(0, 500)}`);
      }
      return firstLines(output);
    },
  };
}

function firstLines(output: string): string {
  const lines = output
    .trimEnd()
    .split('\n')
    .map((line) => (line.length > 400 ? `${line.slice(0, 400)}…` : line));
  if (lines.length <= matchesMax) return lines.join('\n');
  return `${lines.slice(0, matchesMax).join('\n')}\n[… ${lines.length - matchesMax} more lines; search more narrowly]`;
}
