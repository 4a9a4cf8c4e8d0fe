import { describe, expect, it } from 'vitest';
import { harmsTests } from './suspicious.ts';

describe('work on the Java virtual machine that turns against the tests', () => {
  it.each([
    'class A {\n  static {\n    System.exit(0);\n  }\n}\n',
    'class A {\n  int add() {\n    throw new TestAbortedException();\n  }\n}\n',
  ])('is seen: %j [X8]', (text) => expect(harmsTests('src/A.java', text)).not.toBeNull());

  it.each([
    ['src/Main.java', 'class Main {\n  public static void main(String[] a) {\n    System.exit(0);\n  }\n}\n'],
    ['src/test/java/ATest.java', 'class ATest {\n  void a() {\n    Assumptions.assumeTrue(false);\n  }\n}\n'],
    ['src/a.js', 'process.exit(0);\n'],
  ])('is told from other work: %s %j [X8]', (path, text) => expect(harmsTests(path, text)).toBeNull());
});
