import { testShare } from './lives.ts';

testShare(0);
