// The files that start `untildone watch` at login: a systemd user unit, and a launchd agent.

export interface UnitParts {
  /** Absolute path. */
  readonly node: string;
  readonly cli: string;
  readonly env: { readonly [name: string]: string };
}

export const unitName = 'untildone-watch.service';

/** Stopping the unit ends only the watch: runs that it has woken continue. */
export function unitText({ node, cli, env }: UnitParts): string {
  return `[Unit]
Description=Untildone: wakes parked runs
StartLimitIntervalSec=600
StartLimitBurst=5

[Service]
ExecStart=${[node, cli, 'watch'].map(argument).join(' ')}
Restart=on-failure
RestartSec=30
KillMode=process
TimeoutStopSec=60
${Object.entries(env)
  .map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}\n`)
  .join('')}
[Install]
WantedBy=default.target
`;
}

/** Node and the launcher, as `unitText` writes them; null for any other file. */
export function programIn(unit: string): { readonly node: string; readonly cli: string } | null {
  const line = /^ExecStart=(.+)$/m.exec(unit)?.[1] ?? '';
  const words = [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word = '']) => plain(word));
  const [node, cli, command] = words;
  return node === undefined || cli === undefined || command !== 'watch' ? null : { node, cli };
}

/** systemd would expand a dollar sign in a command line. */
function argument(text: string): string {
  return quoted(text).replaceAll('$', '$$$$');
}

function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%')}"`;
}

function plain(word: string): string {
  return word.replaceAll('$$', '$').replaceAll('%%', '%').replaceAll(/\\(.)/g, '$1');
}

export function plistText({ node, cli, env }: UnitParts): string {
  const text = (value: string): string => `<string>${xml(value)}</string>`;
  const variables = Object.entries(env)
    .map(([name, value]) => `    <key>${xml(name)}</key>${text(value)}\n`)
    .join('');
  return `<?xml version="1.0" encoding="UTF-8"?>
<!-- untested -->
<plist version="1.0"><dict>
  <key>Label</key><string>untildone-watch</string>
  <key>ProgramArguments</key><array>${[node, cli, 'watch'].map(text).join('')}</array>
  <key>EnvironmentVariables</key><dict>
${variables}  </dict>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>
  <key>AbandonProcessGroup</key><true/>
</dict></plist>
`;
}

function xml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
