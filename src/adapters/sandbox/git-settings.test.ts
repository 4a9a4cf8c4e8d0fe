import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { settingsInside, withoutPassword } from './git-settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'untildone-settings-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What git reads out of the settings as they are inside. */
function readInside(text: string): string[] {
  const file = join(folder, 'config');
  writeFileSync(file, text);
  const inside = join(folder, 'inside');
  writeFileSync(inside, settingsInside(file));
  return execFileSync('git', ['config', '--file', inside, '--list', '-z'], { encoding: 'utf8' })
    .split('\0')
    .filter((one) => one !== '');
}

describe('repository git settings in a sandbox', () => {
  it('The git settings in a sandbox are those that git uses, letter for letter', () => {
    expect(
      readInside(`
[core]
	repositoryformatversion = 1
	bare
[extensions]
	objectFormat = sha256
[remote "o\\"d.d\\\\ name"]
	url = git@host.example:me/tokenizer.git
	fetch = +refs/heads/*:refs/remotes/origin/*
	fetch = +refs/pull/*:refs/remotes/pull/*
[branch "secret-token"]
	merge = refs/heads/secret-token
[filter "lfs"]
	clean = "git-lfs clean -- %f # \\"x\\" \\\\ ;\\ty\\n"
`),
    ).toEqual([
      'core.repositoryformatversion\n1',
      'core.bare',
      'extensions.objectformat\nsha256',
      'remote.o"d.d\\ name.url\ngit@host.example:me/tokenizer.git',
      'remote.o"d.d\\ name.fetch\n+refs/heads/*:refs/remotes/origin/*',
      'remote.o"d.d\\ name.fetch\n+refs/pull/*:refs/remotes/pull/*',
      'branch.secret-token.merge\nrefs/heads/secret-token',
      'filter.lfs.clean\ngit-lfs clean -- %f # "x" \\ ;\ty\n',
    ]);
  });

  it('The git settings in a sandbox contain no password, whatever its key or place [C10]', () => {
    const said = readInside(`
[http "https://host.example/"]
	extraheader = Authorization: planted
[credential]
	helper = !planted
[url "https://planted@host.example/"]
	insteadOf = https://host.example/
[include]
	path = /planted
[includeIf "gitdir:/x"]
	path = /planted
[github]
	user = planted
[lfs]
	url = https://planted@host.example/lfs
[lfs "https://x:planted@host.example/lfs"]
	access = basic
[remote "a"]
	url = HTTPS://planted@host.example/a.git
	pushurl = ssh://git:planted@host.example/a.git
	mytoken = planted
[filter "x"]
	smudge = fetch --api-key=planted
	clean = curl -H 'PRIVATE-TOKEN: planted'
[core]
	sshCommand = planted
[user]
	signingKey = planted
`);
    expect(said.join('\n')).not.toContain('planted');
    expect(said).toEqual([
      'lfs.url\nhttps://host.example/lfs',
      'remote.a.url\nHTTPS://host.example/a.git',
      'remote.a.pushurl\nssh://git@host.example/a.git',
    ]);
  });

  it('The git settings in a sandbox are empty if git cannot read them', () => {
    expect(readInside('[core\nplanted')).toEqual([]);
    expect(settingsInside(join(folder, 'nowhere'))).toBe('');
  });
});

describe('addresses without passwords', () => {
  it.each([
    ['https://a:b@h/p?q=c#d', 'https://h/p'],
    ['https://tok@h/p and http://x:y@i', 'https://h/p and http://i'],
    ['ssh://git@h:22/p', 'ssh://git@h:22/p'],
    ['ssh://git:pw@h/p', 'ssh://git@h/p'],
    ['git@h:p.git', 'git@h:p.git'],
    ['/srv/a@b/c.git', '/srv/a@b/c.git'],
  ])('The address %s without its password is %s', (value, shown) =>
    expect(withoutPassword(value)).toBe(shown),
  );
});
