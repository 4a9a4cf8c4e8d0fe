// Resolves a listed name. Its name server could point it at this machine, whose ports are not meant. Only the
// user's hosts file or a rule with the address itself allows that.
import { lookup } from 'node:dns';
import { readFileSync } from 'node:fs';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import { errorText } from '#base/error-text.ts';
import { type Address, isAllowed, localHost } from './allowed-hosts.ts';
import { orElse } from '#base/or-else.ts';

export type Resolved =
  | { readonly kind: 'found'; readonly addresses: readonly ResolvedAddress[] }
  /** It leads only to this machine or its neighbors. */
  | { readonly kind: 'refused'; readonly address: string }
  | { readonly kind: 'unknown'; readonly reason: string };

interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

export type Ask = (name: string) => Promise<readonly string[]>;

export interface ResolveOptions {
  /** The rules that allowed the address. */
  readonly hosts: readonly string[];
  readonly hostsFile?: string;
  readonly ask?: Ask;
}

/** Contract: connect to the returned addresses; another lookup could give another answer. */
export async function resolveOut(
  { host, port }: Address,
  { hosts, hostsFile = '/etc/hosts', ask = askSystem }: ResolveOptions,
): Promise<Resolved> {
  if (host === localHost || host.endsWith('.localhost')) return found([localHost, '::1']);
  // It is an address already, not a name.
  if (isIP(host) !== 0) return found([host]);
  const written = addressesIn(hostsFile, host);
  if (written.length > 0) return found(written);
  try {
    const all = await ask(host);
    const open = all.filter((one) => !isNear(one) || isAllowed({ host: one, port }, hosts));
    return open.length > 0 ? found(open) : { kind: 'refused', address: all[0] ?? '' };
  } catch (error) {
    return { kind: 'unknown', reason: errorText(error) };
  }
}

function found(addresses: readonly string[]): Resolved {
  return {
    kind: 'found',
    addresses: addresses.map((address) => ({ address, family: isIP(address) === 6 ? 6 : 4 })),
  };
}

/** A lookup that returns these addresses and asks no server. */
export function lookupIn(addresses: readonly ResolvedAddress[]): LookupFunction {
  return (_, { all = false }, callback) => {
    const [first] = addresses;
    if (all) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
}

function askSystem(name: string): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    lookup(name, { all: true }, (error, all) => {
      if (error === null) resolve(all.map(({ address }) => address));
      else reject(error);
    });
  });
}

function addressesIn(hostsFile: string, name: string): string[] {
  const lines = orElse(() => readFileSync(hostsFile, 'utf8'), '')
    .split('\n')
    .map((line) => (line.split('#')[0] ?? '').trim().toLowerCase().split(/\s+/));
  return lines.flatMap(([address = '', ...names]) =>
    names.includes(name) && isIP(address) !== 0 ? [address] : [],
  );
}

/** This machine, its link-local network, and the metadata services that give a cloud machine its keys. */
const near = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 3],
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
  ['192.0.0.192', 32],
] as const)
  near.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of [
  ['::', 127],
  ['fe80::', 10],
  ['ff00::', 8],
  ['fd00:ec2::254', 128],
  ['fd20:ce::254', 128],
  // IPv4 addresses as a NAT64 gateway writes them.
  ['64:ff9b::7f00:0', 104],
  ['64:ff9b::a9fe:0', 112],
] as const)
  near.addSubnet(network, bits, 'ipv6');

export function isNear(address: string): boolean {
  const plain = address.replace(/^\[|\]$|%.*$/g, '');
  if (isIP(plain) === 0) return plain === 'localhost';
  const family = isIP(plain) === 6 ? 'ipv6' : 'ipv4';
  return near.check(plain, family) || ownAddresses().check(plain, family);
}

/** Read each time: they change during a run. */
function ownAddresses(): BlockList {
  const list = new BlockList();
  for (const { address, family } of Object.values(networkInterfaces()).flatMap((one) => one ?? []))
    list.addAddress(address, family === 'IPv6' ? 'ipv6' : 'ipv4');
  return list;
}
