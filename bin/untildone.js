#!/usr/bin/env node
// Old syntax only, down to `var`: this file must still parse on a Node that is far too old, to say so.
// It is an ES module by package.json, hence import(), which every Node that knows `type` can parse.
var needed = [22, 18];
var found = process.versions.node.split('.').map(Number);

// The folder of the build, known once its first file is found.
var dist = '';

var isTooOld = found[0] < needed[0] || (found[0] === needed[0] && found[1] < needed[1]);

if (isTooOld) refuse();
else start();

function refuse() {
  var need =
    'untildone needs Node ' + needed.join('.') + ' or newer, and this is Node ' + found.join('.') + '.';
  var hint =
    'install a current Node (for example with your version manager), then run the same command again.';
  process.stderr.write(need + '\nHint: ' + hint + '\n');
  process.exitCode = 2;
}

function start() {
  import('node:module')
    .then(function (module) {
      if (module.enableCompileCache) module.enableCompileCache();
      if (module.registerHooks) module.registerHooks({ resolve: resolveOwnFile });
      return import('../dist/cli.js');
    })
    .catch(startFromSources);
}

// The build is split into some hundred files that lie side by side. For each import Node looks on the disk and reads
// package.json, a fifth of the time of a short command. Here the place of each file is known.
function resolveOwnFile(specifier, context, next) {
  if (dist !== '' && /^\.\/chunk-\w+\.js$/.test(specifier) && String(context.parentURL).indexOf(dist) === 0)
    return { url: dist + specifier.slice(2), format: 'module', shortCircuit: true };
  var found = next(specifier, context);
  if (specifier === '../dist/cli.js') dist = found.url.slice(0, -'cli.js'.length);
  return found;
}

// A checkout that was never built runs its sources; Node strips their types.
function startFromSources(error) {
  var isUnbuilt =
    error && error.code === 'ERR_MODULE_NOT_FOUND' && /dist.cli\.js/.test(String(error.message));
  if (!isUnbuilt) throw error;
  return import('../src/surfaces/cli/main.ts');
}
