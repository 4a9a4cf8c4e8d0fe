// Node's HTTP. Not by `import`: an ES module that names node:http also loads Node's whole fetch, 75 ms of every start.
import type * as nodeHttp from 'node:http';
import type * as nodeHttps from 'node:https';

export function http(): typeof nodeHttp {
  return process.getBuiltinModule('node:http');
}

export function https(): typeof nodeHttps {
  return process.getBuiltinModule('node:https');
}
