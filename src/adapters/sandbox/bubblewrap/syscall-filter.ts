// A seccomp filter for what namespaces leave open: keys of the user's session, sockets to the host of a
// virtual machine, typing into a terminal. The kernel applies it to each call and allows all others.

interface Calls {
  /** The kernel's id of this architecture. Others on the same processor have other numbers: refused. */
  readonly machine: number;
  readonly socket: number;
  readonly ioctl: number;
  /** Refused as if the kernel lacked them, so that programs do without. */
  readonly missing: readonly number[];
}

/** add_key, request_key, keyctl; io_uring_setup, whose sockets no filter sees; bpf, userfaultfd: exploits. */
const calls: { readonly [arch: string]: Calls | undefined } = {
  x64: { machine: 0xc000003e, socket: 41, ioctl: 16, missing: [248, 249, 250, 425, 321, 323] },
  arm64: { machine: 0xc00000b7, socket: 198, ioctl: 29, missing: [217, 218, 219, 425, 280, 282] },
};

/** Unspecified, unix, IPv4, IPv6, netlink, packet: those that a network namespace confines. */
const families = [0, 1, 2, 10, 16, 17];
/** TIOCSTI, TIOCLINUX: they type for the user. */
const typing = [0x5412, 0x541c];
/** On x64 a second set of numbers for the same calls starts here. */
const secondSet = 0x40000000;

const load = 0x20;
const ifEqual = 0x15;
const ifAtLeast = 0x35;
const leave = 0x06;
const allow = 0x7fff0000;
const refuse = (errno: number): number => 0x00050000 | errno;
const [notPermitted, noSuchCall, noSuchFamily] = [1, 38, 97];
/** Offsets in the kernel's data of a call: low halves, on little-endian machines. */
const at = { call: 0, machine: 4, first: 16, second: 24 };

type Line = readonly [code: number, value: number, ifTrue?: number, ifFalse?: number];

/** In the format of `bwrap --seccomp`; null for an unknown architecture. */
export function syscallFilter(arch: string = process.arch): Buffer | null {
  const known = calls[arch];
  if (known === undefined) return null;
  return Buffer.concat(linesFor(known).map(encoded));
}

function linesFor({ machine, socket, ioctl, missing }: Calls): Line[] {
  return [
    [load, at.machine],
    [ifEqual, machine, 1, 0],
    [leave, refuse(noSuchCall)],
    [load, at.call],
    ...(machine === calls['x64']?.machine ? whenThen([ifAtLeast, secondSet], noSuchCall) : []),
    ...missing.flatMap((number) => whenThen([ifEqual, number], noSuchCall)),
    // If it is no socket, skip one load, the families and two returns.
    [ifEqual, socket, 0, families.length + 3],
    [load, at.first],
    ...families.map((family, index): Line => [ifEqual, family, families.length - index, 0]),
    [leave, refuse(noSuchFamily)],
    [leave, allow],
    [ifEqual, ioctl, 1, 0],
    [leave, allow],
    [load, at.second],
    ...typing.flatMap((request) => whenThen([ifEqual, request], notPermitted)),
    [leave, allow],
  ];
}

function whenThen([code, value]: readonly [number, number], errno: number): Line[] {
  return [
    [code, value, 0, 1],
    [leave, refuse(errno)],
  ];
}

function encoded([code, value, ifTrue = 0, ifFalse = 0]: Line): Buffer {
  const line = Buffer.alloc(8);
  line.writeUInt16LE(code, 0);
  line.writeUInt8(ifTrue, 2);
  line.writeUInt8(ifFalse, 3);
  line.writeUInt32LE(value >>> 0, 4);
  return line;
}
