// Facts about .NET: C#, F# and Visual Basic.
import { gate, noWays, type Root, sure, type Ways } from '#analysis/ecosystems/gates/ways.ts';
import { type Json } from '#analysis/texts/json-text.ts';
import type { Ecosystem } from './ecosystem.ts';
import { entries, jsonLock, textOf } from '#analysis/ecosystems/manifests/lock-readers.ts';
import { type Locked } from '#analysis/ecosystems/manifests/lock-sections.ts';
import { self } from '#analysis/ecosystems/setup/manifest-answers.ts';

export const dotnet: Ecosystem = {
  name: '.NET',
  setup: {
    locks: [{ file: 'packages.lock.json', use: { kind: 'fetch' }, read: jsonLock(nuget) }],
    manifests: [
      { file: /^[\w.-]+\.(sln|slnx|csproj|fsproj|vbproj)$/, judge: ({ path }) => self(path, 'dotnet') },
    ],
    unread: [/^packages\.config$/],
  },
  pins: {
    // A build in a language that we have no parser for: pinned as a whole.
    settings: [/(\.(cs|fs|vb)proj|^Directory\.\w+\.(props|targets))$/],
    deciding: [/(^|\/)(xunit\.runner\.json|[^/]+\.runsettings|[Nn]u[Gg]et\.[Cc]onfig)$/],
  },
  tests: {
    files: [/Tests?\.(cs|fs|vb)$/],
    texts: [
      {
        files: /\.(?:cs|fs|vb)$/,
        library:
          /^[ \t]*(?:using|open|Imports) (?:Xunit|NUnit\.Framework|Microsoft\.VisualStudio\.TestTools|TUnit)\b/m,
        defines: /^[ \t]*[[<]+(?:Fact|Theory|Test|TestCase|TestMethod|DataTestMethod)\b/m,
      },
    ],
    words: { skipping: /\[Ignore\b|\bSkip\s*=\s*"/ },
  },
  gates: { reads: [], ways: dotnetWays, compilers: ['dotnet'] },
  machine: {
    upwards:
      'Directory.Build.props Directory.Build.targets Directory.Packages.props global.json NuGet.config nuget.config',
    registries: {
      questions: [['dotnet', 'nuget', 'list', 'source']],
      variables: [/^NUGET_/i],
      settings: '.nuget/NuGet/NuGet.Config .config/NuGet/NuGet.Config',
      telling: [/^NUGET/i],
    },
  },
  programs: {
    checking: 'dotnet',
    started: 'dotnet',
    spoken: 'dotnet',
    common: 'dotnet',
  },
};

function nuget(lock: Json): Locked[] {
  return entries(lock['dependencies']).flatMap(([, framework]) =>
    entries(framework).map(([name, entry]) =>
      entry['type'] === 'Project'
        ? { name, place: 'project' }
        : { name, version: textOf(entry['resolved']), contents: [['', textOf(entry['contentHash'])]] },
    ),
  );
}

function dotnetWays({ files }: Root): Ways {
  const project = [...files].find((path) => /^[^/]+\.(?:sln|slnx|csproj)$/.test(path));
  if (project === undefined) return noWays;
  return {
    ...noWays,
    gates: [
      gate('tests', 'dotnet test', sure.customary, `${project} is there`),
      gate('types', 'dotnet build', sure.guessed, 'the compiler checks the types'),
      gate('build', 'dotnet build', sure.customary, `${project} is there`),
    ],
  };
}
