// `npm run format`: writes the house format, and the lint fixes that are safe.
import { runNode, tool } from "./tools.mjs";

const linted = runNode([tool("oxlint", "bin/oxlint"), "--fix", "--quiet"]);
const formatted = runNode([tool("oxfmt", "bin/oxfmt")]);
process.exit(linted && formatted ? 0 : 1);
