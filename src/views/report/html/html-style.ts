// The style sheet of the HTML report: light and dark, nothing to load.

export const htmlStyle = `
:root{color-scheme:light dark;--bg:#f6f5f1;--card:#fff;--ink:#1d1c1a;--soft:#6d6a63;--line:#e3e0d8;--code:#f1efe9;
--good:#12724a;--bad:#b3261e;--open:#8a6100;--plain:#8c8980;--work:#3b63b8;--ins:#e2f4e8;--del:#fce8e6;--good-bg:#e4f3ea;--bad-bg:#fbe9e7;--open-bg:#f9f0d9;--tone:var(--open);--tone-bg:var(--open-bg)}
@media screen and (prefers-color-scheme:dark){:root{--bg:#131416;--card:#1b1d20;--ink:#e9e7e2;--soft:#9b988f;--line:#2d3034;--code:#24272b;
--good:#5fd39b;--bad:#ff8a80;--open:#e6bf62;--plain:#7d7a72;--work:#83a9f7;--ins:#17301f;--del:#3a1d1b;--good-bg:#16322500;--bad-bg:#3a1a1800;--open-bg:#33291200}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:16px/1.55 ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:58rem;margin:0 auto;padding:2.5rem 1.25rem 4rem}
.good{--tone:var(--good);--tone-bg:var(--good-bg)}.bad{--tone:var(--bad);--tone-bg:var(--bad-bg)}.open{--tone:var(--open);--tone-bg:var(--open-bg)}.plain{--tone:var(--plain)}
header,section{background:var(--card);border:1px solid var(--line);border-radius:14px;padding:1.5rem 1.75rem;margin:0 0 1.1rem}
header{border-top:5px solid var(--tone);padding-top:1.6rem}
.badge{display:inline-block;margin:0 0 .6rem;padding:.15rem .75rem;border-radius:99px;background:var(--tone-bg);color:var(--tone);
border:1px solid currentColor;font-weight:650;font-size:.82rem;letter-spacing:.04em;text-transform:uppercase}
h1{font-size:1.65rem;line-height:1.25;margin:0 0 .4rem;letter-spacing:-.015em;overflow-wrap:anywhere}
h2{font-size:.8rem;letter-spacing:.09em;text-transform:uppercase;color:var(--soft);margin:0 0 .9rem;font-weight:650}
p{margin:.2rem 0}.reason{color:var(--soft);max-width:44rem;overflow-wrap:anywhere}.score{margin:1rem 0 .35rem;font-weight:600}
.bar{display:flex;gap:3px;margin:0 0 1.2rem}.bar i{flex:1;height:8px;border-radius:3px;background:var(--tone)}
dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(15rem,1fr));gap:.55rem 1.6rem;margin:.2rem 0 0}
dt{font-size:.75rem;color:var(--soft)}dd{margin:0;overflow-wrap:anywhere;font-variant-numeric:tabular-nums}
code,pre,.id,header dd{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;font-size:.86em}
code{background:var(--code);padding:.1em .4em;border-radius:5px;overflow-wrap:anywhere}
pre{background:var(--code);border-radius:9px;padding:.8rem 1rem;overflow:auto;max-height:26rem;margin:.5rem 0 0;line-height:1.5;white-space:pre}
.criteria{list-style:none;margin:0;padding:0}
.criteria>li{display:flex;gap:.95rem;padding:.95rem 0;border-top:1px solid var(--line)}.criteria>li:first-child{border-top:0;padding-top:0}
.criteria>li>div{flex:1;min-width:0}
.mark{flex:none;width:1.65rem;height:1.65rem;border-radius:50%;display:grid;place-items:center;background:var(--tone-bg);color:var(--tone);
border:1.5px solid currentColor;font-weight:700;font-size:.85rem}
.text{font-weight:600;overflow-wrap:anywhere}.id{color:var(--soft);font-weight:400;margin-left:.3rem}.by{margin:.3rem 0}
.flip{color:var(--soft);font-size:.92rem}.flip b{color:var(--tone);font-weight:600}.flip small{margin-left:.8rem}
.why{color:var(--tone);font-size:.92rem;overflow-wrap:anywhere}.quiet,footer,small{color:var(--soft)}
article+article{border-top:1px solid var(--line);margin-top:.8rem;padding-top:.8rem}article b.good,article b.bad{color:var(--tone)}
table{width:100%;border-collapse:collapse;font-size:.92rem}th{text-align:left;color:var(--soft);font-weight:500;font-size:.8rem}
th,td{padding:.45rem .8rem .45rem 0;border-top:1px solid var(--line);vertical-align:top;overflow-wrap:anywhere}thead th{border-top:0}tr b{color:var(--tone)}
.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}tfoot td{border-top:2px solid var(--line);font-weight:600}
section td b{color:inherit;font-weight:600}tr.good b,tr.bad b{color:var(--tone)}.scroll{overflow-x:auto;margin-top:1rem}.scroll b{white-space:nowrap}.scroll td,.scroll th{padding-right:1.1rem}.scroll td:last-child,.scroll th:last-child{padding-right:0}
summary{cursor:pointer;color:var(--soft);font-size:.9rem;margin-top:.4rem}summary b,summary code{color:var(--ink)}
.timeline{list-style:none;margin:0;padding:0;font-size:.92rem}
.timeline>li{display:grid;grid-template-columns:4.6rem minmax(0,1fr) minmax(8rem,32%) 4.6rem;gap:0 .9rem;align-items:center;padding:.28rem 0;border-top:1px solid var(--line)}
.timeline>.day{display:block;color:var(--soft);font-size:.8rem;padding:.7rem 0 .25rem;border-top:0}.timeline>.day:first-child{padding-top:0}.day+li{border-top:0!important}
.timeline time,.took{color:var(--soft);font-variant-numeric:tabular-nums;font-size:.86em}.took{text-align:right}
.what{overflow-wrap:anywhere;min-width:0}.what b{font-weight:600}.bad>.what b,.good>.what b{color:var(--tone)}
span.session,span.check,span.step,span.wait,span.moment{position:relative;display:block;height:.8rem;background:linear-gradient(var(--line),var(--line)) center/100% 1px no-repeat}
.timeline i{position:absolute;top:0;height:100%;min-width:3px;border-radius:3px;background:var(--tone)}
.session>i{background:var(--work)!important}.bad>.session>i{background:var(--bad)!important}
.wait>i{background:repeating-linear-gradient(135deg,var(--open) 0 2px,transparent 2px 6px)!important;border:1px solid var(--open)}
.moment>i{width:.5rem!important;height:.5rem;top:.15rem;border-radius:50%;transform:translateX(-50%)}
.files{margin:.6rem 0}.files details,.file{border:1px solid var(--line);border-radius:9px;margin:.5rem 0;overflow:hidden}
.files summary,.file{margin:0;padding:.45rem .8rem;overflow-wrap:anywhere}.files pre{margin:0;border-radius:0;padding:.4rem 0;max-height:34rem}
ins,del{text-decoration:none}ins{color:var(--good)}del{color:var(--bad)}summary ins,summary del,.file ins,.file del{font-size:.86em;margin-left:.25rem}
pre ins,pre del,pre span,pre b{display:block;min-width:max-content;padding:0 1rem}pre ins{background:var(--ins)}pre del{background:var(--del)}pre ins,pre del{color:inherit}
pre b{color:var(--work);font-weight:400;padding-top:.25rem;padding-bottom:.25rem}
section>details+details{border-top:1px solid var(--line);margin-top:.6rem;padding-top:.3rem}
.failure{margin:.5rem 0 .9rem}.tests{margin:.3rem 0;padding-left:1.2rem;font-size:.92rem}.tests li{color:var(--bad);overflow-wrap:anywhere}
footer{font-size:.85rem;padding:.4rem .3rem}
@media(max-width:36rem){main{padding:1rem .6rem}header,section{padding:1.1rem}.timeline>li{grid-template-columns:4.2rem minmax(0,1fr) 4rem}
span.session,span.check,span.step,span.wait,span.moment{grid-row:2;grid-column:1/-1;margin-top:.2rem}}
@media print{:root{color-scheme:light}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}body{background:#fff;font-size:13px}main{max-width:none;padding:0}
header,section{border-color:#ccc;padding:1rem 0;border-width:1px 0 0;border-radius:0}.criteria>li,tr,.timeline>li{break-inside:avoid}pre{max-height:none!important;white-space:pre-wrap;overflow-wrap:anywhere}
pre ins,pre del,pre span,pre b{min-width:0}details::details-content{content-visibility:visible;display:block}}
`.trim();
