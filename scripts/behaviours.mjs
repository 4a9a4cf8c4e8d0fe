// `npm run behaviours`: writes docs/behaviours.md from the titles of the tests. Git ignores that file.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { behavioursPage, readSpecIds } from '../test/docs/behaviours.ts';
import { repositoryFiles } from '../test/tidy/repository.ts';
import { root } from './tools.mjs';

writeFileSync(join(root, 'docs/behaviours.md'), behavioursPage(readSpecIds(), repositoryFiles()));
