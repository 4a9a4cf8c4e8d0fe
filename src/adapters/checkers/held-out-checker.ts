// Runs a check that the builder never sees. Only its verdict leaves the authority: no reason, output or log.
import { createHash } from 'node:crypto';
import { cp, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { HeldOutCheck, MachineCheck } from '#kernel/model/check.ts';
import type { CheckRequest } from '#ports/checker.ts';
import type { CheckTools, UntimedFinding } from './tools.ts';

type RunCheck = (request: CheckRequest, check: MachineCheck, tools: CheckTools) => Promise<UntimedFinding>;

interface Content {
  readonly check: MachineCheck;
  readonly files: { readonly [path: string]: string };
}

export async function checkHeldOut(
  request: CheckRequest,
  { hash }: HeldOutCheck,
  tools: CheckTools,
  runCheck: RunCheck,
): Promise<UntimedFinding> {
  const { heldOut } = tools;
  const text = heldOut === undefined ? null : await heldOut.read(request.criterion.id);
  if (heldOut === undefined || text === null) return finding('unknown', 'a held-out check is missing');
  if (createHash('sha256').update(text).digest('hex') !== hash)
    return finding('unknown', 'a held-out check has changed since the start');
  // Only we write this text, and its hash is in the journal.
  const { check, files } = JSON.parse(text) as Content;
  const asideDir = join(heldOut.logsDir, 'aside');
  const back = await putIn(request.cwd, files, asideDir);
  try {
    const { verdict } = await runCheck({ ...request, criterion: { ...request.criterion, check } }, check, {
      ...tools,
      logsDir: heldOut.logsDir,
    });
    return finding(verdict, verdict === 'pass' ? 'passed' : 'a held-out check did not pass');
  } finally {
    await back();
    await rm(asideDir, { recursive: true, force: true });
  }
}

function finding(verdict: UntimedFinding['verdict'], reason: string): UntimedFinding {
  return { verdict, reason, ending: null, tail: '' };
}

/** Writes the files and moves existing ones aside; the returned function restores them. */
async function putIn(cwd: string, files: Content['files'], asideDir: string): Promise<() => Promise<void>> {
  const undo: (() => Promise<void>)[] = [];
  await mkdir(asideDir, { recursive: true, mode: 0o700 });
  for (const [index, [path, base64]] of Object.entries(files).entries()) {
    const target = join(cwd, path);
    const kept = join(asideDir, String(index));
    const isThere = (await stat(target).catch(() => null)) !== null;
    if (isThere) await cp(target, kept, { recursive: true, preserveTimestamps: true });
    undo.push(async () => {
      await rm(target, { recursive: true, force: true });
      if (isThere) await cp(kept, target, { recursive: true, preserveTimestamps: true });
    });
    await mkdir(dirname(target), { recursive: true });
    await rm(target, { recursive: true, force: true });
    await writeFile(target, Buffer.from(base64, 'base64'));
  }
  return async () => {
    for (const one of undo.toReversed()) await one();
  };
}
