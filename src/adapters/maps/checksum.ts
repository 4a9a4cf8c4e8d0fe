/**
 * One number for some bytes, whose length is a multiple of four: what a disk or another program did to them shows.
 * Written here because Node's own takes longer to load than this takes to run.
 */
export function checksum(bytes: Uint8Array): number {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
  let sum = words.length;
  for (let at = 0; at < words.length; at += 1)
    sum = Math.imul(((sum << 5) | (sum >>> 27)) ^ (words[at] ?? 0), 0x9e37_79b1);
  return sum >>> 0;
}

/** What is missing to the next multiple of four. */
export function padding(length: number): number {
  return (4 - (length % 4)) % 4;
}
