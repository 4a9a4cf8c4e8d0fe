import { linesMatching } from './leftovers.ts';
import type { Rule } from './source-file.ts';

// Hosts of registries and paths of one machine. Assembled here, so that this file does not name them.
const dot = String.raw`\.`;
const forbidden = new RegExp(
  [
    ['npm', 'js', dot, 'org'],
    ['npm', 'js', dot, 'com'],
    ['yarn', 'pkg', dot, 'com'],
    ['deb', dot, 'deb', 'ian'],
    ['pypi', dot, 'org'],
    [String.raw`(?<![\w.~-])/wo`, 'rk/'],
    ['/fa', 'rm/'],
    [String.raw`(?<![\w.~-])/ro`, 'ot/'],
    [String.raw`(?<![\w.~-])/Us`, 'ers/'],
  ]
    .map((parts) => parts.join(''))
    .join('|'),
);

/** The repository works from any registry and on any machine. */
export const noPlaces: Rule = (files) =>
  files.flatMap((file) =>
    linesMatching(file, forbidden).map((place) => `${place} names a registry or a machine's path`),
  );
