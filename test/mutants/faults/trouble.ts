// Special files, full disks, caches, merges, and starts at the same time.
import type { Fault } from '../fault.ts';

export const troubleFaults: readonly Fault[] = [
  {
    id: 'in-place-pipes-removed',
    breaks: 'A pipe of the user in their own checkout is deleted.',
    file: 'src/adapters/git/trees/special-files.ts',
    symbol: 'isOpenedByGit',
    find: '? isSpecial(path, entry) : null',
    replace: '? isSpecial(path, entry) : isSpecial(path, entry)',
    test: {
      file: 'src/adapters/git/trees/special-files.test.ts',
      title: 'In place, only the pipes that git would open are removed: other pipes of the user stay',
    },
  },
  {
    id: 'null-link-removed',
    breaks: 'A link to /dev/null that the user put into the git folder is deleted.',
    file: 'src/adapters/git/trees/special-files.ts',
    symbol: 'isHangInGitFolder',
    find: ' || (await isNull(target))',
    replace: '',
    test: {
      file: 'src/adapters/git/trees/special-files.test.ts',
      title:
        'A link to a pipe is removed from the git folder and kept in the checkout; a link to /dev/null is kept',
    },
  },
  {
    id: 'start-holder-not-named',
    breaks: 'A start that waits does not say for which process.',
    file: 'src/adapters/store/start-lock.ts',
    symbol: 'waitForLock',
    find: 'onWait(await readHolder(paths.startHolder));',
    replace: 'onWait(null);',
    test: {
      file: 'src/adapters/store/start-lock.test.ts',
      title:
        'A start waits for the one before it, names that process, and gets the lock when it is killed [Q4]',
    },
  },
  {
    id: 'start-lock-per-process',
    breaks: 'Two commands that ask for the same run create one each.',
    file: 'src/adapters/store/start-lock.ts',
    symbol: 'waitForLock',
    find: 'takeLock(paths.startLock,',
    replace: 'takeLock(`${paths.startLock}-${process.pid}`,',
    test: {
      file: 'src/adapters/store/start-lock.test.ts',
      title:
        'A start waits for the one before it, names that process, and gets the lock when it is killed [Q4]',
    },
  },
  {
    id: 'cache-shared-with-unsandboxed',
    breaks: 'A sandboxed run uses dependencies that an agent without a sandbox could change.',
    file: 'src/adapters/git/setup/dependency-cache.ts',
    symbol: 'openDependencyCache',
    find: "'sandboxed' : 'unsandboxed'",
    replace: "'sandboxed' : 'sandboxed'",
    test: {
      file: 'src/adapters/git/setup/dependency-cache.test.ts',
      title:
        'A sandboxed run does not use the dependencies of an unsandboxed run either when they are as they were stored [X10]',
    },
  },
  {
    id: 'cache-seal-not-compared',
    breaks: 'Dependencies that were changed in the cache are used.',
    file: 'src/adapters/git/setup/dependency-cache.ts',
    symbol: 'openDependencyCache',
    find: 'seal === (await sealOf(name, entry).catch(() => null))',
    replace: "seal !== ''",
    test: {
      file: 'src/adapters/git/setup/dependency-cache.test.ts',
      title:
        'Dependencies that were changed after their installation are installed again, and the user reads why [X10]',
    },
  },
  {
    id: 'cache-seal-without-name',
    breaks: 'An entry of an unsandboxed run is used by a sandboxed one after it was renamed.',
    file: 'src/adapters/git/setup/dependency-cache.ts',
    symbol: 'openDependencyCache',
    find: '\\n${name}\\n',
    replace: '\\n',
    test: {
      file: 'src/adapters/git/setup/dependency-cache.test.ts',
      title: 'A cache entry of an unsandboxed run is not used for a sandboxed one under any name [X10]',
    },
  },
  {
    id: 'git-not-marked',
    breaks: 'What git has started cannot be told apart from the rest of its run.',
    file: 'src/adapters/git/repo/run-git.ts',
    symbol: 'runGit',
    find: 'env: { ...call.env, [markVariable]: mark },',
    replace: 'env: { ...call.env },',
    test: {
      file: 'src/adapters/git/repo/run-git.test.ts',
      title: 'Every git of a run carries its mark, and a limit of whole seconds',
    },
  },
  {
    id: 'git-of-person-swept',
    breaks: 'A connection that the git of a person keeps open is killed.',
    file: 'src/adapters/git/repo/run-git.ts',
    symbol: 'runGit',
    find: ' && owner !== undefined)',
    replace: ')',
    test: {
      file: 'src/adapters/git/repo/run-git.test.ts',
      title: 'A process that a git outside of any run left behind may stay',
    },
  },
  {
    id: 'git-walk-too-long',
    breaks: 'A session host gives up its tree before its git does.',
    file: 'src/adapters/git/repo/git-limits.ts',
    symbol: 'seconds',
    find: 'walk: 240',
    replace: 'walk: 360',
    test: {
      file: 'src/adapters/git/repo/run-git.test.ts',
      title: 'Every git of a run carries its mark, and a limit of whole seconds',
    },
  },
  {
    id: 'full-disk-not-known',
    breaks: 'A full disk is taken for a failure of the session.',
    file: 'src/adapters/git/repo/storage-trouble.ts',
    symbol: 'storageLine',
    find: 'line === undefined ? null : line.slice(0, 300)',
    replace: 'line === undefined ? null : null',
    test: {
      file: 'src/adapters/git/repo/storage-trouble.test.ts',
      title: 'A store that takes no new object is an error, not a tree without the new files [D4]',
    },
  },
  {
    id: 'unreadable-file-taken-for-disk',
    breaks: 'A run waits for a disk because a session made a file unreadable.',
    file: 'src/adapters/git/repo/storage-trouble.ts',
    symbol: 'isStorageTrouble',
    find: 'return error.code === storageCode ||',
    replace: "return error.code !== '' ||",
    test: {
      file: 'src/adapters/git/repo/storage-trouble.test.ts',
      title: 'A file that the session made unreadable is not reported as a disk error',
    },
  },
  {
    id: 'login-database-writable',
    breaks: "An agent breaks the database of the user's own client.",
    file: 'src/app/sandbox/login-folders.ts',
    symbol: 'standIns',
    find: ' && !databases.test(path)',
    replace: '',
    test: {
      file: 'src/app/sandbox/sandbox.test.ts',
      title:
        'A command that speaks like a client reaches the login of the user, reads its settings, and changes nothing else there [C10]',
    },
  },
  {
    id: 'login-settings-writable',
    breaks: "An agent changes what steers the user's own client.",
    file: 'src/app/sandbox/login-folders.ts',
    symbol: 'standIns',
    find: '!readable.includes(path) && ',
    replace: '',
    test: {
      file: 'src/app/sandbox/sandbox.test.ts',
      title:
        'A command that speaks like a client reaches the login of the user, reads its settings, and changes nothing else there [C10]',
    },
  },
  {
    id: 'merge-default-believed',
    breaks: 'A setting of the repository hides a conflict from the landing.',
    file: 'src/adapters/git/landing/merge-trees.ts',
    symbol: 'mergeTrees',
    find: "settings: ['merge.default=text']",
    replace: 'settings: []',
    test: {
      file: 'src/adapters/git/landing/merge-trees.test.ts',
      title: 'A merge does not keep both sides of a conflict because a setting says so [X13]',
    },
  },
  {
    id: 'merge-driver-runs',
    breaks: 'A merge driver that an agent configured runs outside the sandbox.',
    file: 'src/adapters/git/landing/merge-trees.ts',
    symbol: 'mergeTrees',
    find: 'drivers.map(',
    replace: 'drivers.slice(1).map(',
    test: {
      file: 'src/adapters/git/landing/merge-trees.test.ts',
      title: 'A merge runs no driver, whatever its name is [X13]',
    },
  },
  {
    id: 'raw-output-not-heard',
    breaks: 'A client that prints without an event is killed as silent.',
    file: 'src/runtime/session-host/conversation.ts',
    symbol: 'createConversation',
    find: '    lastOutput.at = performance.now();\n',
    replace: '',
    test: {
      file: 'src/runtime/session-host/host-session.test.ts',
      title:
        'A client that prints longer than the idle limit is not ended, although nothing of it becomes an event [Q6]',
    },
  },
  {
    id: 'full-disk-loses-work',
    breaks: 'The work of a session is given up because the disk was full.',
    file: 'src/app/take-tree.ts',
    symbol: 'orUnreadable',
    find: 'if (isStorageTrouble(error))',
    replace: 'if (!(error instanceof Error))',
    test: {
      file: 'src/app/take-tree.test.ts',
      title: 'A session whose files find no room on the disk is kept, and the user reads why [D4]',
    },
  },
  {
    id: 'unreadable-tree-stops-run',
    breaks: 'A session that made its files unreadable stops the whole run.',
    file: 'src/app/take-tree.ts',
    symbol: 'orUnreadable',
    find: 'if (isStorageTrouble(error))',
    replace: 'if (error instanceof Error)',
    test: {
      file: 'src/app/take-tree.test.ts',
      title: 'A session that made its files unreadable leaves no tree, and the user reads why [D4]',
    },
  },
];
