// Which systems are tested, and what each lacks. Nothing is promised that was never tested.

export interface PlatformSupport {
  readonly name: string;
  /** Whether the tests run on it before each change. */
  readonly isTried: boolean;
  readonly notes: readonly string[];
}

export function platformSupport(platform: string): PlatformSupport {
  const known = systems[platform];
  if (known !== undefined) return known;
  return { name: platform, isTried: false, notes: ['not tested', ...withoutProc] };
}

/** Empty if everything is tested. */
export function platformLines(platform: string): readonly string[] {
  const { name, isTried, notes } = platformSupport(platform);
  return isTried ? [] : [`${name}: ${notes.join('; ')}`, 'see `untildone help platforms`'];
}

const withoutProc = [
  'processes that leave their parent and group are not found',
  'an HTTP check cannot see who listens on a port',
];

const systems: { readonly [platform: string]: PlatformSupport | undefined } = {
  linux: { name: 'Linux', isTried: true, notes: [] },
  darwin: {
    name: 'macOS',
    isTried: false,
    notes: ['not tested by the project', 'the sandbox is srt, not bubblewrap', ...withoutProc],
  },
  win32: {
    name: 'Windows',
    isTried: false,
    notes: [
      'not tested by the project; use WSL 2, which is Linux',
      'there is no sandbox',
      'checks run in cmd.exe',
      ...withoutProc,
    ],
  },
};
