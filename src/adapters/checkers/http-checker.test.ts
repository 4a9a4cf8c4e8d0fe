import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRedactor } from '#config/redact.ts';
import type { HttpCheck } from '#kernel/model/check.ts';
import { hasProcTable, isMarkedBy, readMark, readProcTable } from '#adapters/processes/proc-table.ts';
import type { Finding } from '#ports/checker.ts';
import { checksBed, processes, type ChecksBed, type Wishes } from '#test/checkers/checks-bed.ts';

let bed: ChecksBed;
const closing: (() => Promise<unknown>)[] = [];
beforeEach(() => {
  bed = checksBed();
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  bed.dispose();
});

function http(check: Partial<HttpCheck>, wishes: Wishes = {}): Promise<Finding> {
  const whole: HttpCheck = {
    kind: 'http',
    url: 'http://127.0.0.1:{port}/health',
    status: 200,
    contains: null,
    serve: null,
    cwd: '',
    timeoutMs: 600_000,
    ...check,
  };
  return bed.check(whole, wishes);
}

/** `body` is the source of a request handler. */
function serve(body: string, before = ''): string {
  bed.write(
    'server.cjs',
    `${before};require('http').createServer((request, response) => { ${body} }).listen(Number(process.env.PORT), '127.0.0.1');`,
  );
  return `"${process.execPath}" server.cjs`;
}

