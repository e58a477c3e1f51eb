//! The look of the page, on a screen of any width, light or dark.

pub const SHEET: &str = "
:root { color-scheme: light dark; --line: light-dark(#d5d9de, #3a4046); --quiet: light-dark(#5a6570, #9aa5b0); --mark: light-dark(#fff4d6, #4a3d17); }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 0 auto; padding: 1.5rem; }
h1 { font-size: 1.6rem; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 2.5rem 0 .5rem; padding-top: .5rem; border-top: 1px solid var(--line); }
header p, footer, figcaption { color: var(--quiet); }
nav { display: flex; flex-wrap: wrap; gap: 1rem; position: sticky; top: 0; padding: .5rem 0; background: Canvas; }
html { scroll-padding-top: 4rem; }
td { overflow-wrap: anywhere; }
table { border-collapse: collapse; }
th, td { text-align: left; vertical-align: top; padding: .2rem .9rem .2rem 0; border-bottom: 1px solid var(--line); }
thead th, .facts th { font-weight: 600; }
td.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
.target { background: var(--mark); }
.wide { overflow-x: auto; }
figure { margin: 1rem 0; }
figure svg { max-width: 100%; height: auto; background: white; }
summary { cursor: pointer; padding: .4rem 0; color: var(--quiet); }
";
