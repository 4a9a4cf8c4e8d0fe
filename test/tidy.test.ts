// The house rules that a machine can check, applied to this repository. Each rule lives in test/tidy/ beside
// a test with samples that it must reject.
import { expect, test } from 'vitest';
import { readSpecIds, unknownIds } from './docs/behaviours.ts';
import { noBarrels } from './tidy/barrels.ts';
import { lightDefinitions, listedCommands } from './tidy/commands.ts';
import { oneCompositionRoot } from './tidy/composition.ts';
import { noCycles } from './tidy/cycles.ts';
import { arguedDependencies } from './tidy/dependencies.ts';
import { folderSize } from './tidy/folders.ts';
import { importLaw } from './tidy/import-law.ts';
import { noSwitchedOffTests, noUnfinished } from './tidy/leftovers.ts';
import { glossaryWords, neededExceptions } from './tidy/glossary.ts';
import { emptyNames, kebabCase, plainNames, sharedNames } from './tidy/names.ts';
import { noPlaces } from './tidy/places.ts';
import { plainSentences, plainTitles, shortHelp } from './tidy/plain-words.ts';
import { countedProperties } from './tidy/properties.ts';
import { purity } from './tidy/purity.ts';
import { reachedSources } from './tidy/reached.ts';
import { repositoryFiles } from './tidy/repository.ts';
import { shortSentences } from './tidy/short-sentences.ts';
import { documentLength, fileLength, functionLength, namedLimits } from './tidy/sizes.ts';
import { noTraps } from './tidy/traps.ts';

const files = repositoryFiles();

test.each([
  ['the folders import as the architecture says', importLaw],
  ['no source imports itself by a cycle, import() included', noCycles],
  ['a program or an entry of the package reaches each source', reachedSources],
  ['each port of a driver is built by one file of app/, and a session host by host.ts', oneCompositionRoot],
  ['the pure folders are pure', purity],
  ['sources are short', fileLength],
  ['folders are small', folderSize],
  ['functions are short', functionLength],
  ['README and AGENTS are short', documentLength],
  ['AGENTS names the limits that are enforced', namedLimits],
  ['file names are in kebab-case', kebabCase],
  ['names say what things are', emptyNames],
  ['files, types, functions and exported names use the words of the glossary', plainNames],
  ['a vague name, and each name of src/base, is exported by one file at most', sharedNames],
  ['sentences for users have plain words', plainSentences],
  ['test titles have plain words', plainTitles],
  ['sentences for users and test titles avoid the words that the glossary avoids', glossaryWords],
  ['each exception from the glossary is needed', neededExceptions],
  ['help texts are short', shortHelp],
  ['sentences for users are short', shortSentences],
  ['there are no barrels', noBarrels],
  ['nothing is marked as unfinished', noUnfinished],
  ['no test is switched off', noSwitchedOffTests],
  ['each property test counts the cases that it reaches', countedProperties],
  ['no registry and no machine is named', noPlaces],
  ['commands are defined without their bodies', lightDefinitions],
  ['each command is listed once, under its name', listedCommands],
  ['no crash can look like a success', noTraps],
  ['each dependency is argued for', arguedDependencies],
  ['test titles name behaviours that exist', unknownIds(readSpecIds())],
] as const)('The repository follows the rule: %s', (_, rule) => {
  expect(rule(files)).toEqual([]);
});
