// Languages whose own tool does everything: Go, Rust, Java, C#. What only the language says, and no file of the
// repository, is a guess: its people may mean something else by the word.
import { type Gate, noWays, type Root, sure, type Ways } from './ways.ts';

export function goWays(root: Root): Ways {
  if (!root.files.has('go.mod')) return noWays;
  const linter = [...root.files].find((path) => /^\.golangci\.(?:ya?ml|toml|json)$/.test(path));
  const main = [...root.files].flatMap((path) => /^cmd\/([^/]+)\/main\.go$/.exec(path)?.[1] ?? []);
  return {
    gates: [
      gate('tests', 'go test ./...', sure.customary, 'go.mod is there'),
      linter === undefined
        ? gate('lint', 'go vet ./...', sure.guessed, 'go.mod is there and no linter is configured')
        : gate('lint', 'golangci-lint run', sure.configured, `${linter} is there`),
      gate('types', 'go build ./...', sure.guessed, 'in Go the compiler checks the types'),
      gate('build', 'go build ./...', sure.customary, 'go.mod is there'),
    ],
    serve: main.length === 1 ? `go run ./cmd/${main[0]}` : root.files.has('main.go') ? 'go run .' : null,
    programs: main,
    hasPages: false,
  };
}

export function rustWays(root: Root): Ways {
  const manifest = root.text('Cargo.toml');
  if (!root.files.has('Cargo.toml')) return noWays;
  const all = /^\[workspace\]/m.test(manifest) ? ' --workspace' : '';
  const name = /^\[package\][^[]*?^name\s*=\s*"([^"]+)"/ms.exec(manifest)?.[1];
  return {
    gates: [
      gate('tests', `cargo test${all}`, sure.customary, 'Cargo.toml is there'),
      gate(
        'lint',
        `cargo clippy${all} --all-targets -- -D warnings`,
        sure.guessed,
        "clippy is Rust's linter",
      ),
      gate('types', `cargo check${all}`, sure.guessed, 'in Rust the compiler checks the types'),
      gate('build', `cargo build${all}`, sure.customary, 'Cargo.toml is there'),
    ],
    serve: null,
    programs: name !== undefined && root.files.has('src/main.rs') ? [name] : [],
    hasPages: false,
  };
}

export function javaWays(root: Root): Ways {
  const { files } = root;
  if (files.has('pom.xml')) return mavenWays(root, files.has('mvnw') ? './mvnw -B -q' : 'mvn -B -q');
  const script = ['build.gradle.kts', 'build.gradle'].find((file) => files.has(file));
  return script === undefined
    ? noWays
    : gradleWays(root, script, files.has('gradlew') ? './gradlew -q' : 'gradle -q');
}

function mavenWays(root: Root, maven: string): Ways {
  const pom = root.text('pom.xml');
  const linter = pom.includes('maven-checkstyle-plugin')
    ? 'checkstyle'
    : pom.includes('spotless-maven-plugin')
      ? 'spotless'
      : null;
  return {
    gates: [
      gate('tests', `${maven} test`, sure.customary, 'pom.xml is there'),
      ...(linter === null
        ? []
        : [gate('lint', `${maven} ${linter}:check`, sure.configured, `pom.xml has ${linter}`)]),
      gate('types', `${maven} test-compile`, sure.guessed, 'in Java the compiler checks the types'),
      gate('build', `${maven} -DskipTests package`, sure.customary, 'pom.xml is there'),
    ],
    serve: /spring-boot/.test(pom) || isSpring(root) ? `${maven} spring-boot:run` : null,
    programs: [],
    hasPages: false,
  };
}

function gradleWays(root: Root, script: string, gradle: string): Ways {
  const text = root.text(script);
  const linter = /checkstyle/.test(text) ? 'checkstyleMain' : /spotless/.test(text) ? 'spotlessCheck' : null;
  return {
    gates: [
      gate('tests', `${gradle} test`, sure.customary, `${script} is there`),
      ...(linter === null
        ? []
        : [gate('lint', `${gradle} ${linter}`, sure.configured, `${script} names it`)]),
      gate('types', `${gradle} testClasses`, sure.guessed, 'the compiler checks the types'),
      gate('build', `${gradle} assemble`, sure.customary, `${script} is there`),
    ],
    serve: /org\.springframework\.boot/.test(text) ? `${gradle} bootRun` : null,
    programs: [],
    hasPages: false,
  };
}

function isSpring({ files }: Root): boolean {
  return [...files].some((path) => /^src\/main\/resources\/application\.(?:properties|ya?ml)$/.test(path));
}

export function dotnetWays({ files }: Root): Ways {
  const project = [...files].find((path) => /^[^/]+\.(?:sln|slnx|csproj)$/.test(path));
  if (project === undefined) return noWays;
  return {
    ...noWays,
    gates: [
      gate('tests', 'dotnet test', sure.customary, `${project} is there`),
      gate('types', 'dotnet build', sure.guessed, 'the compiler checks the types'),
      gate('build', 'dotnet build', sure.customary, `${project} is there`),
    ],
  };
}

function gate(kind: Gate['gate'], run: string, confidence: number, why: string): Gate {
  return { gate: kind, run, confidence, why };
}
