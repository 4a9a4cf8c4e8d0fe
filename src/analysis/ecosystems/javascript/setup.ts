// Finds the package manager of a `package.json` if no lock file is committed. Pure.
import { readJsonTable } from '#analysis/texts/json-text.ts';
import { type Table, valueAt } from '#analysis/texts/plain.ts';
import type { Manifest } from '#analysis/ecosystems/ecosystem.ts';
import type { DetectedSetup } from '#analysis/ecosystems/setup/detected-setup.ts';
import { isFilled, notJson, unlocked } from '#analysis/ecosystems/setup/manifest-answers.ts';

const dependencyFields = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];

const locksOf = {
  npm: 'package-lock.json',
  pnpm: 'pnpm-lock.yaml',
  yarn: 'yarn.lock',
  bun: 'bun.lock',
} as const;

type Packager = keyof typeof locksOf;

export function ofPackage(manifest: Manifest): DetectedSetup | null {
  const { path } = manifest;
  const about = readJsonTable(manifest.text);
  if (about === null) return notJson(path);
  const declares = dependencyFields.some((field) => isFilled(about[field])) || isFilled(about['workspaces']);
  if (!declares && !manifest.has('pnpm-workspace.yaml')) return null;
  if (manifest.hasFolder('node_modules')) return null;
  const tool = packagerOf(about, manifest);
  return unlocked(`${tool} install`, path, locksOf[tool]);
}

function packagerOf(about: Table, manifest: Manifest): Packager {
  const named = [about['packageManager'], valueAt(about, 'devEngines.packageManager.name')];
  for (const name of named) {
    const tool = typeof name === 'string' ? /^(npm|pnpm|yarn|bun)(@|$)/.exec(name)?.[1] : undefined;
    // The pattern allows only these four.
    if (tool !== undefined) return tool as Packager;
  }
  if (manifest.has('pnpm-workspace.yaml')) return 'pnpm';
  return manifest.has('.yarnrc.yml') ? 'yarn' : 'npm';
}
