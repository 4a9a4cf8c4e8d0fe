// Lines of a stack trace, in the languages whose runners are known here. Pure.

const frames: readonly RegExp[] = [
  // JavaScript, Java, Rust: `at f (file:1:2)`, `at a.b.C.d(C.java:12)`, `at ./src/lib.rs:26:9`
  /^\s*at\s\S.*(?:[:(]\d+|\)|\(Native Method\))/,
  // vitest, and TAP's YAML: `❯ sum.js:1:2`, `Test.<anonymous> (sum.js:14:5)`
  /^\s*❯\s\S+.*:\d+:\d+$/,
  /^\s*[\w$.<>[\] ]+\s\((?:file|node|async|\/|\w+[./])[^()]*:\d+:\d+\)$/,
  // Rust: `  3: core::panicking::panic_fmt`; gdb: `#3 0x…`
  /^\s+\d+:\s+(?:0x[\da-f]+ - )?[\w<{][\w:<>{}$ ]*/,
  /^\s*#\d+\s+0x/,
  // Ruby and PHP: `# ./spec/x.rb:17:in`, `from x.rb:3:in`, `#0 /x/y.php(12): f()`
  /^\s*(?:# |from )\S+:\d+:in\s/,
  /^\s*#\d+\s\S+\(\d+\):/,
  // Python: `  File "x.py", line 3, in f`
  /^\s*File ".*", line \d+, in /,
  // Go: `	/usr/lib/go/src/testing/testing.go:1446 +0x…`, `testing.tRunner(0x…)`
  /^\s+\S+\.go:\d+ \+0x/,
  /^[\w./*()]+\((?:0x|\{0x|\.\.\.)[^)]*\)$/,
];

export function isStackLine(line: string): boolean {
  return frames.some((frame) => frame.test(line));
}

/** More than this in a row says nothing new. */
const framesMax = 2;

/** The first lines of each stack, and how many there were; everything else stays. */
export function withoutLongStacks(lines: readonly string[]): string[] {
  const kept: string[] = [];
  let row = 0;
  const end = (): void => {
    if (row > framesMax) kept.push(`    [… ${row - framesMax} more lines of the stack …]`);
    row = 0;
  };
  for (const line of lines) {
    if (!isStackLine(line)) end();
    else row += 1;
    if (row <= framesMax) kept.push(line);
  }
  end();
  return kept;
}
