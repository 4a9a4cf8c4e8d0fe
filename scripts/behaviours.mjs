// `npm run behaviours`: writes docs/behaviours.md anew. A test fails when it is stale.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { behavioursPage, readSpecIds } from '../test/docs/behaviours.ts';
import { repositoryFiles } from '../test/tidy/repository.ts';
import { root } from './tools.mjs';

writeFileSync(join(root, 'docs/behaviours.md'), behavioursPage(readSpecIds(), repositoryFiles()));
