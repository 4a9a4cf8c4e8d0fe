// Validates every part of a statement from a note or a file: anyone may have written it.
import { z } from 'zod';
import type { Check } from '#kernel/model/check.ts';
import { isCheck } from '#kernel/model/check-shape.ts';
import { calibrationKinds } from '#kernel/model/calibration.ts';
import { proofKinds } from '#kernel/model/outcome.ts';

const text = z.string();
const object = z.string().regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/);
const verdict = z.enum(['pass', 'fail', 'unknown']);
const check = z.custom<Check>(isCheck);

const criterion = z.object({
  id: text,
  text,
  kind: z.enum(['entry', 'exit']),
  required: z.boolean(),
  when: z.enum(['attempt', 'acceptance']),
  check,
  alone: z.boolean().exactOptional(),
});

const ending = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('exited'), code: z.number() }),
  z.object({ kind: z.literal('signalled'), signal: text }),
  z.object({ kind: z.literal('timed-out'), limit: z.enum(['wall', 'idle']), afterMs: z.number() }),
  z.object({ kind: z.literal('cancelled'), reason: text }),
  z.object({ kind: z.literal('not-started'), reason: text }),
]);

const calibration = z.object({
  kind: z.enum(calibrationKinds),
  verdict: z.enum(['passed', 'refused', 'none']),
  reason: text,
  runs: z.number(),
  durationMs: z.number(),
  logs: z.array(text),
  files: z.array(text).exactOptional(),
  asks: z.literal('person').exactOptional(),
  restsOnAddedFiles: z.literal(true).exactOptional(),
});

const evidence = z.object({
  taskId: text,
  criterionId: text,
  stepId: text,
  purpose: z.enum(['base', 'attempt', 'acceptance']),
  place: z.enum(['workspace', 'clean']),
  tree: object,
  verdict,
  reason: text,
  command: text.nullable(),
  ending: ending.nullable(),
  durationMs: z.number(),
  conditions: text.exactOptional(),
  flaky: z.object({ passed: z.number(), failed: z.number(), isAccepted: z.boolean() }).exactOptional(),
  calibration: z.array(calibration).exactOptional(),
});

const task = z.object({
  id: text,
  title: text,
  status: z.enum([
    'waiting',
    'ready',
    'active',
    'needs-input',
    'proven',
    'landed',
    'failed',
    'skipped',
    'dropped',
  ]),
  commit: object.nullable(),
  mayChange: z.array(text),
  criteria: z.array(criterion),
  skips: z.array(
    z.object({ criterionId: text, by: text, why: text, approvedBy: z.enum(['person', 'policy']) }),
  ),
});

const tampering = z.object({
  path: text,
  change: z.enum(['changed', 'deleted', 'added']),
  state: z.enum(['open', 'allowed', 'accepted', 'put right', 'changed again', 'noted']),
  why: text,
  weakening: z.array(text),
  session: text.nullable(),
  taskId: text.nullable(),
  stepId: text,
  tree: text,
  content: text,
  by: text.nullable(),
  reason: text.nullable(),
  at: text,
});

const proof = z.object({
  format: z.literal(1),
  version: text,
  run: z.object({
    id: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/),
    preset: text,
    goal: text,
    startedAt: z.iso.datetime(),
    endedAt: z.iso.datetime(),
    outcome: z.enum(['completed', 'failed', 'exhausted', 'blocked', 'stopped', 'unverified']).nullable(),
    reason: text,
    proof: z.enum(proofKinds).nullable().exactOptional(),
  }),
  base: z.object({ commit: object, tree: object }),
  landed: z.object({ commit: object, onto: object }).nullable(),
  // Must not leave the checkout.
  prefix: z.string().refine((path) => !path.startsWith('/') && !path.split('/').includes('..')),
  setup: z.object({
    command: text.nullable(),
    isDetected: z.boolean().exactOptional(),
    copy: z.array(text),
  }),
  environment: z.array(z.string().regex(/^[^=]+$/)),
  knownRed: z.union([z.literal('all'), z.array(text)]),
  mayChange: z.array(text),
  flaky: z
    .object({
      retries: z.number(),
      passes: z.number().nullable(),
      again: z.object({ looks: z.number(), withinMs: z.number() }).exactOptional(),
    })
    .nullable(),
  tasks: z.array(task).min(1),
  evidence: z.array(evidence),
  tampering: z.array(tampering),
});

export const statementSchema = z.object({
  _type: z.literal('https://in-toto.io/Statement/v1'),
  subject: z.array(z.object({ name: text, digest: z.record(text, text) })).min(1),
  predicateType: z.literal('https://in-toto.io/attestation/test-result/v0.1'),
  predicate: z.object({ result: z.enum(['PASSED', 'WARNED', 'FAILED']), untildone: proof }),
});

export type ReadStatement = z.infer<typeof statementSchema>;
