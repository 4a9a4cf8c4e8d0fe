// The asking side: a process with a decision stays reachable until a driver has recorded it in the journal.
import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { newAddress } from './address.ts';

export type OfferAnswer = 'recorded' | { readonly refused: string };

export interface Offer {
  readonly address: string;
  /** Null if no driver answered in time. */
  answer(msMax: number): Promise<OfferAnswer | null>;
  close(): void;
}

/** Contract: `text` is one line. Every caller gets it, because only drivers know the address. */
export async function openOffer(text: string): Promise<Offer> {
  const address = newAddress();
  const answered = Promise.withResolvers<OfferAnswer>();
  const callers = new Set<Socket>();
  const server = createServer((caller) => {
    callers.add(caller);
    let received = '';
    caller.setEncoding('utf8');
    caller.on('error', () => {});
    caller.on('close', () => callers.delete(caller));
    caller.on('data', (piece: string) => {
      received += piece;
      const answer = answerIn(received);
      if (answer !== null) answered.resolve(answer);
    });
    caller.write(`${text}\n`);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path: address }, resolve);
  });
  return {
    address,
    answer: (msMax) => Promise.race([answered.promise, sleep(msMax, null, { ref: false })]),
    close: () => {
      server.close();
      for (const caller of callers) caller.destroy();
    },
  };
}

/** Parses a driver's answer; null until the line is complete. */
function answerIn(text: string): OfferAnswer | null {
  const end = text.indexOf('\n');
  if (end === -1) return null;
  const line = text.slice(0, end);
  return line === recordedLine ? 'recorded' : { refused: line };
}

export const recordedLine = 'recorded';
