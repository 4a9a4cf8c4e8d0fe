/** Words of criteria that could be names in the code, each once, bounded; a lookup then decides. */
export function namesIn(texts: readonly string[]): string[] {
  const words = texts.flatMap((text) => text.match(/[A-Za-z_$][\w$]{2,}/g) ?? []);
  return [...new Set(words)].filter((word) => !common.has(word.toLowerCase())).slice(0, namesMax);
}

const namesMax = 200;

// Words of every criterion; a search for them only costs time.
const common = new Set(
  'the and for with from that this are has have not all should must shall will exists exist file files function class type component test tests pass passes passing used uses use called calls exported exports defined defines contains contain page shows when after command works returns there'.split(
    ' ',
  ),
);
