// One small file for each language, with what a map shows of it; a body holds the word BODY.

import { nativeSamples } from './outline-samples-native.ts';
import { oddSamples } from './outline-samples-odd.ts';

export interface OutlineSample {
  readonly path: string;
  readonly text: string;
  /** What others may use. */
  readonly shown: readonly string[];
  readonly imports: readonly string[];
  /** Found, but not for others. */
  readonly hidden: readonly string[];
}

export const outlineSamples: readonly OutlineSample[] = [
  {
    path: 'shop.ts',
    text: `import { a } from './cart.ts';
import type { b } from '#kernel/item.ts';
import { c } from 'react';
// A shop. { not a block
export interface Item extends Base { readonly name: string; price(): number }
export type Result<T> = { ok: true; value: T } | { ok: false };
export enum Color { Red = 'red', Green }
export abstract class Shop<T extends { id: string }> implements Other {
  readonly name: string = 'BODY';
  constructor(private readonly store: Store) { BODY(); }
  abstract load(id: string): Promise<T>;
  private hidden() {}
  static make<T>(a: T): T { return BODY; }
}
export const arrow = async ({ a }: { a: number }, ...rest: string[]): Promise<{ c: number }> => { BODY; };
export const table: Record<string, number> = { BODY: 1 };
export function over(a: string): value is { x: 1 };
function own() { BODY; }
export { x as y } from './arrow.ts';
export default function main() { BODY; }
`,
    shown: [
      'export interface Item extends Base { name price }',
      'export type Result<T> = { ok: true; value: T } | { ok: false }',
      'export enum Color { Red Green }',
      'export abstract class Shop<T extends { id: string }> implements Other',
      '  readonly name: string',
      '  constructor(private readonly store: Store)',
      '  abstract load(id: string): Promise<T>',
      '  static make<T>(a: T): T',
      'export const arrow = async ({ a }: { a: number }, ...rest: string[]): Promise<{ c: number }>',
      'export const table: Record<string, number>',
      'export function over(a: string): value is { x: 1 }',
      "export { x as y } from './arrow.ts'",
      'export default function main()',
    ],
    imports: ['./cart', 'kernel/item', './arrow'],
    hidden: ['private hidden()', 'function own()'],
  },
  {
    path: 'card.tsx',
    text: `import type { Item } from '@/models/item';
export function Card({ title }: { title: string }): JSX.Element { return <b>don't BODY {title}</b>; }
export const Small = ({ a }: Props) => <i>{BODY}</i>;
`,
    shown: [
      'export function Card({ title }: { title: string }): JSX.Element',
      'export const Small = ({ a }: Props)',
    ],
    imports: ['models/item'],
    hidden: [],
  },
  {
    path: 'shop.js',
    text: `const cart = require('./cart');
class Shop { #secret = 1; buy(item, { count = 1 } = {}) { return /[{]/.test(BODY); } }
function helper(a) { return a / 2 / BODY; }
module.exports = { Shop, helper };
exports.extra = function (x, y) { BODY; };
exports.table = { BODY: 1 };
`,
    shown: [
      'class Shop',
      '  buy(item, { count = 1 } = {})',
      'function helper(a)',
      'module.exports = { Shop, helper }',
      'exports.extra = function (x, y)',
      'exports.table',
    ],
    imports: ['./cart'],
    hidden: ['#secret', 'const cart'],
  },
  {
    path: 'shop.py',
    text: `"""Baskets."""
import os
from .models import Item, helper
from ..core import base
TABLE = {"BODY": 1}
if True:
    def conditional(a: int) -> int:
        s = """
def BODY():
"""
        return a
@dataclass(frozen=True)
class Basket(Base, metaclass=Meta):
    """A basket."""
    size: int = 0
    def __init__(self, size, *, limit: dict[str, int] = {"a": 1}): self.size = size
    async def load(
        self,
        ids: list[int],  # which
    ) -> None:
        BODY
    def _hidden(self): pass
    class Inner:
        def deep(self): ...
def _private(): pass
`,
    shown: [
      'def conditional(a: int) -> int',
      'class Basket(Base, metaclass=Meta)',
      '  def __init__(self, size, *, limit: dict[str, int] = {"a": 1})',
      '  async def load(self, ids: list[int]) -> None',
      '  class Inner',
      '    def deep(self)',
    ],
    imports: ['os', './models', './models/helper', '../core', '../core/base'],
    hidden: ['def _hidden(self)', 'def _private()'],
  },
  {
    path: 'shop.go',
    text: `package shop
import (
  "fmt"
  "example.com/shop/cart"
)
// Basket holds items.
type Basket struct { Items []Item; total int }
type Buyer interface { Buy(n int) error }
type ID string
const (
  Max = 3
  min = 1
)
var table = map[string]int{"BODY": 1}
func New(size int, f func(int) error) (*Basket, error) { BODY() }
func (b *Basket) Total(x interface{}) int { return '{' }
func own() {}
`,
    shown: [
      'type Basket struct { Items }',
      'type Buyer interface { Buy }',
      'type ID string',
      'const { Max }',
      'func New(size int, f func(int) error) (*Basket, error)',
      'func (b *Basket) Total(x interface{}) int',
    ],
    imports: ['fmt/', 'example.com/shop/cart/'],
    hidden: ['func own()'],
  },
  {
    path: 'shop.rs',
    text: `use crate::cart::{Item, other::{Deep}};
mod helper;
pub use self::cart::Basket;
/// A shop.
#[derive(Debug)]
pub struct Shop<'a> { pub name: &'a str, items: Vec<Item> }
pub enum Color { Red, Green(u8) }
pub trait Buy { fn buy(&self, n: usize) -> Result<(), Error>; }
impl<'a> Shop<'a> {
    pub fn new(name: &'a str) -> Self where Self: Sized { BODY('}') }
    fn own(&self) {}
}
impl Buy for Shop<'_> { fn buy(&self, n: usize) -> Result<(), Error> { BODY } }
impl Own { fn own(&self) {} }
pub const MAX: usize = 3;
fn private() { let r = r#"}"#; }
#[cfg(test)]
mod tests { pub fn BODY() {} }
`,
    shown: [
      'pub use self::cart::Basket',
      "pub struct Shop<'a> { name items }",
      'pub enum Color { Red Green }',
      'pub trait Buy',
      '  fn buy(&self, n: usize) -> Result<(), Error>',
      "impl<'a> Shop<'a>",
      "  pub fn new(name: &'a str) -> Self",
      'impl Own',
      'pub const MAX: usize',
    ],
    imports: ['cart', './helper'],
    hidden: ['fn private()'],
  },
  {
    path: 'Shop.java',
    text: `package a.shop;
import a.cart.Item;
import static a.cart.Helper.help;
/** A shop { of things. */
@Named("x") public class Shop<T> extends Base implements Buyer {
  private final int BODY = 1;
  public Shop(int size) { BODY(); }
  @Override public <U> List<U> map(Function<? super T, U> f) throws IOException { return BODY; }
  private void hidden() {}
  public enum Kind { SMALL, LARGE; public int size() { return 1; } }
}
interface Buyer { void buy(Item item); }
`,
    shown: [
      'public class Shop<T> extends Base implements Buyer',
      '  public Shop(int size)',
      '  public <U> List<U> map(Function<? super T, U> f) throws IOException',
      '  public enum Kind { SMALL LARGE }',
      '    public int size()',
    ],
    imports: ['a/cart/Item', 'a/cart/Helper/help'],
    hidden: ['private void hidden()', 'interface Buyer'],
  },
  ...nativeSamples,
  ...oddSamples,
];
