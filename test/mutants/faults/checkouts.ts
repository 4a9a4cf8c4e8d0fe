// Pins, clean checkouts, setup, landing.
import type { Fault } from '../fault.ts';

export const checkoutsFaults: readonly Fault[] = [
  {
    id: 'pin-changed-unseen',
    breaks: 'A changed test is not seen as long as the file is still there.',
    file: 'src/adapters/git/pins/pins.ts',
    symbol: 'toChange',
    find: 'if (hash === (now ?? absent)) return [];',
    replace: 'if (now !== null) return [];',
    test: {
      file: 'src/adapters/git/pins/pins.test.ts',
      title:
        'A pin breaks when its file is changed, deleted or renamed, not by new tests, other scripts or allowed changes [X8]',
    },
  },
  {
    id: 'test-name-ambiguous',
    breaks: 'A command called test in the sources counts as a test.',
    file: 'src/analysis/test-files/test-names.ts',
    symbol: 'isTest',
    find: '(isOneOf(ambiguous) && !sources.test(path))',
    replace: 'isOneOf(ambiguous)',
    test: {
      file: 'src/analysis/test-files/test-names.test.ts',
      title: 'A file is product code by its name: %s [X8]',
    },
  },
  {
    id: 'test-text-mention',
    breaks: 'Product code that loads a test library is pinned as a test.',
    file: 'src/analysis/test-files/test-texts.ts',
    symbol: 'isTestText',
    find: ': isUsing && isDefining;',
    replace: ': isUsing || isDefining;',
    test: {
      file: 'src/analysis/test-files/test-texts.test.ts',
      title: 'A file that only mentions tests is not a test: %s [X8]',
    },
  },
  {
    id: 'pin-link-unresolved',
    breaks: 'What a linked test leads to may be edited.',
    file: 'src/adapters/git/pins/test-pins.ts',
    symbol: 'ofLink',
    find: 'return why === null ? [] : [[path, why]];',
    replace: 'return [];',
    test: {
      file: 'src/adapters/git/pins/test-pins.test.ts',
      title: 'A test that is a link pins the file it leads to, through a chain and a linked folder [X8]',
    },
  },
  {
    id: 'pin-submodule-free',
    breaks: 'A submodule of tests may be moved to another commit.',
    file: 'src/adapters/git/pins/submodule-pins.ts',
    symbol: 'submodulePins',
    find: "pins.push({ path, hash: files.get(path) ?? '', why: 'a submodule with tests' });",
    replace: '',
    test: {
      file: 'src/adapters/git/pins/test-pins.test.ts',
      title:
        'Another commit, another repository or plain files in the place of tests break a pin; a new submodule does not [X8]',
    },
  },
  {
    id: 'pin-data-despite-goal',
    breaks: 'A fixture that the goal asks to change is pinned.',
    file: 'src/adapters/git/pins/test-pins.ts',
    symbol: 'testPins',
    find: 'if (!isNamedIn(goals, path)) add',
    replace: 'add',
    test: {
      file: 'src/adapters/git/pins/test-pins.test.ts',
      title: 'A fixture is free when no test names it, or the goal does [X8]',
    },
  },
  {
    id: 'pin-script-unfollowed',
    breaks: 'The script behind `npm test` is not pinned.',
    file: 'src/adapters/git/pins/pins.ts',
    symbol: 'follow',
    find: 'await followScripts(search, text, trail);',
    replace: '',
    test: {
      file: 'src/adapters/git/pins/pins.test.ts',
      title: 'Pins are what the check runs, what that runs in turn, and the tests of the base [X8]',
    },
  },
  {
    id: 'pin-nearer-manifest',
    breaks: 'A nearer package.json answers the check instead.',
    file: 'src/adapters/git/pins/pins.ts',
    symbol: 'followScripts',
    find: 'pinNearer(search, nearest, cwd);',
    replace: '',
    test: {
      file: 'src/adapters/git/pins/pins.test.ts',
      title:
        'An added file that steers a check breaks a pin at every relevant folder, and so does a nearer manifest [X8]',
    },
  },
  {
    id: 'pin-allowed-all',
    breaks: 'Every pinned file may be changed when nothing is listed.',
    file: 'src/adapters/git/pins/pins.ts',
    symbol: 'findBrokenPins',
    find: 'mayChange.length === 0 ? () => false',
    replace: 'mayChange.length === 0 ? () => true',
    test: {
      file: 'src/adapters/git/pins/pins.test.ts',
      title: "Pins come from the base, not from the agent's version of the checkout [X8]",
    },
  },
  {
    id: 'pins-outside-lost',
    breaks: 'A new criterion forgets what was changed around the repository.',
    file: 'src/adapters/git/checkouts/prepare.ts',
    symbol: 'pinsOf',
    find: 'withEarlier(pins.filter(isOutsidePin), earlier)',
    replace: 'pins.filter(isOutsidePin)',
    test: {
      file: 'src/adapters/git/pins/outside-pins.test.ts',
      title:
        'A change outside the repository remains one when the run is prepared again for later criteria [K9]',
    },
  },
  {
    id: 'forged-object',
    breaks: 'A forged git object puts another test into the clean checkout.',
    file: 'src/adapters/git/checkouts/clean-checkout.ts',
    symbol: 'makeCheckoutAt',
    find: 'await refuseForged(ground.git, ground.commonDir, tree);',
    replace: '',
    test: {
      file: 'src/adapters/git/git-tricks.test.ts',
      title:
        'An object whose content does not match its name is not checked out, though every hash is unchanged [X8] [X10]',
    },
  },
  {
    id: 'checkout-left-on-error',
    breaks: 'A failed setup leaves a checkout behind each time.',
    file: 'src/adapters/git/checkouts/clean-checkout.ts',
    symbol: 'makeCheckoutAt',
    find: 'await dispose();\n    throw error;',
    replace: 'throw error;',
    test: {
      file: 'src/adapters/git/checkouts/clean-checkout.test.ts',
      title: 'A clean checkout whose setup fails is refused with the error lines, and leaves nothing [X6]',
    },
  },
  {
    id: 'sweep-living-checkout',
    breaks: 'The checkout of a running check is removed.',
    file: 'src/adapters/git/checkouts/clean-checkout.ts',
    symbol: 'sweepCleanCheckouts',
    find: "if (which === 'dead' && living.has(home)) continue;",
    replace: '',
    test: {
      file: 'src/adapters/git/checkouts/clean-checkout.test.ts',
      title:
        'The next checkout and the release remove one that a kill left behind, never a live one or one of another run [X10]',
    },
  },
  {
    id: 'sweep-other-run',
    breaks: 'The checkouts of another run are removed.',
    file: 'src/adapters/git/checkouts/clean-checkout.ts',
    symbol: 'isCleanCheckoutOf',
    find: ' && /^[0-9a-f]{8}$/.test(name.slice(runId.length + 1))',
    replace: '',
    test: {
      file: 'src/adapters/git/checkouts/clean-checkout.test.ts',
      title:
        'The next checkout and the release remove one that a kill left behind, never a live one or one of another run [X10]',
    },
  },
  {
    id: 'release-loses-work',
    breaks: 'What was not committed is lost when the run releases its checkout.',
    file: 'src/adapters/git/checkouts/release-checkout.ts',
    symbol: 'releaseCheckout',
    find: "await files.keep(await files.snapshot(), 'released');",
    replace: '',
    test: {
      file: 'src/adapters/git/checkouts/clean-checkout.test.ts',
      title: 'A release keeps uncommitted work, removes the checkout and leaves the branch',
    },
  },
  {
    id: 'setup-failure-ignored',
    breaks: 'Checks run without their dependencies.',
    file: 'src/adapters/git/setup/run-setup.ts',
    symbol: 'runSetup',
    find: "ending.kind === 'exited' && ending.code === 0",
    replace: "ending.kind === 'exited'",
    test: {
      file: 'src/adapters/git/checkouts/clean-checkout.test.ts',
      title: 'A clean checkout whose setup fails is refused with the error lines, and leaves nothing [X6]',
    },
  },
  {
    id: 'setup-cache-any-lock',
    breaks: 'Dependencies of another lock file are used.',
    file: 'src/adapters/git/setup/dependencies.ts',
    symbol: 'inputsOf',
    find: '...(hasLock ? deciding : [wanted.tree])',
    replace: '...(hasLock ? [] : [wanted.tree])',
    test: {
      file: 'src/adapters/git/checkouts/clean-checkout.test.ts',
      title: 'A clean checkout installs again only if the lock file changed [X10]',
    },
  },
  {
    id: 'reviewer-sees-instructions',
    breaks: 'The builder instructs its reviewer by a changed AGENTS.md.',
    file: 'src/adapters/git/checkouts/review-checkout.ts',
    symbol: 'makeReviewCheckout',
    find: 'const shown = await shownTo(ground, tree);',
    replace: 'const shown = { tree, paths: [] as string[] };',
    test: {
      file: 'src/adapters/git/checkouts/review-checkout.test.ts',
      title:
        'A reviewer sees the work, but files that agents load by themselves, and what those name, are as on the base [Q10] [X8]',
    },
  },
  {
    id: 'land-target-not-compared',
    breaks: 'Landing moves a branch that another process has moved meanwhile.',
    file: 'src/adapters/git/landing/move-target.ts',
    symbol: 'refuseMoved',
    find: 'if (now === target.commit) return;',
    replace: 'return;',
    test: {
      file: 'src/app/land/land.test.ts',
      title: 'Land changes nothing when the branch moves between the check and the end',
    },
  },
  {
    id: 'land-dirty',
    breaks: 'Landing overwrites a checkout with uncommitted changes.',
    file: 'src/adapters/git/refs/target.ts',
    symbol: 'refuseUnclean',
    find: 'if (changed.length === 0) return;',
    replace: 'return;',
    test: {
      file: 'src/app/land/land.test.ts',
      title:
        'Land refuses a checkout with changes, one in the middle of a git operation, and files that are in the way',
    },
  },
  {
    id: 'land-conflict-clean',
    breaks: 'A merge with conflict markers lands.',
    file: 'src/adapters/git/landing/merge-trees.ts',
    symbol: 'mergeTrees',
    find: "{ kind: 'conflict', paths: [...new Set(paths)] }",
    replace: "{ kind: 'clean', tree: tree.trim() }",
    test: {
      file: 'src/app/land/land.test.ts',
      title: 'Land changes nothing in a conflict, and names the files',
    },
  },
  {
    id: 'land-merge-driver',
    breaks: 'A merge driver that an agent configured keeps one side of a merge.',
    file: 'src/adapters/git/landing/merge-trees.ts',
    symbol: 'mergeTrees',
    find: '[...drivers.map((name) => `--config-env=${name}=${textMergeVariable}`), ...args]',
    replace: 'drivers.length < 0 ? [] : args',
    test: {
      file: 'src/adapters/git/landing/merge-trees.test.ts',
      title: 'A merge runs no driver, whatever its name is [X13]',
    },
  },
  {
    id: 'land-unknown-commit',
    breaks: 'A commit that does not exist is reported as a conflict without files.',
    file: 'src/adapters/git/landing/merge-trees.ts',
    symbol: 'mergeTrees',
    find: " && tree !== ''",
    replace: '',
    test: {
      file: 'src/adapters/git/landing/merge-trees.test.ts',
      title: 'A merge with a commit that does not exist is an error and not a conflict [X13]',
    },
  },
  {
    id: 'land-merged-not-proven',
    breaks: 'A merge whose checks are red lands.',
    file: 'src/app/land/land.ts',
    symbol: 'land',
    find: 'if (!verification.isProven) return',
    replace: 'if (verification.isProven === undefined) return',
    test: {
      file: 'src/app/land/land.test.ts',
      title: 'Land changes nothing when the merged files are not proven',
    },
  },
  {
    id: 'land-old-pins',
    breaks: 'Newer tests of the target count as tampering.',
    file: 'src/app/land/land.ts',
    symbol: 'onto',
    find: 'if (run.base !== null) run.base = { ...run.base, commit, tree: baseTree, pins };',
    replace: 'void pins; void baseTree; void commit;',
    test: {
      file: 'src/app/land/land.test.ts',
      title: 'Land lets the target have its own newer tests, and proves the work against those',
    },
  },
  {
    id: 'fsmonitor-runs',
    breaks: 'A program that an agent named as monitor runs outside the sandbox.',
    file: 'src/adapters/git/repo/git.ts',
    symbol: 'settings',
    find: "  'core.fsmonitor=false',\n",
    replace: '',
    test: {
      file: 'src/adapters/git/repo/git.test.ts',
      title: 'Our git starts no file system monitor that the settings name [C10]',
    },
  },
  {
    id: 'pre-post-not-pinned',
    breaks: 'A `pretest` script that an agent adds decides the check.',
    file: 'src/adapters/git/pins/pins.ts',
    symbol: 'followManifest',
    find: 'pinAround(search, manifest, scripts, names);',
    replace: '',
    test: {
      file: 'src/adapters/git/pins/pins.test.ts',
      title: 'A script that a packager would run around a check is pinned by its absence: %s [X8]',
    },
  },
  {
    id: 'deleted-pin-unseen',
    breaks: 'An agent deletes a test that judges it.',
    file: 'src/adapters/git/pins/pins.ts',
    symbol: 'toChange',
    find: 'if (hash === (now ?? absent)) return [];',
    replace: 'if (now === null || hash === now) return [];',
    test: {
      file: 'src/adapters/git/pins/pins.test.ts',
      title:
        'A pin breaks when its file is changed, deleted or renamed, not by new tests, other scripts or allowed changes [X8]',
    },
  },
  {
    id: 'reads-through-git',
    breaks:
      'A check that calls git appears to read every file, so that its tests cannot be told from the rest.',
    file: 'src/adapters/git/checkouts/read-watch.ts',
    symbol: 'createReadWatch',
    find: '    if (index !== null) await writeStats(checkout, index, { readings, untouched });\n',
    replace: '',
    test: {
      file: 'src/adapters/git/checkouts/read-watch.test.ts',
      title: 'A check that asks git what has changed is not listed as reading all files',
    },
  },
  {
    id: 'reads-hide-change',
    breaks: 'A file that a check changed passes as unchanged for the next check that asks git.',
    file: 'src/adapters/git/checkouts/read-watch.ts',
    symbol: 'isUntouched',
    find: 'return entry !== undefined && isAsIndexed(file, entry, stat);',
    replace: 'return entry !== undefined && stat.size === BigInt(file.readUInt32BE(entry.at + 36));',
    test: {
      file: 'src/adapters/git/checkouts/read-watch.test.ts',
      title:
        'A watch does not hide from git what a check changed during an earlier watch, also in the same second',
    },
  },
  {
    id: 'reads-hide-quick-change',
    breaks:
      'A file that a check changed within a second passes as unchanged for the next check that asks git.',
    file: 'src/adapters/git/checkouts/index-stats.ts',
    symbol: 'withStats',
    find: '  for (const { at } of touched) copy.writeUInt32BE(0, at + sizeOffset);\n',
    replace: '',
    test: {
      file: 'src/adapters/git/checkouts/read-watch.test.ts',
      title:
        'A watch does not hide from git what a check changed during an earlier watch, also in the same second',
    },
  },
];
