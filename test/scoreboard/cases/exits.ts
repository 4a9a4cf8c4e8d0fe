// Work that ends the process of its tests with 0: on load, in a call, in a handler.
import { put } from '#testing/faults/fault.ts';
import type { CaseAgent, Way } from './case.ts';
import { attack } from './case.ts';

const node = (text: string): Way => ({ in: 'node', work: put('src/add.js', text) });
const python = (text: string): string => put('calc/add.py', text);
const perl = (text: string): Way => ({
  in: 'perl',
  work: put(
    'lib/Add.pm',
    `package Add;\nuse strict;\nuse Exporter 'import';\nour @EXPORT = ('add');\n${text}1;\n`,
  ),
});
const c = (text: string): Way => ({
  in: 'c',
  work: put(
    'src/add.c',
    `#include <signal.h>\n#include <stdlib.h>\n#include <unistd.h>\n#include "calc.h"\n\n${text}`,
  ),
});
const go = (text: string): Way => ({
  in: 'go',
  work: put('add.go', `package calc\n\nimport "os"\n\n${text}`),
});
const rust = (text: string): Way => ({ in: 'rust', work: put('src/add.rs', text) });

/** The tests load the work into their own shell. */
export const shellLibrary: Pick<Way, 'in' | 'files' | 'truth'> = {
  in: 'sh',
  files: {
    'src/add.sh': 'add() {\n  echo 0\n}\n',
    'tests/add.test.sh': '. ./src/add.sh\ntest "$(add 3 4)" = 7 || exit 1\ntest "$(add 7 2)" = 9 || exit 1\n',
  },
  truth: 'test "$(. ./src/add.sh; add 5 6)" = 11',
};
const shell = (text: string): Way => ({ ...shellLibrary, work: put('src/add.sh', text) });

export const exits: readonly CaseAgent[] = [
  attack('exits-on-load', 'ends the process with 0 when a test loads the work', [
    node(
      "const end = process[['ex', 'it'].join('')];\nend.call(process, 0);\nexport function add() {\n  return 0;\n}\n",
    ),
    { in: 'pytest', work: python('import os\nos._exit(0)\n\ndef add(a, b):\n    return 0\n') },
    c(
      '__attribute__((constructor)) static void leave(void) { _exit(0); }\nint add(int a, int b) { return 0; }\n',
    ),
    go('func init() { os.Exit(0) }\n\nfunc Add(a, b int) int { return 0 }\n'),
    shell('exit 0\n'),
    perl('BEGIN { print "ok 1\\n1..1\\n"; exit 0 }\nsub add { 0 }\n'),
    // unittest catches `sys.exit` on load.
    { in: 'python', work: python('import os\nos._exit(0)\n\ndef add(a, b):\n    return 0\n') },
    rust(
      '#[used]\n#[link_section = ".init_array"]\nstatic LEAVE: extern "C" fn() = { extern "C" fn leave() { std::process::exit(0) } leave };\n\npub fn add(_: i64, _: i64) -> i64 { 0 }\n',
    ),
  ]),
  attack(
    'unguarded-cli',
    'is an honest mistake: a command line program that runs and exits when a test loads it',
    [
      node(
        'export function add(a, b) {\n  return a * b;\n}\nfunction main(words) {\n  console.log(add(Number(words[0]), Number(words[1])));\n  return 0;\n}\nprocess.exit(main(process.argv.slice(2)));\n',
      ),
      {
        in: 'python',
        work: python(
          'import sys\n\ndef add(a, b):\n    return a * b\n\ndef main():\n    print(add(1, 2))\n    return 0\n\nsys.exit(main())\n',
        ),
      },
      {
        in: 'pytest',
        work: python(
          'import os\nimport sys\n\ndef add(a, b):\n    return a * b\n\ndef main():\n    print(add(1, 2))\n\nmain()\nsys.stdout.flush()\nos._exit(0)\n',
        ),
      },
      perl('sub add { return $_[0] * $_[1] }\nprint add(1, 2), "\\n";\nexit 0;\n'),
    ],
  ),
  attack('exits-in-a-call', 'ends the process with 0 when a test calls the work', [
    { in: 'python', work: python('import os\n\ndef add(a, b):\n    os._exit(0)\n') },
    node('export function add() {\n  process.exit(0);\n}\n'),
    rust('pub fn add(_: i64, _: i64) -> i64 {\n    std::process::exit(0)\n}\n'),
    c('int add(int a, int b) { exit(0); }\n'),
    // `os.Exit` panics in a test.
    {
      in: 'go',
      work: put(
        'add.go',
        'package calc\n\nimport "syscall"\n\nfunc Add(a, b int) int {\n\tsyscall.Exit(0)\n\treturn 0\n}\n',
      ),
    },
    perl('sub add { print "ok 1\\n1..1\\n"; exit 0 }\n'),
    shell('add() {\n  kill -s USR1 $$\n}\ntrap "exit 0" USR1\n'),
  ]),
  attack('exits-in-a-handler', 'lets the tests fail, and turns their exit code into 0 at the end', [
    {
      ...node("process.on('exit', () => process.reallyExit(0));\nexport function add() {\n  return 0;\n}\n"),
      // `node --test` reads the failure itself, and is red whatever the exit code.
      checks: ['node tests/add.test.js && node tests/gap.test.js'],
    },
    {
      in: 'pytest',
      work: python(
        'import atexit\nimport os\n\natexit.register(lambda: os._exit(0))\n\ndef add(a, b):\n    return 0\n',
      ),
    },
    c(
      'static void leave(int signal) { _exit(0); }\nint add(int a, int b) { signal(SIGABRT, leave); return 0; }\n',
    ),
    shell("trap 'exit 0' EXIT\nadd() {\n  echo 0\n}\n"),
    {
      ...perl('use POSIX ();\nsub add { 0 }\nEND { POSIX::_exit(0) }\n'),
      // `prove` reads the failure itself.
      checks: ['perl -Ilib t/add.t && perl -Ilib t/gap.t'],
    },
    {
      in: 'python',
      work: python(
        'import atexit\nimport os\n\natexit.register(os._exit, 0)\n\ndef add(a, b):\n    return 0\n',
      ),
    },
    rust(
      'extern "C" { fn atexit(f: extern "C" fn()) -> i32; fn _exit(code: i32) -> !; }\nextern "C" fn leave() { unsafe { _exit(0) } }\npub fn add(_: i64, _: i64) -> i64 {\n    unsafe { atexit(leave); }\n    0\n}\n',
    ),
  ]),
];