function listening(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      closing.push(() => closed(server));
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function closed(server: Server): Promise<unknown> {
  server.closeAllConnections();
  return new Promise((done) => server.close(done));
}

function left(): number[] {
  return readProcTable()
    .map(({ pid }) => pid)
    .filter((pid) => isMarkedBy(readMark(pid), `checks-${process.pid}`));
}

it('A secret in the response, a redirect or the server output is neither in the finding of an HTTP check nor in its log', async () => {
  const secrets = { DEPLOY_TOKEN: 'pass-phrase-of-the-server' };
  const run = serve(
    `console.log(${JSON.stringify(secrets.DEPLOY_TOKEN)}); response.statusCode = 302; response.setHeader('location', '/?token=${secrets.DEPLOY_TOKEN}'); response.end('the token is ${secrets.DEPLOY_TOKEN}');`,
  );
  const finding = await http({ serve: run }, { redactor: createRedactor(secrets) });
  expect(finding).toMatchObject({
    verdict: 'fail',
    reason:
      'answers 302, a redirect to /?token=[redacted DEPLOY_TOKEN] (redirects are not followed), not 200',
    tail: 'the token is [redacted DEPLOY_TOKEN]\n[redacted DEPLOY_TOKEN]\n',
  });
  expect(bed.log()).toBe('[redacted DEPLOY_TOKEN]\n');
});

describe('an HTTP check with its own server', () => {
  it('An HTTP check starts its server on a free port, queries it once it answers, and ends it with its children [X11]', async () => {
    const run = serve(
      "response.end('all is well on ' + request.url)",
      "require('child_process').spawn('sleep', ['300'], { detached: true, stdio: 'ignore' })",
    );
    expect(await http({ serve: run, contains: 'well on /health' })).toMatchObject({
      verdict: 'pass',
      reason: 'answers 200 with that text',
      ending: null,
    });
    expect(left()).toEqual([]);
  });

  it('An HTTP check fails on another status or another text, and shows the actual response', async () => {
    const run = serve("response.statusCode = request.url === '/health' ? 200 : 404; response.end('fine')");
    expect(await http({ serve: run, contains: 'splendid' })).toMatchObject({
      verdict: 'fail',
      reason: 'the answer does not contain "splendid"',
      tail: 'fine',
    });
    expect(await http({ serve: run, url: 'http://127.0.0.1:{port}/x' })).toMatchObject({
      verdict: 'fail',
      reason: 'answers 404, not 200',
    });
  });

  it('An HTTP check does not follow a redirect to another server', async () => {
    const run = serve("response.writeHead(302, { location: 'http://elsewhere.invalid/' }); response.end()");
    expect(await http({ serve: run })).toMatchObject({
      verdict: 'fail',
      reason: 'answers 302, a redirect to http://elsewhere.invalid/ (redirects are not followed), not 200',
    });
    expect(await http({ serve: run, status: 302 })).toMatchObject({ verdict: 'pass' });
  });

  it('A server of an HTTP check may start slowly, and may answer that it is not ready yet', async () => {
    const run = serve(
      "calls += 1; response.statusCode = calls < 3 ? 503 : 200; response.end('up')",
      'let calls = 0; Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400)',
    );
    expect(await http({ serve: run })).toMatchObject({ verdict: 'pass' });
  });

  it('A server that never answers fails its check at the time limit, and no process of it stays [X11]', async () => {
    const time = new AbortController();
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(time.signal);
    const silent = http({ serve: serve("require('fs').writeFileSync('asked', '')"), timeoutMs: 600_000 });
    await until(() => readOr(join(bed.home, 'asked')) !== null);
    time.abort();
    expect(await silent).toMatchObject({ verdict: 'fail', reason: 'no answer within 600 s' });
    expect(timeout).toHaveBeenCalledWith(600_000);
    timeout.mockRestore();
    const trickle = serve("response.write('a'); setInterval(() => response.write('a'), 50)");
    expect(await http({ serve: trickle, timeoutMs: 1500 })).toMatchObject({ verdict: 'fail' });
    expect(await http({ serve: "trap '' TERM; sleep 300", timeoutMs: 800 })).toMatchObject({
      verdict: 'fail',
    });
    expect(left()).toEqual([]);
  });

  it('A server that exits at once fails its check with its exit and its output', async () => {
    expect(await http({ serve: 'echo no database >&2; exit 3' })).toMatchObject({
      verdict: 'fail',
      reason: 'the server ended before it answered (exit 3)',
      ending: { kind: 'exited', code: 3 },
      tail: 'no database\n',
    });
  });

  it('A server that leaves only a child behind counts as ended', async () => {
    const run = serve("response.end('up')");
    const finding = await http({ serve: `${run} & exit 0` });
    expect(finding).toMatchObject({ verdict: 'fail', ending: { kind: 'exited', code: 0 } });
    expect(left()).toEqual([]);
  });

  it('A server of an HTTP check may print without end, or answer without end', async () => {
    const flood = serve("response.end('up')", "setInterval(() => process.stdout.write('x'.repeat(1e6)), 1)");
    const finding = await http({ serve: flood });
    expect(finding.verdict).toBe('pass');
    expect(finding.tail.length).toBeLessThanOrEqual(4096);
    const endless = serve(
      "const more = () => { while (response.write('y'.repeat(1e5))); response.once('drain', more); }; more()",
    );
    expect(await http({ serve: endless, contains: 'z' })).toMatchObject({
      verdict: 'fail',
      reason: 'the first 4 MB of the answer does not contain "z"',
    });
  });

  it('An HTTP check does not query a port on which another program already listens', async () => {
    const port = await listening(createServer((_, response) => response.end('up')));
    expect(await http({ serve: 'sleep 300', url: `http://127.0.0.1:${port}/` })).toMatchObject({
      verdict: 'unknown',
      reason: `something else listens on port ${port} already, and would answer in its place`,
    });
  });

  it.runIf(hasProcTable())(
    'An HTTP check does not mistake an older program that took the port for its server',
    async () => {
      const grabber = createServer((_, response) => response.end('up'));
      const running = http({ serve: 'echo $PORT > port.txt; sleep 300' });
      await grab(grabber, join(bed.home, 'port.txt'));
      expect(await running).toMatchObject({
        verdict: 'unknown',
        reason: expect.stringMatching(/^another program took port \d+ before the server did/) as unknown,
      });
    },
  );

  it('A served program carries the mark of its check, so that the next driver finds it [X11]', async () => {
    const run = serve("response.end('mark ' + process.env.UNTILDONE_MARK)");
    expect(await http({ serve: run, contains: `mark checks-${process.pid}/one/` })).toMatchObject({
      verdict: 'pass',
    });
  });

  it.runIf(hasProcTable())(
    'A program of another step that took the port of a server does not answer in its place [X11]',
    async () => {
      const grabbing = `until [ -s port.txt ]; do sleep 0.02; done; PORT=$(cat port.txt) exec ${serve("response.end('up')")}`;
      const running = http({ serve: 'echo $PORT > port.new; mv port.new port.txt; sleep 300' });
      await until(() => readOr(join(bed.home, 'port.txt')) !== null);
      const grabber = processes.start({
        command: grabbing,
        cwd: bed.home,
        env: { PATH: process.env['PATH'] ?? '' },
        mark: `checks-${process.pid}/two`,
        wallMs: 600_000,
        idleMs: null,
        graceMs: 100,
        input: null,
        onOutput: () => {},
      });
      try {
        expect(await running).toMatchObject({
          verdict: 'unknown',
          reason: expect.stringMatching(/^another program took port \d+ before the server did/) as unknown,
        });
      } finally {
        grabber.kill('over');
        await grabber.ended;
      }
    },
  );

  it('A cancelled HTTP check ends its server [X11]', async () => {
    const cancel = new AbortController();
    const running = http({ serve: 'touch begun; sleep 300' }, { signal: cancel.signal });
    await until(() => readOr(join(bed.home, 'begun')) !== null);
    cancel.abort();
    expect(await running).toMatchObject({ verdict: 'unknown' });
    expect(left()).toEqual([]);
  });
});

describe('an HTTP check without its own server', () => {
  it('A server that listened before the run began may answer an HTTP check', async () => {
    const port = await listening(createServer((_, response) => response.end('up')));
    const url = `http://127.0.0.1:${port}/`;
    expect(await http({ url, contains: 'up' }, { since: Date.now() + 60_000 })).toMatchObject(
      hasProcTable() ? { verdict: 'pass' } : { verdict: 'unknown' },
    );
  });

  it('A server that started during the run may be a leftover of an agent, and does not answer for the work', async () => {
    const port = await listening(createServer((_, response) => response.end('up')));
    for (const host of ['127.0.0.1', 'localhost', '0.0.0.0']) {
      const finding = await http({ url: `http://${host}:${port}/` }, { since: 0 });
      expect(finding).toMatchObject({
        verdict: 'unknown',
        reason: expect.stringContaining('start it with "serve"') as unknown,
      });
    }
  });

  it('A server that carries the mark of a run does not answer an HTTP check, however old it is', async () => {
    const script = serve("response.end('up')");
    const running = processes.start({
      command: script,
      cwd: bed.home,
      env: { PATH: process.env['PATH'] ?? '', PORT: String(await freed()) },
      mark: `checks-${process.pid}/leftover`,
      wallMs: 600_000,
      idleMs: null,
      graceMs: 100,
      input: null,
      onOutput: () => {},
    });
    const url = `http://127.0.0.1:${lastFreed}/`;
    try {
      await until(async () => (await fetch(url).catch(() => null)) !== null);
      const finding = await http({ url }, { since: Date.now() + 60_000 });
      expect(finding.verdict).toBe('unknown');
    } finally {
      running.kill('over');
      await running.ended;
    }
  });

  it('An HTTP check says that nothing listens, that a name is unknown, or that a port is missing', async () => {
    expect((await http({ url: `http://127.0.0.1:${await freed()}/` })).reason).toMatch(
      /^nothing listens at 127.0.0.1:\d+ \(ECONNREFUSED\)$/,
    );
    expect(await http({ url: 'http://no-such-host.invalid/', timeoutMs: 15_000 })).toMatchObject({
      verdict: 'fail',
    });
    expect(await http({})).toMatchObject({ verdict: 'unknown' });
  });
});

let lastFreed = 0;
async function freed(): Promise<number> {
  const server = createServer();
  lastFreed = await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
  await new Promise((done) => server.close(done));
  return lastFreed;
}

async function grab(server: Server, portFile: string): Promise<void> {
  await until(() => (readOr(portFile) ?? '').endsWith('\n'));
  await new Promise<void>((resolve) => {
    server.listen(Number(readOr(portFile)), '127.0.0.1', () => resolve());
  });
  closing.push(() => closed(server));
}

function readOr(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  for (let count = 0; !(await isTrue()); count += 1) {
    if (count > 15_000) throw new Error('waited in vain');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
