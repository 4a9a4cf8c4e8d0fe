import { isProduct, placeAt, type Rule, visit } from './source-file.ts';

const world = 'src/app/world.ts';
/** Each part of a driver or of a session host, and the one file of app that builds it. The others are called by world.ts alone. */
const builders: Readonly<Record<string, string>> = {
  driveOpened: world,
  createHostSessions: world,
  createAttachedSessions: world,
  createSnapshots: world,
  createPlanner: world,
  admitSessions: world,
  lookoutOf: world,
  createTakeTree: world,
  createGitWorkspace: 'src/app/check-deps.ts',
  createChecker: 'src/app/check-deps.ts',
  createAdmittedSessions: 'src/app/admission.ts',
  createWakeEntry: 'src/app/waiting/run-waiting.ts',
  createInbox: 'src/app/site.ts',
  hostSession: 'src/app/host.ts',
};

/** One composition root: world.ts and host.ts show every port that is built. */
export const oneCompositionRoot: Rule = (files) =>
  files
    .filter((file) => isProduct(file) && /^src\/(app|surfaces|index\.ts)/.test(file.path))
    .flatMap((file) => {
      const problems = new Set<string>();
      const declared = new Set<string>();
      visit(file, {
        FunctionDeclaration: ({ id }) => void (id !== null && declared.add(id.name)),
      });
      visit(file, {
        Identifier: ({ name, start }) => {
          const builder = Object.hasOwn(builders, name) ? builders[name] : undefined;
          if (builder === undefined || builder === file.path || declared.has(name)) return;
          problems.add(`${placeAt(file, start)} uses ${name}, which only ${builder} may`);
        },
      });
      return [...problems];
    });
