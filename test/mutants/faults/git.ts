// The repository: commits, refs, snapshots, checkouts, pins.
import type { Fault } from '../fault.ts';

export const gitFaults: readonly Fault[] = [
  {
    id: 'hooks-run',
    breaks: 'A hook that an agent wrote runs outside the sandbox.',
    file: 'src/adapters/workspaces/git/git.ts',
    symbol: 'settings',
    find: "  'core.hooksPath=/dev/null',\n",
    replace: '',
    test: {
      file: 'src/adapters/workspaces/git/commit.test.ts',
      title:
        'commits exactly the tree as the user, hooks off, with a trailer; the checkout is clean afterwards [C5]',
    },
  },
  {
    id: 'commit-graph-believed',
    breaks: 'A forged commit graph shows other files than the commits hold.',
    file: 'src/adapters/workspaces/git/git.ts',
    symbol: 'settings',
    find: "  'core.commitGraph=false',\n",
    replace: '',
    test: {
      file: 'src/adapters/workspaces/git/git-tricks.test.ts',
      title: 'is read from the commits, never from a graph that a session has written [X8] [X10]',
    },
  },
  {
    id: 'replace-objects',
    breaks: 'A replaced git object puts other tests into the tree that is checked.',
    file: 'src/adapters/workspaces/git/git.ts',
    symbol: 'gitEnvironment',
    find: "    GIT_NO_REPLACE_OBJECTS: '1',\n",
    replace: '',
    test: {
      file: 'src/adapters/workspaces/git/git.test.ts',
      title: 'Our git shows what an object holds, not what `git replace` puts in its place [X8]',
    },
  },
  {
    id: 'git-filters-run',
    breaks: 'A filter that an agent wrote runs outside the sandbox.',
    file: 'src/adapters/workspaces/git/git.ts',
    symbol: 'createGit',
    find: 'startsFilters(args, options) ? await filtersFor(options, call) : []',
    replace: '[]',
    test: {
      file: 'src/adapters/workspaces/git/git-tricks.test.ts',
      title:
        'that name a file of the repository start the one of the person, never the one that an agent wrote [C10] [X8]',
    },
  },
  {
    id: 'commit-twice',
    breaks: 'A commit that was cut off by a crash is reported as refused.',
    file: 'src/adapters/workspaces/git/commit.ts',
    symbol: 'commitTree',
    find: 'if (tip !== null && (await isOwn(ground, order, tip))) return { commit: tip };',
    replace: '',
    test: {
      file: 'src/adapters/workspaces/git/commit.test.ts',
      title: 'called again finds its own commit and makes no second one [C5]',
    },
  },
  {
    id: 'commit-trailer-alone',
    breaks: 'A commit that the run did not make is taken for the proven one.',
    file: 'src/adapters/workspaces/git/commit.ts',
    symbol: 'isOwn',
    find: 'tree === order.tree && parents === order.parent && ',
    replace: '',
    test: {
      file: 'src/adapters/workspaces/git/commit.test.ts',
      title: 'another commit with the same trailer is not taken for its own',
    },
  },
  {
    id: 'commit-unsigned',
    breaks: 'Commits are not signed where they must be.',
    file: 'src/adapters/workspaces/git/commit.ts',
    symbol: 'makeCommit',
    find: "(await isSigning(git, { gitDir: commonDir })) ? ['-S'] : []",
    replace: '[]',
    test: {
      file: 'src/adapters/workspaces/git/commit.test.ts',
      title: 'signs where commits must be signed [X6]',
    },
  },
  {
    id: 'secret-in-tree',
    breaks: 'A `.env` file is committed.',
    file: 'src/adapters/workspaces/git/snapshot.ts',
    symbol: 'takeFiles',
    find: 'if (suspects.length === 0) return tree;',
    replace: 'if (suspects.length >= 0) return tree;',
    test: {
      file: 'src/adapters/workspaces/git/workspace.test.ts',
      title:
        'leaves out secrets and our state, also when an ignore file invites them; what the base has stays',
    },
  },
  {
    id: 'restore-keeps-nothing',
    breaks: 'Edits of a person in the workspace are lost before a session.',
    file: 'src/adapters/workspaces/git/files.ts',
    symbol: 'restoreFiles',
    find: 'const ref = await files.keep(present, name);',
    replace: "const ref = 'refs/untildone/none';",
    test: {
      file: 'src/adapters/workspaces/git/workspace.test.ts',
      title: 'makes the files equal, keeps what was there, leaves ignored ones [C5]',
    },
  },
  {
    id: 'ref-not-put-back',
    breaks: 'A branch that an agent moved stays moved.',
    file: 'src/adapters/workspaces/git/restore-refs.ts',
    symbol: 'restoreOne',
    find: 'await setRef(scene, ref, old, now);',
    replace: '',
    test: {
      file: 'src/adapters/workspaces/git/restore-refs.test.ts',
      title: 'moves main, under its own name: put back, and what it put there is kept',
    },
  },
  {
    id: 'ref-lost-not-recreated',
    breaks: 'A branch that an agent deleted is gone.',
    file: 'src/adapters/workspaces/git/restore-refs.ts',
    symbol: 'restoreOne',
    find: 'keptAs: await recreate(scene, ref, old)',
    replace: "keptAs: ''",
    test: {
      file: 'src/adapters/workspaces/git/restore-refs.test.ts',
      title:
        'deletes branches and tags: they come back, also after a crash of ours and with a new one in the way',
    },
  },
  {
    id: 'agent-commits-lost',
    breaks: 'The commits of an agent can be collected as garbage.',
    file: 'src/adapters/workspaces/git/restore-refs.ts',
    symbol: 'moveBack',
    find: 'const keptAs = await keepObject(scene.git, scene.commonDir, kept, now);',
    replace: 'const keptAs = kept;',
    test: {
      file: 'src/adapters/workspaces/git/restore-refs.test.ts',
      title: 'commits: the branch goes back, its commits stay reachable, the files stay',
    },
  },
  {
    id: 'users-move-undone',
    breaks: 'A commit that the user made meanwhile is taken back.',
    file: 'src/adapters/workspaces/git/restore-refs.ts',
    symbol: 'isUsers',
    find: 'if (await isByAgent(scene, ref, now)) return false;',
    replace: 'if (ref !== "") return false;',
    test: {
      file: 'src/adapters/workspaces/git/restore-refs.test.ts',
      title: 'commits on main, makes a branch, adds a remote: left alone',
    },
  },
  {
    id: 'config-not-put-back',
    breaks: 'Git settings that an agent changed stay in force.',
    file: 'src/adapters/workspaces/git/restore-refs.ts',
    symbol: 'restoreFile',
    find: 'else await putBack(scene.commonDir, was);',
    replace: '',
    test: {
      file: 'src/adapters/workspaces/git/restore-refs.test.ts',
      title: 'writes hooks, settings and ignore rules: put back and kept',
    },
  },
  {
    id: 'new-hook-stays',
    breaks: 'A hook that an agent added stays in the repository.',
    file: 'src/adapters/workspaces/git/restore-refs.ts',
    symbol: 'restoreFile',
    find: 'if (was === undefined) await takeAway(scene.commonDir, path);',
    replace: 'if (was === undefined) return [];',
    test: {
      file: 'src/adapters/workspaces/git/restore-refs.test.ts',
      title: 'writes hooks, settings and ignore rules: put back and kept',
    },
  },
  {
    id: 'head-not-put-back',
    breaks: 'The checkout of the user stays on another branch.',
    file: 'src/adapters/workspaces/git/restore-refs.ts',
    symbol: 'restoreHead',
    find: "await writeFile(join(repository.gitDir, 'HEAD'), `${before.head}\\n`);",
    replace: '',
    test: {
      file: 'src/adapters/workspaces/git/restore-refs.test.ts',
      title: 'switches the checkout of the user: HEAD points where it did',
    },
  },
  {
    id: 'alternates-not-guarded',
    breaks: 'An agent lends the repository objects from elsewhere.',
    file: 'src/adapters/workspaces/git/guarded-files.ts',
    symbol: 'single',
    find: "  'objects/info/alternates',\n",
    replace: '',
    test: {
      file: 'src/adapters/workspaces/git/git-tricks.test.ts',
      title: 'of the repository, hooks, attributes, grafts and borrowed objects are put back [X8]',
    },
  },
  {
    id: 'settings-not-frozen',
    breaks: 'A filter in the settings of the user steers the clean checkout.',
    file: 'src/adapters/workspaces/git/frozen-settings.ts',
    symbol: 'withFrozenSettings',
    find: 'existsSync(file) ? { ...env, GIT_CONFIG_GLOBAL: file } : env',
    replace: 'env',
    test: {
      file: 'src/adapters/workspaces/git/git-tricks.test.ts',
      title: 'of the user, changed by an agent, have no force in a clean checkout and are named [X8] [X10]',
    },
  },
  {
    id: 'commit-no-cas',
    breaks: 'A commit that a person made on the branch of the run is lost.',
    file: 'src/adapters/workspaces/git/commit.ts',
    symbol: 'commitTree',
    find: '`refs/heads/${branch}`, commit, order.parent]',
    replace: '`refs/heads/${branch}`, commit]',
    test: {
      file: 'src/adapters/workspaces/git/git.test.ts',
      title: 'A branch that moves while the proven tree is committed stays where it is [C5]',
    },
  },
  {
    id: 'foreign-git-dir',
    breaks: 'In a git hook, our git works on the repository of the hook.',
    file: 'src/adapters/workspaces/git/git.ts',
    symbol: 'gitEnvironment',
    find: '!foreign.test(name)',
    replace: 'name !== ""',
    test: {
      file: 'src/adapters/workspaces/git/git.test.ts',
      title:
        'Our git works on the repository that it is given, whatever GIT_DIR and GIT_INDEX_FILE say [C10]',
    },
  },
  {
    id: 'kept-overwritten',
    breaks: 'Work that was kept aside overwrites what was kept before.',
    file: 'src/adapters/workspaces/git/refs.ts',
    symbol: 'keepObject',
    find: "    if (present !== null) {\n      others ??= await numberedRefs(git, gitDir, ref);\n      continue;\n    }\n    const zeros = '0'.repeat(object.length);\n    const answer = await updateRef(git, gitDir, ['--no-deref', name, object, zeros]);",
    replace:
      "    others ??= await numberedRefs(git, gitDir, ref);\n    const answer = await updateRef(git, gitDir, ['--no-deref', name, object]);",
    test: {
      file: 'src/adapters/workspaces/git/workspace.test.ts',
      title: 'never overwrites what was kept under the same name',
    },
  },
];
