// The texts of the package: every file and topic that they name is in the package.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageFolder } from './package.ts';
import { makePlace } from './place.ts';

const read = (path: string): string => readFileSync(join(packageFolder(), path), 'utf8');
const inPackage = (pattern: string): string[] => globSync(pattern, { cwd: packageFolder() }).toSorted();
const documents = (): string[] => [
  ...inPackage('*.md'),
  ...inPackage('docs/**/*.md'),
  ...inPackage('plugin/**/*.md'),
];

/** Programs and documents: everything from which a text can reach a user. */
function texts(): string[] {
  return [...inPackage('dist/*.js'), ...inPackage('bin/*'), ...inPackage('plugin/**/*.*'), ...documents()];
}

/** As GitHub makes them of the headings of a document: a second one of a name gets a number. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of text.replaceAll(/^(`{3,}).*\n[\s\S]*?^\1$/gm, '').matchAll(/^#+ (.+)$/gm)) {
    const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const anchor = words.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(/\s/g, '-');
    let name = anchor;
    for (let again = 1; anchors.has(name); again += 1) name = `${anchor}-${again}`;
    anchors.add(name);
  }
  return anchors;
}

describe('The package', () => {
  it('The package ships its guides, and every link between documents leads to a file in it', () => {
    expect(inPackage('docs/guide/*.md').length).toBeGreaterThan(20);
    const broken = documents().flatMap((document) =>
      [...read(document).matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g)]
        .map((found) => found[1] ?? '')
        .filter((to) => !/^[a-z]+:/.test(to))
        .map((to) => normalize(join(dirname(document), to)))
        .filter((to) => !existsSync(join(packageFolder(), to)))
        .map((to) => `${document} → ${to}`),
    );
    expect(broken).toEqual([]);
  });

  it('Every link to a part of a document leads to a heading of it', () => {
    const links = documents().flatMap((document) =>
      [...read(document).matchAll(/\]\(([^)\s#]*)#([^)\s]+)\)/g)]
        .filter(([, to = '']) => !/^[a-z]+:/.test(to))
        .map(([, to = '', anchor = '']) => ({
          document,
          to: to === '' ? document : normalize(join(dirname(document), to)),
          anchor,
        })),
    );
    expect(links.length).toBeGreaterThan(20);
    const broken = links
      .filter(({ to, anchor }) => !anchorsOf(read(to)).has(anchor))
      .map(({ document, to, anchor }) => `${document} → ${to}#${anchor}`);
    expect(broken).toEqual([]);
  });

  it('The README of the package marks files that exist only in a checkout of the repository', () => {
    const readme = read('README.md');
    const first = readme.indexOf('npm run demo');
    expect(readme.slice(0, first)).toMatch(/In a checkout of this repository, [^\n]*:\n\n```sh\n$/);
  });

  it('No hint, help or message names a document that is not in the package', () => {
    // `file:docs/api.md` is an example of a check on a file of the user.
    const named =
      /(?<!file:|@)\bdocs\/(?:[\w./-]+\.md|(?:guide|adr)\b[\w./-]*[\w/])|(?<![\w/.-])(?:SECURITY|CONTRIBUTING|ARCHITECTURE|GLOSSARY)\.md\b/g;
    const programs = texts().filter((path) => !path.endsWith('.md') || path.startsWith('plugin/'));
    expect(programs.length).toBeGreaterThan(10);
    const missing = programs.flatMap((path) =>
      [...read(path).matchAll(named)]
        .map(([name]) => name)
        .filter((name) => !existsSync(join(packageFolder(), name)))
        .map((name) => `${path} names ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it('Every `untildone help TOPIC` in the texts of the package shows something', async () => {
    // The commands of that page are wrong on purpose.
    const right = texts().filter((path) => !path.endsWith('bad-inputs.md'));
    const topics = new Set(
      right.flatMap((path) =>
        [...read(path).matchAll(/untildone help ([a-z][a-z-]*)/g)].map((found) => found[1] ?? ''),
      ),
    );
    expect([...topics]).toEqual(expect.arrayContaining(['checks', 'task-files', 'plugin', 'planning']));
    const place = makePlace({ isRepository: false });
    for (const topic of topics) {
      const { code, stdout, stderr } = await place.untildone(['help', topic]);
      expect([topic, code, stderr]).toEqual([topic, 0, '']);
      expect(stdout.length).toBeGreaterThan(100);
    }
  });
});

describe('`untildone help`', () => {
  it('`untildone help` lists every guide of the package, outside a repository too', async () => {
    const place = makePlace({ isRepository: false });
    const { code, stdout } = await place.untildone(['help']);
    expect(code).toBe(0);
    const listed = [...stdout.slice(stdout.indexOf('Guides')).matchAll(/^ {2}(\S+) {2,}\S/gm)].map(
      (found) => found[1],
    );
    const names = inPackage('docs/guide/**/*.md').map((path) =>
      path.endsWith('/README.md') ? 'agents' : (path.split('/').at(-1) ?? '').replace('.md', ''),
    );
    expect(listed).toEqual(names.toSorted());
  });

  it('`untildone help` shows a guide, the help of a command, or both if a name is both', async () => {
    const place = makePlace({ isRepository: false });
    const checks = await place.untildone(['help', 'checks']);
    expect(checks.stdout).toMatch(/^Writing checks\n/);
    const run = await place.untildone(['help', 'run']);
    expect(run.stdout).toMatch(/^Usage: untildone run/);
    expect(run.stdout).toBe((await place.untildone(['run', '--help'])).stdout);
    const add = await place.untildone(['help', 'criteria', 'add']);
    expect(add.stdout).toMatch(/^Usage: untildone criteria add/);
    const criteria = await place.untildone(['help', 'criteria']);
    expect(criteria.stdout).toMatch(/^Usage: untildone criteria[^]*\n\nCriterion by criterion\n/);
  });

  it('An unknown help topic is refused, with the nearest one', async () => {
    const place = makePlace({ isRepository: false });
    const { code, stdout, stderr } = await place.untildone(['help', 'chekcs']);
    expect([code, stdout, stderr]).toEqual([
      2,
      '',
      'There is no guide and no command "chekcs".\nHint: Did you mean "checks"? `untildone help` lists them.\n',
    ]);
  });
});
