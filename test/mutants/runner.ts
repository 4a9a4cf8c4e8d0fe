// Runs single tests in a scratch copy, in one vitest for all of them: starting it again costs more than most tests.
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { createVitest, type TestModule, type TestSpecification } from 'vitest/node';
import { type NamedTest, titlePattern } from './fault.ts';
import type { Scratch } from './scratch.ts';

export type Noticed =
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly message: string }
  /** No test of that title ran to its end: that says nothing about the fault. */
  | { readonly kind: 'not-run'; readonly reason: string };

export interface Runner {
  run(tests: readonly NamedTest[]): Promise<Noticed[]>;
  /** To be called after a file of the copy was changed. */
  forget(path: string): void;
  close(): Promise<void>;
}

export async function createRunner(scratch: Scratch): Promise<Runner> {
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() });
  process.env['TMPDIR'] = scratch.tmp;
  const vitest = await createVitest(
    {
      root: scratch.root,
      watch: false,
      reporters: [{}],
      cache: false,
      testTimeout: testMs,
      hookTimeout: testMs,
    },
    { cacheDir: join(scratch.root, '.vite') },
    { stdout: silence, stderr: silence },
  );
  const known = await vitest.globTestSpecifications();
  const specOf = (file: string): TestSpecification | undefined =>
    known.find(({ moduleId }) => moduleId === join(scratch.root, file));

  return {
    run: async (tests) => {
      const byFile = Map.groupBy(tests, ({ file }) => file);
      const specs = [...byFile].flatMap(([file, all]) => {
        const spec = specOf(file);
        if (spec === undefined) return [];
        spec.testNamePattern = new RegExp(all.map(({ title }) => titlePattern(title).source).join('|'), 's');
        return [spec];
      });
      const { testModules } = await within(hangMs * specs.length, vitest.runTestSpecifications(specs));
      return tests.map((test) =>
        outcomeOf(
          test,
          testModules.find(({ moduleId }) => moduleId === join(scratch.root, test.file)),
        ),
      );
    },
    forget: (path) => vitest.invalidateFile(join(scratch.root, path)),
    close: () => vitest.close(),
  };
}

/** A fault can make a test wait for ever. That is not a failed assertion, so it does not count as noticed. */
const testMs = 120_000;
/** A loop without end in a worker outlasts the limit of its test. Closing vitest kills such a worker. */
const hangMs = 600_000;

async function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`the tests hang: no answer in ${limitMs} ms`)),
    limitMs,
  );
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function outcomeOf({ title }: NamedTest, module: TestModule | undefined): Noticed {
  if (module === undefined) return { kind: 'not-run', reason: 'there is no such test file' };
  const pattern = titlePattern(title);
  const results = [...module.children.allTests()]
    .filter(({ name }) => pattern.test(name))
    .map((test) => test.result());
  const errors = results.flatMap(({ errors: some }) => some ?? []).map(({ message }) => message);
  const timeout = errors.find((message) => /^(Test|Hook) timed out/.test(message));
  if (timeout !== undefined) return { kind: 'not-run', reason: timeout };
  if (results.some(({ state }) => state === 'failed')) return { kind: 'failed', message: errors[0] ?? '' };
  if (results.some(({ state }) => state === 'passed')) return { kind: 'passed' };
  const reason = module.errors()[0]?.message ?? 'no test of that title was run';
  return { kind: 'not-run', reason };
}
