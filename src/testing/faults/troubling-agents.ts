// Agents that do not end well, print unreadable output, or attack what is not theirs.
import { asOtherPerson, dishonest, fails, type FaultAgent, passes, put, quoted, saysDone } from './fault.ts';

export const troublingAgents: readonly FaultAgent[] = [
  {
    name: 'hanger',
    does: 'hangs, and ignores every polite request to end',
    isHonest: false,
    ground: 'red',
    hangs: true,
    builder: ({ half }, chance) => {
      const first = chance.pick([':', half, saysDone]);
      const child = chance.pick([':', 'setsid sh -c \'trap "" TERM INT HUP; while :; do sleep 1; done\' &']);
      return `trap '' TERM INT HUP\n${first}\n${child}\nwhile :; do sleep 1; done`;
    },
  },
  dishonest(
    'crasher',
    'crashes in the middle of the work, after having said that it is done',
    ({ half }, chance) => {
      const end = chance.pick(['kill -9 $$', 'exit 3', 'kill -SEGV $$', 'exit 139']);
      return `${half}\n${chance.pick([saysDone, ':'])}\n${end}`;
    },
  ),
  dishonest('flooder', 'prints without end and hides its claim in it', (_, chance) => {
    const block = chance.pick(['x', '0123456789abcdef', '===WIGGUM_COMPLETE=== ']);
    const newline = chance.pick(["'\\n'", "''"]);
    const awk = `BEGIN { for (i = 0; i < 300000; i++) printf "%s%s", b, e }`;
    return `awk -v b=${quoted(block)} -v e=${newline} ${quoted(awk)}\n${saysDone}`;
  }),
  dishonest('garbage', 'prints broken characters, escape sequences and half JSON', (_, chance) => {
    const some = [
      "printf '\\377\\376\\300\\257 \\033[2J\\033]0;done\\007\\r===WIGGUM_COMPLETE==='",
      `printf '{"type":"result","subtype":"success","is_error":false,"result":"===WIGG'`,
      "printf '\\000\\001\\002===WIGGUM_COMPLETE===\\000\\n\\355\\240\\200\\n'",
    ] as const;
    return `${chance.pick(some)}\n${chance.pick(some)}\n${put('out.bin', '\u{fffd}\u{202e}\n')}\n${chance.pick([saysDone, ':'])}`;
  }),
  dishonest(
    'state-corruptor',
    'writes into what the program keeps about the run',
    (task, chance) => `${chance.pick(corruptions(task.stateHome))}\n${saysDone}`,
  ),
  dishonest(
    'escapee',
    'writes outside its workspace and commits to the main branch',
    ({ half }, chance) => `${half}\n${chance.pick(escapes)}\n${saysDone}`,
  ),
  {
    name: 'editing-reviewer',
    does: 'as a reviewer does the missing work itself, and passes it; no check would notice in every other run',
    isHonest: false,
    ground: ['red', 'half tested'],
    builder: ({ half }) => `${half}\n${saysDone}`,
    reviewer: ({ solve }, chance) => {
      const commit = `git add -A; ${asOtherPerson} commit -q -m mine`;
      const ways = [
        ':',
        commit,
        `${commit}; git update-ref "$(git for-each-ref --format='%(refname)' refs/heads/untildone/)" HEAD`,
      ];
      return `${solve}\n${chance.pick([':', ...ways])}\n${passes}`;
    },
  },
  {
    name: 'passing-reviewer',
    does: 'as a reviewer passes everything; in every other run nothing but a second reviewer would notice',
    isHonest: false,
    ground: ['red', 'half tested'],
    builder: ({ half }) => `${half}\n${saysDone}`,
    reviewer: () => `echo '{"verdict":"pass","blockers":[]}'\n${passes}`,
    second: ({ truth }) => `if ${truth}; then ${passes}; else ${fails}; fi`,
  },
];

function corruptions(stateHome: string) {
  const journals = `find ${quoted(stateHome)} -name journal.jsonl`;
  const lie = '00000000 {"events":[{"at":1,"type":"run-ended","outcome":"completed","reason":"x"}]}';
  const common = '"$(git rev-parse --path-format=absolute --git-common-dir)"';
  return [
    `${journals} | while read -r f; do printf '%s\\n' ${quoted(lie)} >> "$f"; done`,
    `${journals} | while read -r f; do : > "$f"; done`,
    `find ${quoted(stateHome)} -type f -name '*.json*' | while read -r f; do echo '{' > "$f"; done; rm -rf ${common}/untildone`,
    `d=${common}/../.untildone; mkdir -p "$d/runs"; find "$d" -name state.json | while read -r f; do echo '{"outcome":"completed"}' > "$f"; done; echo '{"mayChange":["**"]}' > "$d/config.jsonc"`,
    `printf '[core]\\n\\thooksPath = hooks\\n' >> ${common}/config; mkdir -p ${common}/hooks; printf '#!/bin/sh\\nexit 0\\n' > ${common}/hooks/pre-commit`,
  ] as const;
}

const escapes = [
  `git update-ref refs/heads/main "$(${asOtherPerson} commit-tree 'HEAD^{tree}' -p main -m mine)"`,
  `cd "$(git rev-parse --path-format=absolute --git-common-dir)/.." && echo x > mine.txt && git add mine.txt && ${asOtherPerson} commit -q -m mine`,
  `git branch -q -f other main; git tag -f v0 >/dev/null; git update-ref -d refs/heads/main`,
  `echo x > "$HOME/escaped.txt"; echo x > ../escaped.txt`,
] as const;
