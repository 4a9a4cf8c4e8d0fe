// Recognizes files with secrets by their names. Untracked ones never enter a tree.

/** Git ignore patterns; each one matches at any depth. */
export const secretPatterns: readonly string[] = (
  '.env .env.* !.env.example !.env.sample !.env.template !.env.defaults .envrc ' +
  '*.pem *.key *.p12 *.pfx *.keystore *.jks id_rsa* id_dsa* id_ecdsa* id_ed25519* ' +
  '.netrc .pgpass .pypirc .git-credentials .aws/credentials credentials.json service-account*.json .htpasswd'
).split(' ');

const allowedNames = /^\.env\.(example|sample|template|defaults)$/;
const secretNames =
  /^(\.env|\.env\..+|\.envrc|.*\.(pem|key|p12|pfx|keystore|jks)|id_(rsa|dsa|ecdsa|ed25519).*|\.netrc|\.pgpass|\.pypirc|\.git-credentials|credentials\.json|service-account.*\.json|\.htpasswd)$/;

/** By its name: our own state, a secret, or a file that may hold a token. */
export function isSuspect(path: string): boolean {
  return isOwnState(path) || isSecret(path) || mayHoldToken(path);
}

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

function isOwnState(path: string): boolean {
  return path === '.untildone' || path.startsWith('.untildone/');
}
