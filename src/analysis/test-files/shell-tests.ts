// Decides which shell scripts are tests or run them, by their text. Pure.
//
// A test compares the output of a program of the repository with a literal, fails on a difference, and does
// little else: scripts that check their arguments or the machine before they work are product code.
import { isTest } from './test-names.ts';

export function isShell(path: string, text: string): boolean {
  return /\.(?:sh|bash)$/.test(path) || (!/\.[^/]*$/.test(path) && /^#!.*\b(?:ba|da)?sh\b/.test(text));
}

export function isShellTest(path: string, text: string): boolean {
  if (!isShell(path, text)) return false;
  return loopVariables(text).length > 0 || isComparing(text);
}

/** Scripts that define a function which another script, naming them, calls with each test: `run_one "$t"`. */
export function testStarters(texts: ReadonlyMap<string, string>): string[] {
  const scripts = [...texts].filter(([path, text]) => isShell(path, text));
  const calls = scripts.flatMap(([from, text]) => functionsFor(text).map((name) => ({ from, text, name })));
  return scripts.flatMap(([path, text]) => {
    const file = path.slice(path.lastIndexOf('/') + 1);
    const isCalled = calls.some(
      (call) => call.from !== path && call.text.includes(file) && defines(text, call.name),
    );
    return isCalled ? [path] : [];
  });
}

/** Loop variables over tests: `for t in tests/*.sh`. */
function loopVariables(text: string): string[] {
  const loops = codeOf(text).matchAll(/(?:^|[;&|{\s])for\s+(\w+)\s+in\s+([^;\n]+)/g);
  return [...loops].flatMap(([, variable = '', list = '']) => {
    const paths = list.split(/[\s"'`()]+/).map((word) => word.replace(/^\.\//, '').replace(/[*?]+/g, 'x'));
    return paths.some((path) => path.includes('/') && isTest(path)) ? [variable] : [];
  });
}

function functionsFor(text: string): string[] {
  return loopVariables(text).flatMap((variable) => {
    const call = new RegExp(
      String.raw`(?:^|[;&|{])\s*(?:(?:do|then|else|if|!)\s+)*([\w-]+)\s[^;&|\n]*\$\{?${variable}\b`,
      'gm',
    );
    return [...codeOf(text).matchAll(call)].map(([, name = '']) => name);
  });
}

function defines(text: string, name: string): boolean {
  return new RegExp(String.raw`^\s*(?:function\s+${name}\b|${name}\s*\(\s*\))`, 'm').test(text);
}

const comparison =
  /(?:^|[\s;&|!])(?:\[\[?|test)\s+(?:!\s+)?["']?(?:\$\(|`)\s*(.+?)(?:\)|`)["']?\s+(?:==?|!=|-eq|-ne)\s+(["']?)[^\s"'$`\]][^$`]*?\2(?:\s*\]|\s*$|\s*[;&|])/;
const expectedFile =
  /(?:^|[\s;&|!])(?:diff|cmp)\s[^;&|]*(?:expect|golden|approved|snapshot|reference|baseline)/i;
/** Questions about the machine, the user or a file; and output of tools about themselves. */
const systemQuestion =
  /^(?:uname|id|whoami|hostname|pwd|date|command|which|type|git|ls|cat|wc|stat|grep|head|tail|awk|sed|cut|tr|find|echo|printf|ps|pgrep|env|printenv|arch|getconf|nproc|basename|dirname|readlink|realpath|docker|kubectl|systemctl|npm|curl|wget|du|df|tput|sysctl|sw_vers|lsb_release|dpkg|rpm|apt\S*|brew|jq|yq|sha\d*sum|md5sum|\S+\s+(?:--version|-[vV]|-[ec]\s.*))\b/;
const failing =
  /\|\|\s*(?:\{[^}]*\b)?(?:exit|return|fail\w*|die|abort|false)\b|&&\s*(?:exit|return|fail\w*)\b/;
const quiet =
  /^(?:$|set\s|cd\s|\.\s|source\s|echo\b|printf\s|trap\s|export\s|\w+=|exit\b|return\b|fail\w*\b|fi\b|done\b|else\b|then\b|\}|\{|\w+\s*\(\)\s*\{)/;

/** Longer lines are not comparisons by a person. */
const lineMax = 500;

function isComparing(text: string): boolean {
  const lines = withResults(codeOf(text))
    .split('\n')
    .map((line) => line.trim().slice(0, lineMax));
  const stops = lines.some((line) => /^set\s+-\w*e/.test(line));
  const last = lines.findLastIndex((line) => line !== '');
  const isFailing = (at: number): boolean =>
    stops ||
    at === last ||
    failing.test(lines[at] ?? '') ||
    (/^if\s/.test(lines[at] ?? '') && /\b(?:exit|return|fail\w*)\b/.test(lines.slice(at, at + 4).join('\n')));
  const isOne = (line: string, at: number): boolean => compares(line) && isFailing(at);
  const found = lines.filter(isOne).length;
  const others = lines.filter((line, at) => !isOne(line, at) && !quiet.test(line)).length;
  return found > 0 && found >= others;
}

/** `got=$(add 2 3)` and `[ "$got" = 5 ]` are one comparison. */
function withResults(text: string): string {
  const results = new Map(
    [...text.matchAll(/^\s*(?:local\s+)?(\w+)="?\$\(([^()\n]+)\)"?\s*$/gm)].map(([, name, command]) => [
      name,
      command,
    ]),
  );
  return text.replace(/\$(?:\{(\w+)\}|(\w+))/g, (whole, braced?: string, plain?: string) => {
    const command = results.get(braced ?? plain);
    return command === undefined ? whole : `$(${command})`;
  });
}

function compares(line: string): boolean {
  const asked = comparison.exec(line)?.[1];
  return asked === undefined ? expectedFile.test(line) : !systemQuestion.test(asked);
}

/** Without comments. */
function codeOf(text: string): string {
  return text.replace(/^\s*#.*$/gm, '').replace(/\\\r?\n/g, ' ');
}
