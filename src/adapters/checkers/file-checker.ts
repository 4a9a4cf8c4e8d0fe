// Decides a criterion by a file of the tree: it exists, is absent, contains a text, or has a JSON value.
import type { FileCheck } from '#kernel/model/check.ts';
import type { CheckRequest } from '#ports/checker.ts';
import { bytesMax, placeOf, readConfined } from '#adapters/files/confined-file.ts';
import { judgeJson } from './judge-json.ts';
import { findingOf, type UntimedFinding } from './tools.ts';

export async function checkFile(request: CheckRequest, { path, holds }: FileCheck): Promise<UntimedFinding> {
  const place = await placeOf(request.cwd, path);
  if (place.kind === 'refused') return findingOf('fail', `${path} ${place.problem}`);
  const isThere = place.kind !== 'missing';
  if (holds.kind === 'absent')
    return isThere ? findingOf('fail', `${path} exists`) : findingOf('pass', `${path} does not exist`);
  if (!isThere) return findingOf('fail', `${path} does not exist`);
  if (holds.kind === 'exists') return findingOf('pass', `${path} exists`);
  if (place.kind === 'folder') return findingOf('fail', `${path} is a folder`);
  const reading = await readConfined(place.path);
  switch (reading.kind) {
    case 'refused':
      return findingOf('fail', `${path} ${reading.problem}`);
    case 'too-large':
      return findingOf(
        'unknown',
        `${path} has ${megabytes(reading.bytes)}; more than ${megabytes(bytesMax)} is not read`,
      );
    case 'text':
      return holds.kind === 'contains'
        ? judgeText(path, reading.text, holds.text)
        : judgeJson(path, reading.text, holds);
  }
}

/** Line endings do not count: editors and git change them. */
function judgeText(path: string, text: string, wanted: string): UntimedFinding {
  const plain = (one: string): string => one.replaceAll('\r\n', '\n');
  const isIn = plain(text).includes(plain(wanted));
  return isIn
    ? findingOf('pass', `${path} contains it`)
    : findingOf('fail', `${path} does not contain ${JSON.stringify(wanted)}`);
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MB`;
}
