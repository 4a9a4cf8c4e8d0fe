// Settings of test runners, and what runs before every test without being named, by their paths. Pure.

export const runnerSettings: readonly RegExp[] = [
  /(^|\/)(vitest|jest|playwright|cypress|karma|wdio|ava|nightwatch)\.(config|conf|workspace|setup)\.[^/]+$/,
  /(^|\/)\.(mocharc|taprc)(\.[^/]+)?$/,
  /(^|\/)(\.?pytest\.(ini|toml)|tox\.(ini|toml)|noxfile\.py|\.rspec(-local)?|phpunit\.xml(\.dist)?|nextest\.toml)$/,
  /(^|\/)(site|user)customize\.py$/,
  // Made by a build they are no files of the repository; kept in it, they decide what `ctest` leaves out.
  /(^|\/)(CTestConfig\.cmake|CTestTestfile\.cmake|CTestCustom\.(cmake|ctest))$/,
];
