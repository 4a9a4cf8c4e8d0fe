// Checks one action of a script and names the field that is wrong.
import type { SessionErrorClass } from '#kernel/model/ending.ts';
import { isRecord } from '#base/record.ts';
import { scriptError } from './script-error.ts';
import type { Action, FileText } from './script.ts';

type Parse = (value: unknown, where: string, all: { readonly [key: string]: unknown }) => Action;

const errorClasses: { readonly [name in SessionErrorClass]: true } = {
  authentication: true,
  'invalid-request': true,
  'unknown-model': true,
  'usage-limit': true,
  overloaded: true,
  network: true,
  'context-overflow': true,
  refusal: true,
  'conversation-gone': true,
  other: true,
};

const parsers: { readonly [name: string]: Parse } = {
  say: (value, where) => ({ say: text(value, where) }),
  tool: (value, where, all) => ({
    tool: text(value, where),
    summary: text(all['summary'] ?? '', `${where}.summary`),
  }),
  write: (value, where) => ({ write: file(value, where) }),
  append: (value, where) => ({ append: file(value, where) }),
  link: (value, where) => {
    if (!isRecord(value)) throw scriptError(`${where} must be { "path", "target" }`);
    return {
      link: {
        path: text(value['path'], `${where}.path`),
        target: text(value['target'], `${where}.target`),
      },
    };
  },
  delete: (value, where) => ({ delete: text(value, where) }),
  run: (value, where) => ({ run: text(value, where) }),
  leave: (value, where) => ({ leave: text(value, where) }),
  sleep: (value, where) => ({ sleep: count(value, where) }),
  flood: (value, where, all) => ({
    flood: count(value, where),
    lineLength: count(all['lineLength'] ?? 100, `${where}.lineLength`),
  }),
  usage: (value, where) => {
    if (!isRecord(value)) throw scriptError(`${where} must be { "usd", "tokens" }`);
    return {
      usage: {
        usd: readCount(value['usd'], `${where}.usd`),
        tokens: readCount(value['tokens'], `${where}.tokens`),
      },
    };
  },
  fail: (value, where) => {
    if (!isRecord(value)) throw scriptError(`${where} must be { "errorClass", "detail" }`);
    return {
      fail: {
        errorClass: errorClass(value['errorClass'], `${where}.errorClass`),
        detail: text(value['detail'], `${where}.detail`),
        ...(value['resetAt'] === undefined ? {} : { resetAt: count(value['resetAt'], `${where}.resetAt`) }),
      },
    };
  },
  exit: (value, where) => ({ exit: count(value, where) }),
  crash: (value, where) => ({ crash: yes(value, where) }),
  hang: (value, where) => ({ hang: yes(value, where) }),
  ignoreTerm: (value, where) => ({ ignoreTerm: yes(value, where) }),
};

/** Fields that belong to another one. */
const companions = new Set(['summary', 'lineLength']);

export function parseAction(value: unknown, where: string): Action {
  if (!isRecord(value)) throw scriptError(`${where} must be an object with one action`);
  const names = Object.keys(value).filter((name) => !companions.has(name));
  const [name] = names;
  const parse = name === undefined ? undefined : parsers[name];
  if (name === undefined || parse === undefined || names.length !== 1) {
    const known = Object.keys(parsers).join(', ');
    throw scriptError(
      `${where} must name exactly one action of ${known}; it has ${names.join(', ') || 'none'}`,
    );
  }
  return parse(value[name], `${where}.${name}`, value);
}

function text(value: unknown, where: string): string {
  if (typeof value !== 'string') throw scriptError(`${where} must be a string`);
  return value;
}

function count(value: unknown, where: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) {
    throw scriptError(`${where} must be a number, not below 0`);
  }
  return value;
}

function readCount(value: unknown, where: string): number | null {
  return value === null ? null : count(value, where);
}

function yes(value: unknown, where: string): true {
  if (value !== true) throw scriptError(`${where} must be true`);
  return true;
}

function file(value: unknown, where: string): FileText {
  if (!isRecord(value)) throw scriptError(`${where} must be { "path", "text" }`);
  const { encoding, executable } = value;
  if (encoding !== undefined && encoding !== 'base64')
    throw scriptError(`${where}.encoding can be "base64" only`);
  return {
    path: text(value['path'], `${where}.path`),
    text: text(value['text'], `${where}.text`),
    ...(encoding === undefined ? {} : { encoding }),
    ...(executable === undefined ? {} : { executable: executable === true }),
  };
}

function errorClass(value: unknown, where: string): SessionErrorClass {
  const name = text(value, where);
  if (!Object.hasOwn(errorClasses, name)) {
    throw scriptError(`${where} must be one of ${Object.keys(errorClasses).join(', ')}`);
  }
  return name as SessionErrorClass;
}
