// The tools read, list, write and edit, for regular files in the workspace of a size that a model can use.
import { constants } from 'node:fs';
import { mkdir, open, readdir, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { confinePath, ToolError } from './confine-path.ts';
import { flagArgument, optionalCount, optionalText, parametersOf, textArgument } from './tool-arguments.ts';
import type { Tool } from './toolbox.ts';
import type { Fields } from '#agents/shared/json.ts';

/** Larger files are read through `search` and `run`. */
const fileBytesMax = 10_000_000;
const linesDefault = 600;
/** A part is cut between lines, so that the model can request the next one. */
const partLengthMax = 20_000;
const entriesMax = 400;
/** Present in most repositories and never of interest. */
const unlisted = new Set(['.git', 'node_modules']);

const pathField = ['string', 'Relative to the root of the workspace'] as const;

export const readTool: Tool = {
  definition: {
    name: 'read',
    description: 'Reads a text file. A long one is given in parts: ask for the next lines with "from".',
    parameters: parametersOf({
      path: pathField,
      'from?': ['integer', 'First line, counted from 1'],
      'lines?': ['integer', `How many lines; ${linesDefault} unless told`],
    }),
  },
  use: async (args, root) => {
    const text = await readText(await confinePath(root, textArgument(args, 'path'), 'read'));
    const from = optionalCount(args, 'from') ?? 1;
    const count = optionalCount(args, 'lines') ?? linesDefault;
    const lines = text.split('\n');
    if (text === '') return '(the file is empty)';
    if (from > lines.length) throw new ToolError(`The file has ${lines.length} lines only.`);
    const part = fitting(lines.slice(from - 1, from - 1 + count));
    if (part.length === lines.length) return text;
    return `[lines ${from} to ${from - 1 + part.length} of ${lines.length}]\n${part.join('\n')}`;
  },
};

function fitting(lines: readonly string[]): readonly string[] {
  let length = 0;
  const end = lines.findIndex((line) => {
    length += line.length + 1;
    return length > partLengthMax;
  });
  return end < 0 ? lines : lines.slice(0, Math.max(end, 1));
}

export const listTool: Tool = {
  definition: {
    name: 'list',
    description: 'Lists files and folders (with a trailing "/"), without .git and node_modules.',
    parameters: parametersOf({
      'path?': ['string', 'A folder; the root of the workspace unless told'],
      'depth?': ['integer', 'How many levels; 2 unless told'],
    }),
  },
  use: async (args, root) => {
    const folder = await confinePath(root, optionalText(args, 'path') ?? '.', 'read');
    const found: string[] = [];
    await list(folder, optionalCount(args, 'depth') ?? 2, { top: folder, found });
    if (found.length === 0) return '(the folder is empty)';
    const isCut = found.length > entriesMax;
    const shown = found.slice(0, entriesMax).join('\n');
    return isCut ? `${shown}\n[… more than ${entriesMax} entries; list a folder below]` : shown;
  },
};

/** Links are listed, never followed. */
async function list(
  folder: string,
  depth: number,
  into: { readonly top: string; readonly found: string[] },
): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (into.found.length > entriesMax) return;
    const place = join(folder, entry.name);
    into.found.push(`${relative(into.top, place)}${entry.isDirectory() ? '/' : ''}`);
    if (entry.isDirectory() && depth > 1 && !unlisted.has(entry.name)) await list(place, depth - 1, into);
  }
}

export const writeTool: Tool = {
  definition: {
    name: 'write',
    description: 'Writes a whole file, and the folders above it. What was in it before is gone.',
    parameters: parametersOf({ path: pathField, content: ['string', 'The whole text of the file'] }),
  },
  use: async (args, root) => {
    const path = textArgument(args, 'path');
    const content = textArgument(args, 'content');
    const place = await confinePath(root, path, 'write');
    await mkdir(dirname(place), { recursive: true });
    await writeText(place, content);
    return `Wrote ${content.length} characters to ${path}.`;
  },
};

export const editTool: Tool = {
  definition: {
    name: 'edit',
    description:
      'Replaces a passage of a file. "old" must be in the file exactly once, with its white space, unless "all" is true.',
    parameters: parametersOf({
      path: pathField,
      old: ['string', 'The passage as it is now'],
      new: ['string', 'What stands there afterwards'],
      'all?': ['boolean', 'Replace it wherever it is'],
    }),
  },
  use: async (args, root) => {
    const path = textArgument(args, 'path');
    const place = await confinePath(root, path, 'write');
    const { text, count } = replaced(await readText(place), args);
    await writeText(place, text);
    return `Replaced ${count === 1 ? 'one passage' : `${count} passages`} in ${path}.`;
  },
};

function replaced(before: string, args: Fields): { readonly text: string; readonly count: number } {
  const ends = (text: string): string => (before.includes('\r\n') ? text.replaceAll(/\r?\n/g, '\r\n') : text);
  const wanted = textArgument(args, 'old');
  const [old, next] = before.includes(wanted)
    ? [wanted, textArgument(args, 'new')]
    : [ends(wanted), ends(textArgument(args, 'new'))];
  if (old === '') throw new ToolError('"old" is empty. Use write for a new file.');
  if (old === next) throw new ToolError('"old" and "new" are the same.');
  const count = before.split(old).length - 1;
  if (count === 0)
    throw new ToolError('"old" is not in the file. Read the file and copy the passage exactly.');
  if (count > 1 && !flagArgument(args, 'all')) {
    throw new ToolError(`"old" is in the file ${count} times. Add lines around it, or set "all".`);
  }
  return { text: before.split(old).join(next), count };
}

async function readText(place: string): Promise<string> {
  // A pipe or a device would never end.
  const { size } = await refuseIrregular(place);
  if (size > fileBytesMax) {
    throw new ToolError(
      `The file has ${size} bytes, more than can be read here. Use search, or run with sed or head.`,
    );
  }
  const file = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const bytes = await file.readFile();
    if (bytes.subarray(0, 8_000).includes(0)) throw new ToolError('The file is binary.');
    return bytes.toString('utf8');
  } finally {
    await file.close();
  }
}

async function writeText(place: string, text: string): Promise<void> {
  const there = await refuseIrregular(place).catch((error: unknown) => {
    if (error instanceof ToolError) throw error;
    return null;
  });
  if (text.length > fileBytesMax)
    throw new ToolError(`More than ${fileBytesMax} characters are not written at once.`);
  const flags =
    constants.O_WRONLY | constants.O_TRUNC | constants.O_NOFOLLOW | (there === null ? constants.O_CREAT : 0);
  const file = await open(place, flags, 0o666);
  try {
    await file.writeFile(text);
  } finally {
    await file.close();
  }
}

async function refuseIrregular(place: string): Promise<{ readonly size: number }> {
  const found = await stat(place);
  if (found.isDirectory()) throw new ToolError('That is a folder, not a file.');
  if (!found.isFile()) throw new ToolError('That is no regular file.');
  return found;
}
