/** The report's look: system fonts, light or dark as the reader's system is, one column on narrow screens. */
export const style = `
:root { color-scheme: light dark; --ink: #1c2024; --soft: #60646c; --line: #e0e1e6; --page: #fff; --card: #f7f8fa; --good: #1d63d1; --warn: #b25000; --bad: #c62a2f; }
@media (prefers-color-scheme: dark) { :root { --ink: #edeef0; --soft: #a5a9b1; --line: #363a3f; --page: #111316; --card: #1a1d21; --good: #70a8ff; --warn: #ffa057; --bad: #ff8a8e; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 1rem; background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; margin: .5rem 0 0; } h2 { font-size: 1.15rem; margin: 2.5rem 0 .25rem; } h3 { font-size: 1rem; margin: 1.25rem 0 .25rem; }
p { margin: .25rem 0 .75rem; color: var(--soft); max-width: 48rem; } small { color: var(--soft); font-size: .8rem; }
.tiles { display: grid; gap: .75rem; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); margin: 1rem 0; }
.tile { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .6rem .8rem; } .tile b { display: block; font-size: 1.45rem; font-variant-numeric: tabular-nums; }
.panels { display: grid; gap: .75rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 18rem), 1fr)); }
.panels svg { width: 100%; height: auto; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; }
svg { display: block; width: 100%; } svg text { fill: var(--ink); font-family: system-ui, sans-serif; }
svg .s { font-size: 10px; fill: var(--soft); } svg .t { font-size: 13px; font-weight: 600; } svg .l { font-size: 11px; font-weight: 600; fill: var(--warn); }
.g { stroke: var(--line); stroke-width: 1; } .c { fill: none; stroke: var(--good); stroke-width: 1.8; } .d { fill: var(--good); } line.o { stroke: var(--warn); stroke-width: 1.4; } circle.o { fill: var(--warn); }
.row { display: grid; grid-template-columns: 15rem 1fr 8.5rem; align-items: center; column-gap: .75rem; } .row .k { text-align: right; font-size: .85rem; } .row .v { font-variant-numeric: tabular-nums; font-size: .85rem; }
.recall .p { fill: var(--good); } .recall .i { stroke: var(--good); } .false-positives .p { fill: var(--warn); } .false-positives .i { stroke: var(--warn); } .i { stroke-width: 3; stroke-opacity: .35; stroke-linecap: round; }
.cost { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; } .m { font-size: 13px; cursor: default; fill-opacity: .8; } svg .m.good, .good { fill: var(--good); color: var(--good); } svg .m.some, .some { fill: var(--warn); color: var(--warn); } svg .m.bad, .bad { fill: var(--bad); color: var(--bad); } .legend b { margin-left: .75rem; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-size: .8rem; width: 100%; } th, td { text-align: left; padding: .25rem .4rem; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: normal; } th { color: var(--soft); font-weight: 600; white-space: nowrap; } .n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
details { border-bottom: 1px solid var(--line); padding: .3rem 0; } summary { cursor: pointer; } ul { margin: .25rem 0 .5rem; padding-left: 1.25rem; } code { font-size: .8rem; } .text { white-space: pre-wrap; }
@media (max-width: 40rem) { .row { grid-template-columns: 1fr auto; row-gap: 0; padding: .15rem 0; } .row .k { text-align: left; } .row svg { grid-column: 1 / -1; grid-row: 2; } .head .k { display: none; } .roomy { display: none; } }
`;
