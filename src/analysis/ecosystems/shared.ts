// Facts about tools for many languages: version managers, containers.
import { targetWays } from '#analysis/ecosystems/gates/targets.ts';
import { recordOf, unreadable } from '#analysis/texts/json-text.ts';
import { spell } from '#analysis/texts/plain.ts';
import { readYaml } from '#analysis/texts/yaml.ts';
import type { Ecosystem } from './ecosystem.ts';
import type { Sections } from '#analysis/ecosystems/manifests/section-types.ts';
import { commandTables } from '#analysis/ecosystems/manifests/task-sections.ts';

export const shared: Ecosystem = {
  name: 'tools of many languages',
  setup: { inputs: ['.tool-versions'], asking: '.tool-versions mise.toml .mise.toml' },
  pins: {
    settings: [
      /^(\.coveragerc|\.nycrc(\..+)?|\.c8rc(\..+)?)$/,
      /^\.?codecov\.ya?ml$/,
      /^BUILD(\.bazel)?$/,
      /^(\.hadolint\.ya?ml|\.yamllint(\.ya?ml)?|\.markdownlint(\..+|-cli2\..+)?)$/,
    ],
    deciding: [
      /^\.github\/workflows\//,
      /^\.gitlab-ci\.yml$/,
      /(^|\/)(\.pre-commit-config\.yaml$|\.?lefthook(-local)?\.(ya?ml|toml|json)$|\.?simple-git-hooks\.\w+$)/,
    ],
    readByBuilds: [/^\.?lefthook-local\.\w+$/],
    recipes: [
      [/\bg?make\b/, ['GNUmakefile', 'makefile', 'Makefile']],
      [/\bjust\b/, ['justfile', 'Justfile', '.justfile']],
      [
        /\btask\b/,
        ['yml', 'yaml', 'dist.yml', 'dist.yaml'].flatMap((end) => [`Taskfile.${end}`, `taskfile.${end}`]),
      ],
      [/\bearthly\b/, ['Earthfile']],
      [/\bmoon\b/, ['moon.yml', '.moon/tasks.yml']],
      [/\bant\b/, ['build.xml']],
      [/\b(docker|podman|buildah|nerdctl)\b/, ['Dockerfile', 'Containerfile']],
    ],
    ownSettings: [
      [/\bbazel(isk)?\b/, ['.bazelrc', '.bazeliskrc', 'tools/bazel']],
      [
        /\bdocker[ -]compose\b/,
        ['compose', 'docker-compose'].flatMap((name) => [`${name}.override.yml`, `${name}.override.yaml`]),
      ],
    ],
    sections: [
      [/^\.?mise\.toml$/, commandTables],
      [/^\.tool-versions$/, versionSections],
      [/^(docker-)?compose([.-][\w.-]+)?\.ya?ml$/, composeSections],
    ],
  },
  tests: { hidesSuccess: [/\b(?:chronic|bazel)\b/] },
  gates: {
    reads: [/^(?:(?:GNU)?[Mm]akefile|[Jj]ustfile)$/],
    ways: targetWays,
    isWhole: true,
    needs: [
      [/^make\b/, /^(?:GNU)?[Mm]akefile$/],
      [/^just\b/, /^[Jj]ustfile$/],
    ],
  },
  machine: {
    steering: [
      { below: 'home', folder: '', names: '.gitconfig .curlrc .jq .bazelrc .tool-versions' },
      { below: 'config', folder: '', names: 'curlrc' },
      { below: 'config', folder: 'git', names: 'config attributes' },
      { below: 'config', folder: 'mise', names: 'config.toml' },
    ],
    upwards: '.tool-versions mise.toml .mise.toml .editorconfig',
    shownSettings: '.editorconfig .tool-versions',
    folderVariables: 'ASDF_DIR ASDF_DATA_DIR MISE_DATA_DIR',
    sharedFolders: 'mise',
  },
  programs: {
    checking: 'make',
    started: 'git make gmake bazel bazelisk just task docker',
    spoken: 'make just docker',
    quoted: 'git curl psql kubectl helm terraform',
    rare: 'bazel podman gmake awk sed rg jq yq curl gh',
  },
};

/** Compilers and runners from a folder instead of a release. */
function versionSections(text: string): Sections {
  const lines = text.split('\n').map((line) => line.trim());
  return new Map(lines.filter((line) => /\spath:/.test(line)).map((line) => ['tools', line]));
}

const judging = /\b(?:tests?|pytest|ctest|tox|nox|jest|vitest|mocha|rspec|phpunit|e2e|lint|eslint)\b/i;

/** `compose.yaml`: services whose name or command is a test. Others are free. */
function composeSections(text: string): Sections {
  const documents = readYaml(text, 'typed');
  const settings = recordOf(documents?.[0] ?? {});
  if (documents === null || documents.length > 1 || settings === null) return unreadable(text);
  const started = Object.entries(recordOf(settings['services']) ?? {});
  const deciding = started.filter(([name, service]) => {
    const { command, entrypoint } = recordOf(service) ?? {};
    return judging.test(name.replace(/[_-]/g, ' ')) || judging.test(spell([command, entrypoint]));
  });
  return new Map(deciding.map(([name, service]) => [`command.${name}`, spell(service)]));
}
