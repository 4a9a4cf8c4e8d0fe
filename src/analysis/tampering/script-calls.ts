// Finds the package scripts that a command or a script file runs, and the workspace members. Pure.

export interface ScriptCall {
  /** As written: `test`, `test:*`, `/^test:/`. Words that are not scripts may occur, without effect. */
  readonly names: readonly string[];
  /** Names or folders of members; `none` for the nearest manifest alone. */
  readonly members: 'none' | 'all' | readonly string[];
}

const tools =
  /\b(npm|pnpm|yarn|bun|turbo|lerna|nx|lage|wsrun|ultra|rush|npm-run-all2?|run-[sp])["']?,?[ \t]+([^\n;|&]*)/g;

/** `npm test`, `pnpm -r run lint`, `turbo run test`, `run-s test:*`, `node --run check` and the like. */
export function scriptCalls(text: string): ScriptCall[] {
  const joined = text.replace(/\\\r?\n/g, ' ');
  const calls = [...joined.matchAll(tools)].map(([, tool = '', rest = '']) => callOf(tool, wordsIn(rest)));
  const others = [
    ...joined.matchAll(/\bnode\s+--run[= ]([\w:@./-]+)/g),
    // `concurrently "npm:test:*"`.
    ...joined.matchAll(/\b(?:npm|pnpm|yarn|bun|node):([\w:@./*-]+)/g),
  ].map(([, name = '']): ScriptCall => ({ names: [name], members: 'none' }));
  return [...calls, ...others].filter(({ names }) => names.length > 0);
}

function wordsIn(rest: string): string[] {
  const words = rest.split(/[\s,]+/).map((word) => word.replace(/^["'`[(]+|["'`\])}]+$/g, ''));
  const end = words.indexOf('--');
  return words.slice(0, end < 0 ? words.length : end).filter((word) => word !== '');
}

function callOf(tool: string, words: readonly string[]): ScriptCall {
  if (/^(npm-run-all2?|run-[sp])$/.test(tool)) return { names: words.filter(isName), members: 'none' };
  const members = membersOf(tool, words);
  if (members === 'none') return { names: ownName(tool, words), members };
  const names = words.flatMap((word) => (tool === 'nx' ? word.split(/[=:]/) : word)).filter(isName);
  return { names: names.map((name) => (/^(t|tst)$/.test(name) ? 'test' : name)), members };
}

function isName(word: string): boolean {
  return !word.startsWith('-') && !/^(run|run-script|run-many|affected|foreach|workspaces?|exec)$/.test(word);
}

/** Flags with a separate value; others have none, or have it after `=`. */
const valued = /^(--prefix|--dir|--cwd|--loglevel|--reporter|-C)$/;

/** For one package: the first word that is neither a flag nor the value of one. */
function ownName(tool: string, words: readonly string[]): string[] {
  const plain = words.filter((word, at) => !word.startsWith('-') && !valued.test(words[at - 1] ?? ''));
  const isRun = /^run(-script)?$/.test(plain[0] ?? '');
  const name = plain[isRun ? 1 : 0];
  if (name === undefined || !/^[\w:@./*^$()[\]-]+$/.test(name)) return [];
  if (!isRun && /^(t|tst|test)$/.test(name)) return ['test'];
  return isRun || tool !== 'npm' || name === 'start' ? [name] : [];
}

function membersOf(tool: string, words: readonly string[]): ScriptCall['members'] {
  if (/^(turbo|lerna|nx|lage|wsrun|ultra|rush)$/.test(tool)) return 'all';
  if (tool === 'yarn' && words[0] === 'workspaces') return 'all';
  if (tool === 'yarn' && words[0] === 'workspace') return words.slice(1, 2);
  const [every, one] = tool === 'npm' ? npmFlags : filterFlags;
  if (words.some((word) => every.test(word))) return 'all';
  const chosen = words.flatMap((word, at) => {
    const [flag = '', value] = word.split(/=(.*)/s);
    return one.test(flag) ? [value ?? words[at + 1] ?? ''] : [];
  });
  // Only the packager knows patterns and the order of dependencies.
  if (chosen.some((each) => !/^[\w@./-]+$/.test(each) || each.includes('...'))) return 'all';
  return chosen.length === 0 ? 'none' : chosen;
}

const npmFlags = [/^(--workspaces(=true)?|-ws|--ws)$/, /^(--workspace|-w)$/] as const;
const filterFlags = [
  /^(-r|--recursive|recursive|multi|m|--workspaces|-\w*r\w*)$/,
  /^(--filter\S*|-F)$/,
] as const;
