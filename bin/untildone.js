#!/usr/bin/env node
// Old syntax only, down to `var`: this file must still parse on a Node that is far too old, to say so.
// It is an ES module by package.json, hence import(), which every Node that knows `type` can parse.
var needed = [22, 18];
var found = process.versions.node.split('.').map(Number);

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
      return import('../dist/cli.js');
    })
    .catch(startFromSources);
}

// A checkout that was never built runs its sources; Node strips their types.
function startFromSources(error) {
  var isUnbuilt =
    error && error.code === 'ERR_MODULE_NOT_FOUND' && /dist.cli\.js/.test(String(error.message));
  if (!isUnbuilt) throw error;
  return import('../src/surfaces/cli/main.ts');
}
