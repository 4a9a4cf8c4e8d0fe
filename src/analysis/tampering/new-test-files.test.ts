import { describe, expect, it } from 'vitest';
import { mockedBy } from '#analysis/ecosystems/javascript/mocks.ts';
import { preparesTests, replacesWork } from '#analysis/ecosystems/python/new-test-files.ts';
import { isReadByBuilds, isReadByRunners } from './new-test-files.ts';

const isOwn = (module: string): boolean => ['calc', 'calc.add'].includes(module);

describe('new files that runners read by themselves', () => {
  it.each([
    'conftest.py',
    'tests/conftest.py',
    'pytest.toml',
    'a.pth',
    '.rspec',
    'phpunit.xml',
    'src/test/resources/junit-platform.properties',
    'src/main/resources/META-INF/services/org.junit.platform.launcher.PostDiscoveryFilter',
    '.mocharc.json',
  ])('A new file that runners read by themselves is detected: %s [X8]', (path) =>
    expect(isReadByRunners(path)).toBe(true),
  );

  it('A new file that no runner reads is not reported', () => {
    for (const path of ['src/config.py', 'notes/rspec.md', 'pytest.md'])
      expect(isReadByRunners(path)).toBe(false);
    expect(isReadByBuilds('.mvn/maven.config')).toBe(true);
    expect(isReadByBuilds('.mvn/wrapper/maven-wrapper.properties')).toBe(false);
  });
});

describe('new package files in a test folder', () => {
  it.each([
    'import sys\nsys.modules["calc"] = None\n',
    'def load_tests(loader, tests, pattern):\n    return tests\n',
    'from unittest import mock\nmock.patch("calc.add.add").start()\n',
    'import calc.add\ncalc.add.add = lambda a, b: a + b\n',
  ])('A new __init__.py that prepares the tests is detected: %j [X8]', (text) =>
    expect(preparesTests('tests/__init__.py', text)).toBe(true),
  );

  it.each([
    '',
    '"""Tests with mock servers; patch(es) welcome."""\n',
    'import os\nimport sys\nsys.path.insert(0, os.path.dirname(__file__))\n',
    '__all__ = ["helpers"]\nfrom .helpers import *\n',
  ])('A new __init__.py that prepares no test is allowed: %j [X8]', (text) =>
    expect(preparesTests('tests/__init__.py', text)).toBe(false),
  );
});

describe('new tests that replace the work', () => {
  it.each([
    'import calc.add\n\ncalc.add.add = lambda a, b: a + b\n',
    'import calc.add as work\nwork.add = fake\n',
    'from calc import add\nadd.add = Mock(return_value=3)\n',
    'import sys\nsys.modules["calc.add"] = fake\n',
  ])('A new test that replaces the work for all other tests is detected: %j [X8]', (text) =>
    expect(replacesWork('tests/test_a.py', text, isOwn)).toBe(true),
  );

  it.each([
    'import calc.add\n\ndef test_a(monkeypatch):\n    calc.add.add = lambda a, b: 1\n',
    'import calc\ncalc.debug = True\n',
    'import requests\nrequests.get = fake\n',
    'import sys\nsys.modules["RPi"] = MagicMock()\n',
    'from app import app\napp.db = FakeDb()\n',
  ])('An honest new test is not reported as replacing the work: %j [X8]', (text) =>
    expect(replacesWork('tests/test_a.py', text, isOwn)).toBe(false),
  );
});

describe('new mocks', () => {
  it('A new mock replaces the package of its name in the manifest beside it [X8]', () => {
    expect(mockedBy('__mocks__/axios.js')).toEqual({ manifest: 'package.json', name: 'axios' });
    expect(mockedBy('web/__mocks__/@org/api.ts')).toEqual({ manifest: 'web/package.json', name: '@org/api' });
    expect(mockedBy('src/mocks/axios.js')).toBeNull();
  });
});
