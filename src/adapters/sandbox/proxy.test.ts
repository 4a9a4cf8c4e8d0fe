// The network proxy of a sandbox, asked for hosts that are not on the allow-list.
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Proxy, startProxy } from './proxy.ts';
import { isNear, resolveOut } from './resolve-out.ts';
import { makeScratch } from './scratch.ts';

const folder = makeScratch('sockets');
const hostsFile = join(folder, 'hosts');
const proxies: Proxy[] = [];
let server: Server;
let port = 0;

beforeAll(async () => {
  server = createServer((request, response) => response.end(`planted for ${request.headers.host}`));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
  writeFileSync(
    hostsFile,
    '127.0.0.1 localhost\n127.0.0.1 registry.here other.here # 127.0.0.1 noted.here\n',
  );
});
afterAll(() => {
  for (const proxy of proxies) proxy.close();
  server.close();
});

/** What name servers answer: the owner of a name decides that. */
const names: { readonly [name: string]: readonly string[] } = {
  'rebound.example': ['127.0.0.1'],
  'six.example': ['::1'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'nobody.example': ['0.0.0.0'],
  'keys.example': ['169.254.169.254'],
  'noted.here': ['127.0.0.1'],
  'registry.here': ['203.0.113.7'],
};
const ask = async (name: string): Promise<readonly string[]> => {
  const found = names[name];
  if (found === undefined) throw new Error(`${name} is unknown`);
  return found;
};

function open(hosts: readonly string[], env: { readonly [name: string]: string } = {}) {
  const socketFile = join(folder, `socket-${proxies.length}`);
  proxies.push(startProxy({ socketFile, hosts, env, hostsFile, ask }));
  const send = (text: string): Promise<string> =>
    new Promise((resolve) => {
      let said = '';
      const socket = connect(socketFile, () => socket.write(text));
      socket.on('data', (chunk) => (said += chunk.toString()));
      socket.on('error', () => socket.destroy());
      socket.on('close', () => resolve(said));
    });
  return {
    /** The whole address in the request line. */
    plain: (where: string) =>
      send(`GET http://${where}/ HTTP/1.1\r\nHost: ${where}\r\nConnection: close\r\n\r\n`),
    tunnelled: (where: string) =>
      send(
        `CONNECT ${where} HTTP/1.1\r\nHost: ${where}\r\n\r\nGET / HTTP/1.1\r\nHost: ${where}\r\nConnection: close\r\n\r\n`,
      ),
  };
}

describe('the proxy of a sandbox', () => {
  it('The owner of a listed name cannot direct the proxy to a port of this machine or its neighbours [C10]', async () => {
    const listed = Object.keys(names).map((name) => `${name}:${port}`);
    const way = open([...listed.filter((one) => !one.startsWith('registry.')), `*.wild.example:${port}`]);
    for (const name of Object.keys(names).filter((one) => one !== 'registry.here')) {
      const said = [await way.plain(`${name}:${port}`), await way.tunnelled(`${name}:${port}`)];
      expect(said).toEqual([
        expect.stringMatching(/^HTTP\/1.1 403/),
        expect.stringMatching(/^HTTP\/1.1 403/),
      ]);
      expect(said.join()).not.toContain('planted');
      expect(said[0]).toContain(`${name} leads to ${names[name]?.[0] ?? ''}`);
    }
    expect(await way.plain(`un.wild.example:${port}`)).toMatch(/^HTTP\/1.1 502[^]*unknown/);
  });

  it('The proxy connects where the person allowed: an address, a name of this machine, a name in the hosts file [C10]', async () => {
    const own = [`127.0.0.1:${port}`, `localhost:${port}`, `npm.localhost:${port}`, `registry.here:${port}`];
    for (const where of own) {
      const way = open([where]);
      expect(await way.plain(where)).toContain(`planted for ${where}`);
      expect(await way.tunnelled(where)).toContain(`planted for ${where}`);
      expect(await way.plain(`other.here:${port}`)).toMatch(/^HTTP\/1.1 403[^]*is not an allowed host/);
    }
    // By a name server and by the list alike.
    const both = open([`rebound.example:${port}`, `127.0.0.1:${port}`]);
    expect(await both.plain(`rebound.example:${port}`)).toContain('planted');
  });

  it('A name that leads to this machine is refused, also behind a proxy of this machine [C10]', async () => {
    const way = open([`rebound.example:${port}`, `far.example:${port}`], {
      http_proxy: `http://localhost:${port}`,
    });
    expect(await way.plain(`rebound.example:${port}`)).toMatch(/^HTTP\/1.1 403/);
    // What only the proxy can look up is its own business.
    expect(await way.plain(`far.example:${port}`)).toContain('planted for far.example');
  });

  it('The proxy finds a server that listens on one of the two addresses of this machine', async () => {
    const six = createServer((_, response) => response.end('planted'));
    const isThere = await new Promise<boolean>((resolve) => {
      six.once('error', () => resolve(false)).listen(0, '::1', () => resolve(true));
    });
    const address = six.address();
    const where = `localhost:${typeof address === 'object' && address !== null ? address.port : port}`;
    const said = await open([where]).tunnelled(where);
    six.close();
    // A machine may have none of the second kind.
    expect(said.includes('planted')).toBe(isThere || where.endsWith(`:${port}`));
  });
});

describe('resolution of names', () => {
  it('Every address of this machine and its link counts as near, and public addresses do not [C10]', () => {
    const own = Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? []);
    const near = [
      '127.0.0.53',
      '::',
      '::ffff:a9fe:a9fe',
      'fe80::1%eth0',
      '64:ff9b::7f00:1',
      '255.255.255.255',
    ];
    expect([...own, ...near].filter((one) => !isNear(one))).toEqual([]);
    const far = [
      '203.0.113.7',
      '198.51.100.1',
      '2001:db8::7',
      '128.0.0.1',
      '223.255.255.254',
      '64:ff9b::cb00:7107',
    ];
    expect(far.filter(isNear)).toEqual([]);
  });

  it('A name is resolved once: of several addresses, those near this machine are left out [C10]', async () => {
    let asked = 0;
    const both = async (): Promise<string[]> => {
      asked += 1;
      return ['127.0.0.1', '10.1.2.3'];
    };
    const way = await resolveOut({ host: 'two.example', port: 443 }, { hosts: [], hostsFile, ask: both });
    // A private network is where many a registry lives.
    expect(way).toEqual({ kind: 'found', addresses: [{ address: '10.1.2.3', family: 4 }] });
    expect(asked).toBe(1);
  });
});
