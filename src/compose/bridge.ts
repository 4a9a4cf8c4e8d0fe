// Apart from all else: it is loaded inside a sandbox before every program.
export { bridge } from '#adapters/sandboxes/bridge.ts';
