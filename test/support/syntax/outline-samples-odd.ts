// Difficult samples: it is hard to tell where a body begins, or to whom a comment belongs.
import type { OutlineSample } from './outline-samples.ts';

export const oddSamples: readonly OutlineSample[] = [
  {
    path: 'odd.cpp',
    text: `#define LIMIT 3 /* a comment that begins (here
  and ends) */
enum Size { Small, Large };
struct alignas(16) Aligned { int area() const { BODY; } };
class __attribute__((visibility("default"))) Seen {
public:
#ifdef WIDE
  void wide(int by);
#endif
  template <class T> T as(T t) { BODY; }
private:
  template <class T> void hidden(T t);
};
`,
    shown: [
      'enum Size { Small Large }',
      'struct alignas(16) Aligned',
      '  int area() const',
      'class __attribute__((visibility("default"))) Seen',
      '  void wide(int by)',
      '  template <class T> T as(T t)',
    ],
    imports: [],
    hidden: ['template <class T> void hidden(T t)'],
  },
  {
    path: 'odd.rs',
    text: `pub const OPEN: &[u8] = br#"{"a": "{"}"#;
pub fn between(a: u8) -> u8 { BODY }
pub const SHUT: &[u8] = br#"{"b": "}"}"#;
`,
    shown: ['pub const OPEN: &[u8]', 'pub fn between(a: u8) -> u8', 'pub const SHUT: &[u8]'],
    imports: [],
    hidden: [],
  },
  {
    path: 'odd.py',
    text: `class Page:
    def first(self) -> "Page":
        BODY
\f
    def second(self, x) -> None :
        BODY
\fdef last(): pass
`,
    shown: ['class Page', '  def first(self) -> "Page"', '  def second(self, x) -> None', 'def last()'],
    imports: [],
    hidden: [],
  },
  {
    path: 'odd.ts',
    text: `export function take({ size }: { size: number } = { size: 1 }): void { BODY }
export default async function (request: Request) { BODY }
`,
    shown: [
      'export function take({ size }: { size: number } = { size: 1 }): void',
      'export default async function (request: Request)',
    ],
    imports: [],
    hidden: [],
  },
  {
    path: 'odd.js',
    text: 'export default (request) => { BODY };\n',
    shown: ['export default (request)'],
    imports: [],
    hidden: [],
  },
];
