// The rest of the samples: C#, C and C++, and the scripting languages.
import type { OutlineSample } from './outline-samples.ts';

export const nativeSamples: readonly OutlineSample[] = [
  {
    path: 'Shop.cs',
    text: `using System;
using Shop.Models;
namespace Shop {
  [Serializable]
  public class Price : IPrice {
    public int Cents { get; set; }
    public string Name { get { return "BODY{"; } private set { name = value; } }
    public Price(int cents) { BODY(); }
    public override string ToString() => $"{BODY}";
    internal void Inner() { }
  }
  public interface IPrice { int Cents { get; } void Pay(int amount); }
  public enum Kind { Small, Large }
  public record Item(string Name, int Count);
}
`,
    shown: [
      'public class Price : IPrice',
      '  public int Cents',
      '  public string Name',
      '  public Price(int cents)',
      '  public override string ToString()',
      'public interface IPrice',
      '  int Cents',
      '  void Pay(int amount)',
      'public enum Kind { Small Large }',
      'public record Item(string Name, int Count)',
    ],
    imports: ['System', 'Shop/Models'],
    hidden: ['internal void Inner()'],
  },
  {
    path: 'shop.cpp',
    text: `#include <vector>
#include "shop/cart.h"
#define SQUARE(x) ((x) * (BODY))
extern int counter;
namespace shop {
class Basket : public Base {
  int size_;
public:
  Basket(int size) : size_{size}, other_{2} { BODY(); }
  virtual ~Basket() = default;
  int total() const { if (x) { return '{'; } return 1; }
private:
  void hidden() {}
};
struct Point { int x; int y; };
enum class Color { Red, Green };
template <typename T>
T largest(T a, T b) { return BODY; }
static int secret(void) { return 1; }
}
extern "C" {
int c_api(const char *name);
}
struct node *find_node(struct node *n) { while (n) { BODY; } return n; }
`,
    shown: [
      '#define SQUARE(x)',
      'extern int counter',
      'class Basket : public Base',
      '  Basket(int size)',
      '  virtual ~Basket() = default',
      '  int total() const',
      'struct Point { x y }',
      'enum class Color { Red Green }',
      'template <typename T> T largest(T a, T b)',
      'int c_api(const char *name)',
      'struct node *find_node(struct node *n)',
    ],
    imports: ['vector', 'shop/cart'],
    hidden: ['void hidden()', 'static int secret(void)'],
  },
  {
    path: 'shop.c',
    text: `#include "shop.h"
struct basket { int size; char *name; };
int basket_total(const struct basket *b, int n) { return BODY; }
static void own(void) { BODY; }
`,
    shown: ['struct basket { size *name }', 'int basket_total(const struct basket *b, int n)'],
    imports: ['shop'],
    hidden: ['static void own(void)'],
  },
  {
    path: 'shop.rb',
    text: `require 'json'
require_relative 'lib/cart'
# Shop things
module Shop
  class Basket < Base
    def initialize(items, limit: 3)
      BODY
    end
    def self.make(*args) = new(args)
    private
    def hidden
    end
  end
end
`,
    shown: [
      'module Shop',
      '  class Basket < Base',
      '    def initialize(items, limit: 3)',
      '    def self.make(*args)',
    ],
    imports: ['json', './lib/cart'],
    hidden: ['def hidden'],
  },
  {
    path: 'shop.php',
    text: `<?php
namespace App\\Shop;
use App\\Models\\User;
#[Attribute]
abstract class Basket extends Base implements Countable {
  private array $items = ['BODY'];
  public function __construct(private int $size) { $this->x = "BODY}"; }
  abstract public function total(): int;
  private function hidden() {}
}
enum Suit: string { case Hearts = 'H'; public function color(): string { return 'BODY'; } }
function helper(string $a, $b = null) { return $a; }
`,
    shown: [
      'abstract class Basket extends Base implements Countable',
      '  public function __construct(private int $size)',
      '  abstract public function total(): int',
      'enum Suit: string { Hearts }',
      '  public function color(): string',
      'function helper(string $a, $b = null)',
    ],
    imports: ['App/Models/User'],
    hidden: ['private function hidden()'],
  },
  {
    path: 'shop.sh',
    text: '#!/bin/sh\n# does it\ngreet() { echo "BODY}"; }\n',
    shown: ['greet()'],
    imports: [],
    hidden: [],
  },
];
