// The repository: commits, refs, snapshots, checkouts, pins.
import type { Fault } from '../fault.ts';

export const gitFaults: readonly Fault[] = [
  {
    id: 'hooks-run',
    breaks: 'A hook that an agent wrote runs outside the sandbox.',
    file: 'src/adapters/git/repo/git.ts',
    symbol: 'settings',
    find: "  'core.hooksPath=/dev/null',\n",
    replace: '',
    test: {
      file: 'src/adapters/git/commit.test.ts',
      title:
        'A commit has exactly the tree, the user as author, a trailer and no hooks; the checkout is clean afterwards [C5]',
    },
  },
  {
    id: 'commit-graph-believed',
    breaks: 'A forged commit graph shows other files than the commits hold.',
    file: 'src/adapters/git/repo/git.ts',
    symbol: 'settings',
    find: "  'core.commitGraph=false',\n",
    replace: '',
    test: {
      file: 'src/adapters/git/git-tricks.test.ts',
      title:
        'History is read from the commits, never from a commit graph that a session has written [X8] [X10]',
    },
  },
  {
    id: 'replace-objects',
    breaks: 'A replaced git object puts other tests into the tree that is checked.',
    file: 'src/adapters/git/repo/git.ts',
    symbol: 'gitEnvironment',
    find: "    GIT_NO_REPLACE_OBJECTS: '1',\n",
    replace: '',
    test: {
      file: 'src/adapters/git/repo/git.test.ts',
      title: 'Our git shows the real content of an object, not its replacement by `git replace` [X8]',
    },
  },
  {
    id: 'git-filters-run',
    breaks: 'A filter that an agent wrote runs outside the sandbox.',
    file: 'src/adapters/git/repo/git.ts',
    symbol: 'createGit',
    find: 'isFiltering ? [...shown, ...ownFilters(filters, { gitDir, workTree })] : shown',
    replace: 'shown',
    test: {
      file: 'src/adapters/git/git-tricks.test.ts',
      title:
        "A git setting that names a repository file starts the person's version, never one that an agent wrote [C10] [X8]",
    },
  },
  {
    id: 'settings-of-another-worktree',
    breaks: 'A filter that only one worktree has runs as an agent wrote it.',
    file: 'src/adapters/git/repo/known-settings.ts',
    symbol: 'createKnownSettings',
    find: 'shared.isConditional ? ',
    replace: 'shared.filters.length > 0 && shared.isConditional ? ',
    test: {
      file: 'src/adapters/git/repo/known-settings.test.ts',
      title: 'A worktree that may have settings of its own is read apart [C10]',
    },
  },
  {
    id: 'text-read-together-differs',
    breaks: 'A pinned script counts as changed, because its text was read in another way on the base.',
    file: 'src/adapters/git/trees/pin-tree.ts',
    symbol: 'knowBlob',
    find: ".replace(/\\n$/, '')",
    replace: '',
    test: {
      file: 'src/adapters/git/trees/pin-tree.test.ts',
      title:
        'A file that was read together with others has the text and the limit that it has when it is read alone',
    },
  },
  {
    id: 'tree-by-names',
    breaks: 'Changed files count as the tree from before the change, and the checks of that tree as theirs.',
    file: 'src/adapters/git/trees/index-list.ts',
    symbol: 'treeOf',
    find: '.update(list.text)',
    replace: ".update(list.paths.join(' '))",
    test: {
      file: 'src/adapters/git/workspace.test.ts',
      title: 'A snapshot detects a change that keeps size and time, and survives many at once',
    },
  },
  {
    id: 'file-to-be-added-later',
    breaks: 'A file that git was only told to add later counts as an empty file of the tree.',
    file: 'src/adapters/git/trees/index-list.ts',
    symbol: 'listIndex',
    find: ' || isLater',
    replace: '',
    test: {
      file: 'src/adapters/git/trees/index-list.test.ts',
      title: 'An index that only git can read as a tree is left to git [C5]',
    },
  },
  {
    id: 'split-index-as-whole',
    breaks: 'A tree lacks the files that are listed in the other part of a split index.',
    file: 'src/adapters/git/checkouts/index-stats.ts',
    symbol: 'hasNeededExtension',
    find: 'return true;',
    replace: 'return false;',
    test: {
      file: 'src/adapters/git/trees/index-list.test.ts',
      title: 'An index that only git can read as a tree is left to git [C5]',
    },
  },
  {
    id: 'changed-settings-missed',
    breaks: 'A change of git settings by an agent is not reported.',
    file: 'src/adapters/git/repo/frozen-settings.ts',
    symbol: 'changedSettings',
    find: 'last?.state === state',
    replace: 'last !== undefined',
    test: {
      file: 'src/adapters/git/repo/frozen-settings.test.ts',
      title: 'A setting of the user that changed is named each time, and no more once it is as before [X10]',
    },
  },
  {
    id: 'included-settings-missed',
    breaks: 'A change of included git settings by an agent is not reported.',
    file: 'src/adapters/git/repo/frozen-settings.ts',
    symbol: 'remember',
    find: 'hasIncludes || found',
    replace: 'found',
    test: {
      file: 'src/adapters/git/repo/frozen-settings.test.ts',
      title:
        'A change in a file that the settings include is noticed, although the settings name it as before [X10]',
    },
  },
  {
    id: 'added-files-stay',
    breaks: 'The next session finds the files that a check made.',
    file: 'src/runtime/steps/perform-check.ts',
    symbol: 'openSite',
    find: 'present !== tree',
    replace: 'present === tree',
    test: {
      file: 'src/runtime/steps/perform-check.test.ts',
      title:
        'Files that a check merely added are removed, and nothing is looked for when it left the tree as it was',
    },
  },
  {
    id: 'commit-twice',
    breaks: 'A commit that was cut off by a crash is reported as refused.',
    file: 'src/adapters/git/commit.ts',
    symbol: 'commitTree',
    find: 'if (tip !== null && isElsewhere && (await isOwn(ground, order, tip))) return { commit: tip };',
    replace: '',
    test: {
      file: 'src/adapters/git/commit.test.ts',
      title: 'A repeated commit finds its own commit and makes no second one [C5]',
    },
  },
  {
    id: 'commit-trailer-alone',
    breaks: 'A commit that the run did not make is taken for the proven one.',
    file: 'src/adapters/git/commit.ts',
    symbol: 'isOwn',
    find: 'tree === order.tree && parents === order.parent && ',
    replace: '',
    test: {
      file: 'src/adapters/git/commit.test.ts',
      title: 'A commit with the same trailer is not mistaken for its own',
    },
  },
  {
    id: 'commit-unsigned',
    breaks: 'Commits are not signed where they must be.',
    file: 'src/adapters/git/commit.ts',
    symbol: 'makeCommit',
    find: "(await isSigning(git, { gitDir: commonDir })) ? ['-S'] : []",
    replace: '[]',
    test: {
      file: 'src/adapters/git/commit.test.ts',
      title: 'A commit is signed where commits must be signed [X6]',
    },
  },
  {
    id: 'secret-in-tree',
    breaks: 'A `.env` file is committed.',
    file: 'src/adapters/git/trees/snapshot.ts',
    symbol: 'takeFiles',
    find: 'if (suspects.length === 0) return treeOf(',
    replace: 'if (suspects.length >= 0) return treeOf(',
    test: {
      file: 'src/adapters/git/workspace.test.ts',
      title:
        'A snapshot omits secrets and our state, even if an ignore file includes them; files of the base stay',
    },
  },
  {
    id: 'restore-keeps-nothing',
    breaks: 'Edits of a person in the workspace are lost before a session.',
    file: 'src/adapters/git/trees/files.ts',
    symbol: 'restoreFiles',
    find: 'const ref = await files.keep(present, name);',
    replace: "const ref = 'refs/untildone/none';",
    test: {
      file: 'src/adapters/git/workspace.test.ts',
      title: 'A restore makes the files equal, keeps the replaced ones, and leaves ignored ones [C5]',
    },
  },
  {
    id: 'ref-not-put-back',
    breaks: 'A branch that an agent moved stays moved.',
    file: 'src/adapters/git/refs/restore-refs.ts',
    symbol: 'restoreOne',
    find: 'await setRef(scene, ref, old, now);',
    replace: '',
    test: {
      file: 'src/adapters/git/refs/restore-refs.test.ts',
      title: "If an agent moves main under its own name, main is restored and the agent's commit is kept",
    },
  },
  {
    id: 'ref-lost-not-recreated',
    breaks: 'A branch that an agent deleted is gone.',
    file: 'src/adapters/git/refs/restore-refs.ts',
    symbol: 'restoreOne',
    find: 'keptAs: await recreate(scene, ref, old)',
    replace: "keptAs: ''",
    test: {
      file: 'src/adapters/git/refs/restore-refs.test.ts',
      title:
        'If an agent deletes branches and tags, they are restored, also after our crash and with a new one in the way',
    },
  },
  {
    id: 'agent-commits-lost',
    breaks: 'The commits of an agent can be collected as garbage.',
    file: 'src/adapters/git/refs/restore-refs.ts',
    symbol: 'moveBack',
    find: 'const keptAs = await keepObject(scene.git, scene.commonDir, kept, now);',
    replace: 'const keptAs = kept;',
    test: {
      file: 'src/adapters/git/refs/restore-refs.test.ts',
      title: 'If an agent commits, the branch is restored, and its commits and files are kept',
    },
  },
  {
    id: 'users-move-undone',
    breaks: 'A commit that the user made meanwhile is taken back.',
    file: 'src/adapters/git/refs/restore-refs.ts',
    symbol: 'isUsers',
    find: 'if (await isByAgent(scene, ref, now)) return false;',
    replace: 'if (ref !== "") return false;',
    test: {
      file: 'src/adapters/git/refs/restore-refs.test.ts',
      title: 'If the user commits on main, makes a branch or adds a remote, the run leaves it alone',
    },
  },
  {
    id: 'config-not-put-back',
    breaks: 'Git settings that an agent changed stay in force.',
    file: 'src/adapters/git/refs/restore-refs.ts',
    symbol: 'restoreFile',
    find: 'else await putBack(scene.commonDir, was);',
    replace: '',
    test: {
      file: 'src/adapters/git/refs/restore-refs.test.ts',
      title:
        'If an agent writes hooks, settings and ignore rules, they are restored and its versions are kept',
    },
  },
  {
    id: 'new-hook-stays',
    breaks: 'A hook that an agent added stays in the repository.',
    file: 'src/adapters/git/refs/restore-refs.ts',
    symbol: 'restoreFile',
    find: 'if (was === undefined) await takeAway(scene.commonDir, path);',
    replace: 'if (was === undefined) return [];',
    test: {
      file: 'src/adapters/git/refs/restore-refs.test.ts',
      title:
        'If an agent writes hooks, settings and ignore rules, they are restored and its versions are kept',
    },
  },
  {
    id: 'head-not-put-back',
    breaks: 'The checkout of the user stays on another branch.',
    file: 'src/adapters/git/refs/restore-refs.ts',
    symbol: 'restoreHead',
    find: "await writeFile(join(repository.gitDir, 'HEAD'), `${before.head}\\n`);",
    replace: '',
    test: {
      file: 'src/adapters/git/refs/restore-refs.test.ts',
      title: 'If an agent switches the checkout of the user, HEAD is restored',
    },
  },
  {
    id: 'alternates-not-guarded',
    breaks: 'An agent lends the repository objects from elsewhere.',
    file: 'src/adapters/git/refs/guarded-files.ts',
    symbol: 'single',
    find: ' objects/info/alternates',
    replace: '',
    test: {
      file: 'src/adapters/git/git-tricks.test.ts',
      title: 'Repository settings, hooks, attributes, grafts and borrowed objects are restored [X8]',
    },
  },
  {
    id: 'settings-not-frozen',
    breaks: 'A filter in the settings of the user steers the clean checkout.',
    file: 'src/adapters/git/repo/frozen-settings.ts',
    symbol: 'withFrozenSettings',
    find: 'existsSync(file) ? { ...env, GIT_CONFIG_GLOBAL: file } : env',
    replace: 'env',
    test: {
      file: 'src/adapters/git/git-tricks.test.ts',
      title:
        'User git settings that an agent changed have no effect in a clean checkout and are reported [X8] [X10]',
    },
  },
  {
    id: 'commit-no-cas',
    breaks: 'A commit that a person made on the branch of the run is lost.',
    file: 'src/adapters/git/commit.ts',
    symbol: 'commitTree',
    find: '`refs/heads/${branch}`, commit, order.parent]',
    replace: '`refs/heads/${branch}`, commit]',
    test: {
      file: 'src/adapters/git/repo/git.test.ts',
      title: 'A branch that moves while the proven tree is committed is not overwritten [C5]',
    },
  },
  {
    id: 'foreign-git-dir',
    breaks: 'In a git hook, our git works on the repository of the hook.',
    file: 'src/adapters/git/repo/git.ts',
    symbol: 'gitEnvironment',
    find: '!outsideVariables.test(name)',
    replace: 'name !== ""',
    test: {
      file: 'src/adapters/git/repo/git.test.ts',
      title: 'Our git works on its given repository, whatever GIT_DIR and GIT_INDEX_FILE say [C10]',
    },
  },
  {
    id: 'kept-overwritten',
    breaks: 'Work that was kept aside overwrites what was kept before.',
    file: 'src/adapters/git/refs/refs.ts',
    symbol: 'create',
    find: ", '0'.repeat(object.length)]",
    replace: ']',
    test: {
      file: 'src/adapters/git/workspace.test.ts',
      title: 'A restore never overwrites files that were kept under the same name',
    },
  },
  {
    id: 'yaml-duplicate-keys',
    breaks: 'A second key of the same name hides a setting from the detector.',
    file: 'src/analysis/texts/yaml.ts',
    symbol: 'readYaml',
    find: ' || hasOddKeys(document)',
    replace: '',
    test: {
      file: 'src/analysis/texts/texts.test.ts',
      title: 'A text with %s has no value [X8]',
    },
  },
  {
    id: 'broken-toml-empty',
    breaks: 'A manifest with a syntax error counts as one that decides nothing.',
    file: 'src/analysis/texts/json-text.ts',
    symbol: 'unreadable',
    find: "new Map([['unreadable', text]])",
    replace: 'new Map(text === null ? [] : [])',
    test: {
      file: 'src/analysis/tampering/section-rules.test.ts',
      title: 'A comment, a spelling or an error hides no table: %s %# [X8]',
    },
  },
  {
    id: 'zero-byte-hides',
    breaks: 'A zero byte in a manifest hides what it says from the detector.',
    file: 'src/analysis/tampering/pins/broken-sections.ts',
    symbol: 'readAt',
    find: '{ text: file, sections: unreadable(file) }',
    replace: "{ text: '', sections: new Map() }",
    test: {
      file: 'src/adapters/git/pins/derived-pins.test.ts',
      title: 'The section that decides checks is pinned in %s [X8]',
    },
  },
  {
    id: 'member-scripts-free',
    breaks: 'A member of a workspace replaces the test script that `npm test --workspaces` runs.',
    file: 'src/analysis/tampering/pins/member-scripts.ts',
    symbol: 'manifestsOf',
    find: "if (members === 'none') return [nearest];",
    replace: 'if (members.length > 0) return [nearest];',
    test: {
      file: 'src/adapters/git/pins/member-scripts.test.ts',
      title: 'The command %s pins the scripts that it runs, with what they name: %j [X8]',
    },
  },
  {
    id: 'make-up-to-date',
    breaks: 'A file called `check` makes `make check` run nothing, and the run completes.',
    file: 'src/analysis/tampering/pins/included-pins.ts',
    symbol: 'pinTargets',
    find: 'if (isThere) continue;',
    replace: 'if (isThere || targets.length > 0) continue;',
    test: {
      file: 'src/adapters/git/pins/included-pins.test.ts',
      title: 'A new file that a check would load is refused: %s [X8]',
    },
  },
  {
    id: 'attributes-change-bytes',
    breaks: 'A line in .gitattributes changes a pinned script in every checkout.',
    file: 'src/adapters/git/pins/attribute-pins.ts',
    symbol: 'changeBy',
    find: "'eol=crlf' ? 'eol=crlf' : ''",
    replace: "'eol=crlf' ? '' : ''",
    test: {
      file: 'src/adapters/git/pins/included-pins.test.ts',
      title: 'An attribute that changes a pinned file breaks its pin: %s %j [X8]',
    },
  },
  {
    id: 'moving-name-remembered',
    breaks: 'Git is asked once about a name that can move, and the answer is taken for the present one.',
    file: 'src/adapters/git/repo/tell-once.ts',
    symbol: 'tellOnce',
    find: "if (!isHash.test(args.at(-1) ?? '')) return git.tell(args, options);",
    replace: '',
    test: {
      file: 'src/adapters/git/repo/tell-once.test.ts',
      title:
        'Git is asked once about an object that is named by its hash, and each time about a name that can move',
    },
  },
];
