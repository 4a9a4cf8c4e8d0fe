// Names that Python finds in an import root before its own library and the tools of checks. Pure.

import type { ModuleFacts } from '#analysis/ecosystems/pin-facts.ts';

/**
 * `sys.stdlib_module_names` of 3.8 to 3.14, without modules that no test run imports (`antigravity`,
 * `idlelib`, `this`, …), and without `test`, the usual name of a test folder.
 */
const standard = `
  __future__ _colorize _collections_abc _compat_pickle _compression _markupbase _osx_support _py_abc _pydatetime _pydecimal
  _pyio _pyrepl _sitebuiltins _strptime _threading_local _weakrefset abc aifc annotationlib argparse array ast asynchat asyncio
  asyncore atexit audioop base64 bdb binascii bisect builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs
  codeop collections colorsys compileall compression concurrent configparser contextlib contextvars copy copyreg crypt csv
  ctypes curses dataclasses datetime dbm decimal difflib dis distutils doctest dummy_threading email encodings ensurepip enum
  errno faulthandler fcntl filecmp fileinput fnmatch formatter fractions ftplib functools gc genericpath getopt getpass gettext
  glob graphlib grp gzip hashlib heapq hmac html http imaplib imghdr imp importlib inspect io ipaddress itertools json keyword
  lib2to3 linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder multiprocessing netrc nis
  nntplib ntpath nturl2path numbers opcode operator optparse os parser pathlib pdb pickle pickletools pipes pkgutil platform
  plistlib poplib posix posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc pyexpat queue quopri random re readline
  reprlib resource rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket
  socketserver sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau symbol
  symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap threading time timeit token tokenize
  tomllib trace traceback tracemalloc tty types typing unicodedata unittest urllib uu uuid venv warnings wave weakref
  webbrowser wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo`;

/** Tools of checks, and their first imports. */
const ofTools = `
  _pytest pytest pluggy iniconfig packaging pygments exceptiongroup tomli hypothesis nose nose2 coverage xdist pytest_cov
  pytest_asyncio tox nox mypy flake8 pylint ruff black isort pyflakes pycodestyle`;

const names = new Set(`${standard} ${ofTools}`.split(/\s+/).filter((name) => name !== ''));

export const pythonModules: ModuleFacts = {
  users: /\b(?:python[\d.]*|pytest|py\.test|tox|nox|uv|poetry|hatch|pdm|pipenv|coverage)\b/,
  sources: /\.py$/,
  mark: 'python-modules',
  why: 'is imported instead of a module of Python',
  foldersIn: pathFolders,
  rootOf: importRootOf,
  nameOf: pythonModule,
  isTaken: isPythonsOwn,
};

/** The module name of a file, with its folder on the path; null for a file inside a package's folder. */
export function pythonModule(pathInRoot: string): string | null {
  const file = /^([A-Za-z_]\w*)(?:\/__init__)?(?:\.[\w-]+)*\.(?:py|pyc|so|pyd)$/.exec(pathInRoot);
  return file?.[1] ?? null;
}

export function isPythonsOwn(module: string): boolean {
  return names.has(module);
}

/** The folder that pytest puts on the path: the first parent that is not a package. Empty for the root. */
export function importRootOf(test: string, has: (path: string) => boolean): string {
  let folder = parentOf(test);
  while (folder !== '' && has(`${folder}/__init__.py`)) folder = parentOf(folder);
  return folder;
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}

/** Folders on Python's path: `PYTHONPATH=src:lib`, `pythonpath = ["src"]`, and that of a started script. */
export function pathFolders(text: string): string[] {
  const listed = [...text.matchAll(/\bpythonpath["']?\s*=\s*([^\n;&]*)/gi)].flatMap(([, value = '']) =>
    (/^\S*?(?=\s+\w|$)/.exec(value.startsWith('[') ? value.replace(/\s+/g, '') : value)?.[0] ?? '').split(
      /["'[\]:,]+/,
    ),
  );
  const started = [...text.matchAll(/\bpython[\d.]*\s+(?:-[A-Za-z]\s+)*([\w./-]+\.py)\b/g)];
  const folders = [...listed, ...started.map(([, script = '']) => parentOf(script))];
  return [...new Set(folders.map((each) => each.replace(/^(?:\$\{?PWD\}?|\.)\/|\/$/g, '')))].filter((each) =>
    /^[\w./-]+$/.test(each),
  );
}
