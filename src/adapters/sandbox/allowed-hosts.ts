// Decides which addresses a program may reach, by name and port. `resolve-out.ts` checks where a name leads.

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** This machine, in its normalized spelling. */
export const localHost = '127.0.0.1';

/** A rule without a port allows the web ports. */
const webPorts: readonly number[] = [80, 443];

export function isAllowed(address: Address, rules: readonly string[]): boolean {
  const host = plainHost(address.host);
  return rules.some((rule) => {
    const { host: wanted, port } = parseRule(rule);
    const isPort = port === null ? webPorts.includes(address.port) : port === address.port;
    const isHost = wanted.startsWith('*.') ? host.endsWith(wanted.slice(1)) : host === wanted;
    return isPort && isHost;
  });
}

/** Ports of this machine that a rule names: they are forwarded under the same number inside. */
export function loopbackPorts(rules: readonly string[]): number[] {
  const ports = rules.map(parseRule).flatMap(({ host, port }) => (host === localHost && port ? [port] : []));
  return [...new Set(ports)];
}

/** Parses `host:port` of a request line or a header; null if it is none. */
export function parseAddress(text: string, portByDefault: number): Address | null {
  const found = /^(\[[0-9a-f:.]+\]|[^\s:/@]+)(?::(\d{1,5}))?$/i.exec(text.trim());
  if (found === null) return null;
  const port = found[2] === undefined ? portByDefault : Number(found[2]);
  return port > 0 && port < 65_536 ? { host: plainHost(found[1] ?? ''), port } : null;
}

function parseRule(rule: string): { host: string; port: number | null } {
  const found = /^(.*?)(?::(\d{1,5}))?$/.exec(rule.trim());
  const isBare = (rule.match(/:/g)?.length ?? 0) > 1 && !rule.includes(']');
  if (isBare) return { host: plainHost(rule), port: null };
  return { host: plainHost(found?.[1] ?? ''), port: found?.[2] === undefined ? null : Number(found[2]) };
}

/** Normalizes a host: this machine has many names. */
function plainHost(host: string): string {
  const plain = host
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  return plain === 'localhost' || plain === '::1' ? localHost : plain;
}
