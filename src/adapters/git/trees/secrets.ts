// Recognizes files with secrets by their names. Untracked ones never enter a tree.

/** Git ignore patterns; each one matches at any depth. */
export const secretPatterns: readonly string[] = (
  '.env .env.* !.env.example !.env.sample !.env.template !.env.defaults .envrc ' +
  '*.pem *.key *.p12 *.pfx *.keystore *.jks id_rsa* id_dsa* id_ecdsa* id_ed25519* ' +
  '.netrc .pgpass .pypirc .git-credentials .aws/credentials credentials.json service-account*.json .htpasswd'
).split(' ');

/** Git pathspecs for our own state and at least all paths of `isSecret` and `mayHoldToken`. */
export const suspectPathspecs: readonly string[] = [
  ...secretPatterns
    .filter((pattern) => !pattern.startsWith('!'))
    .map((pattern) => `:(top,glob)**/${pattern}`),
  ':(top,glob)**/.npmrc',
  ':(top,glob)**/.yarnrc.yml',
  ':(top).untildone',
];

const allowedNames = /^\.env\.(example|sample|template|defaults)$/;
const secretNames =
  /^(\.env|\.env\..+|\.envrc|.*\.(pem|key|p12|pfx|keystore|jks)|id_(rsa|dsa|ecdsa|ed25519).*|\.netrc|\.pgpass|\.pypirc|\.git-credentials|credentials\.json|service-account.*\.json|\.htpasswd)$/;

export function isSecret(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (allowedNames.test(name)) return false;
  return secretNames.test(name) || /(^|\/)\.aws\/credentials$/.test(path);
}

/** Files that are usually harmless but may contain a token: their text decides. */
export function mayHoldToken(path: string): boolean {
  return /(^|\/)\.(npmrc|yarnrc\.yml)$/.test(path);
}

export function holdsToken(text: string): boolean {
  return /(_authToken|_auth|_password|npmAuthToken|npmAuthIdent)\s*[=:]/.test(text);
}

export function isOwnState(path: string): boolean {
  return path === '.untildone' || path.startsWith('.untildone/');
}
