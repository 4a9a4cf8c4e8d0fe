import { describeClient } from './more-scenarios.ts';

describeClient('opencode');
