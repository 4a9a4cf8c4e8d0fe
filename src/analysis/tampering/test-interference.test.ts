import { describe, expect, it } from 'vitest';
import { harmsTests } from './suspicious.ts';

describe('test interference on the Java virtual machine', () => {
  it.each([
    'class A {\n  static {\n    System.exit(0);\n  }\n}\n',
    'class A {\n  int add() {\n    throw new TestAbortedException();\n  }\n}\n',
  ])('Work that interferes with the tests is detected: %j [X8]', (text) =>
    expect(harmsTests('src/A.java', text)).not.toBeNull(),
  );

  it.each([
    ['src/Main.java', 'class Main {\n  public static void main(String[] a) {\n    System.exit(0);\n  }\n}\n'],
    ['src/test/java/ATest.java', 'class ATest {\n  void a() {\n    Assumptions.assumeTrue(false);\n  }\n}\n'],
    ['src/a.js', 'process.exit(0);\n'],
  ])('Other work is not reported as interference: %s %j [X8]', (path, text) =>
    expect(harmsTests(path, text)).toBeNull(),
  );
});
