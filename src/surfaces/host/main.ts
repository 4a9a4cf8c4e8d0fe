// The session host as a process: `host` reads an order from standard input; `host play` plays a script;
// `host bridge` carries the network of a sandbox; `host mcp` answers its session from outside.
import { pathToFileURL } from 'node:url';
import type { HostControl, HostOrder } from '#ports/session-host.ts';

if (process.argv[2] === 'bridge')
  await (await import('#app/host-parts.ts')).carryNetwork(process.argv.slice(3));
else if (process.argv[2] === 'play') await (await import('#app/host-parts.ts')).playScript();
else if (process.argv[2] === 'mcp') await answerSession();
else await serve();

/** Answers a session that asks from inside its sandbox. By URL: one surface does not import another. */
async function answerSession(): Promise<void> {
  const { entryOf } = await import('#app/own-files.ts');
  const { serveMcp } = (await import(pathToFileURL(entryOf('mcp')).href)) as {
    serveMcp: (run: string | null) => Promise<void>;
  };
  await serveMcp(null);
}

async function serve(): Promise<void> {
  // Ctrl-C and a closing terminal are for the driver; it sends us a message, or its end of the pipe closes.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
  // Before the order is read, so that a host started ahead of time has nothing left to load.
  const { createFrameWriter } = await import('./frame-writer.ts');
  const { readLines } = await import('./read-lines.ts');
  const { composeHost } = await import('#app/host.ts');
  const writer = createFrameWriter(1);
  let hosted: ReturnType<typeof composeHost> | null = null;

  const begin = (order: HostOrder): void => {
    hosted = composeHost(order, {
      send: writer.tell,
      player: [process.execPath, process.argv[1] ?? '', 'play'],
      env: process.env,
    });
    hosted.ended.then(
      () => writer.finish(() => process.exit(0)),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  readLines(process.stdin, {
    onLine: (line) => {
      if (hosted === null) begin(JSON.parse(line) as HostOrder);
      else hosted.steer((JSON.parse(line) as HostControl).steer);
    },
    onEnd: () => {
      // Started ahead of time and not needed.
      if (hosted === null) process.exit(0);
      hosted.driverLeft();
    },
  });
}
