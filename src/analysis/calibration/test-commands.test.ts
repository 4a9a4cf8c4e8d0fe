import { expect, it } from 'vitest';
import { runsTests } from './test-commands.ts';
import type { RunnerContext } from '#analysis/test-runners/test-runner.ts';

const makefile = `CARGO ?= cargo
.PHONY: all test lint
all: lint test

test: build
	$(CARGO) test --offline

lint:
	cargo clippy --tests -- -D warnings
	go vet ./tests/...

build:
	cargo build

unit:
	cargo test --lib

quick: ; go test ./...

nested:
	$(MAKE) -C . quick

package:
	npm run unit
`;

function context(command: string, scripts: readonly string[] = []): RunnerContext {
  const settings = [{ path: 'Makefile', text: makefile }];
  const recipes = /\bmake\b/.test(command) ? [makefile] : [];
  return { command, scripts: [...recipes, ...scripts], output: '', dependencies: [], settings };
}

it.each([
  'cargo test',
  'cargo +nightly test --offline',
  'cargo nextest run',
  'go test ./...',
  'mvn -q verify',
  './gradlew check',
  'vendor/bin/phpunit',
  'bundle exec rspec spec',
  'bundle exec rake test',
  'make',
  'make test',
  'make -j 2 V=1 test',
  'make quick',
  'make nested',
  'cargo clippy --tests && cargo test',
])('`%s` runs tests', (command) => {
  expect(runsTests(context(command))).toBe(true);
});

it.each([
  'cargo check --all-targets',
  'cargo clippy --tests',
  'cargo test --no-run',
  'go vet ./tests/...',
  'mvn -DskipTests verify',
  'mvn test-compile',
  'rubocop --require rubocop-rspec spec',
  'ruby -c test/sum.rb',
  'make lint',
  'make build',
  'make --directory . lint',
  'cargo clippy --all-targets && cargo test --lib',
])('`%s` is not known to run the test files that it reads', (command) => {
  expect(runsTests(context(command))).toBe(false);
});

it('Scripts of a package count only if the reached recipes start them', () => {
  expect(runsTests(context('make package', ['cargo test']))).toBe(true);
  expect(runsTests(context('make lint', ['cargo test']))).toBe(false);
  expect(runsTests(context('npm run lint', ['cargo clippy --tests']))).toBe(false);
  expect(runsTests(context('npm test', ['cargo test']))).toBe(true);
});
