/// The style sheet: phone, desktop and paper, light and dark.
let pageStyle = """
  :root {
    --paper: #fff; --raised: #f5f6f8; --ink: #1b1f24; --soft: #545d68; --line: #d0d6dd;
    --accepted: #1a7f4b; --rejected: #c0362c; --skipped: #7d4cb3; --deferred: #a35f00;
    --unknown: #4b6584; --notAttempted: #7a828c; --mark: #fff; --latency: #2864b4;
  }
  @media (prefers-color-scheme: dark) {
    :root {
      --paper: #14171b; --raised: #1f242a; --ink: #e7eaee; --soft: #a5afba; --line: #3a424c;
      --accepted: #4cb882; --rejected: #f0746a; --skipped: #b58be6; --deferred: #e0a343;
      --unknown: #8fabcc; --notAttempted: #98a1ac; --mark: #14171b; --latency: #6ea5ee;
    }
  }
  * { box-sizing: border-box; }
  body {
    margin: 0 auto; padding: 1rem; max-width: 76rem; background: var(--paper); color: var(--ink);
    font: 1rem/1.5 system-ui, sans-serif;
  }
  h1 { margin: 0; font-size: clamp(1.3rem, 5vw, 1.6rem); line-height: 1.25; }
  h2 { margin: 0 0 .5rem; font-size: 1.2rem; }
  h3 { margin: 0; font-size: 1rem; overflow-wrap: anywhere; }
  p { margin: .25rem 0 .75rem; }
  header p, footer p { color: var(--soft); }
  section { margin: 2rem 0; }
  code { font-family: ui-monospace, monospace; font-size: .9em; overflow-wrap: anywhere; }
  .short { white-space: nowrap; overflow-wrap: normal; }
  table { border-collapse: collapse; width: 100%; }
  th, td { padding: .3rem .6rem .3rem 0; text-align: left; vertical-align: top; }
  thead th { color: var(--soft); font-size: .875rem; border-bottom: 1px solid var(--line); }
  .n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
  .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .cards {
    display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .75rem;
    margin: 1.25rem 0;
  }
  .cards div {
    padding: .75rem 1rem; background: var(--raised); border: 1px solid var(--line);
    border-radius: .5rem;
  }
  .cards dt { color: var(--soft); font-size: .875rem; }
  .cards dd {
    margin: 0; font-size: 1.35rem; font-weight: 600; font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }
  .about { display: flex; flex-wrap: wrap; gap: .5rem 2rem; margin: .75rem 0 0; }
  .about dt { color: var(--soft); font-size: .875rem; }
  .about dd { margin: 0; overflow-wrap: anywhere; }
  time { white-space: nowrap; }
  .bars th[scope=row] { width: 1%; font-weight: 400; white-space: nowrap; }
  .bars td:nth-child(2) { min-width: 4rem; }
  .bars .n { width: 1%; padding-left: .6rem; padding-right: 0; }
  .bar { display: block; margin-top: .25rem; }
  .latency .bar { color: var(--latency); }
  .swatch { margin-right: .4rem; vertical-align: -2px; }
  .legend span { margin-right: 1rem; white-space: nowrap; }
  .times { display: block; width: 100%; height: 11rem; border-bottom: 1px solid var(--soft); }
  .ends {
    display: flex; justify-content: space-between; gap: 1rem; color: var(--soft);
    font-size: .875rem;
  }
  .ends span:last-child { text-align: right; }
  details { margin-top: .5rem; }
  summary { cursor: pointer; }
  .wide { overflow-x: auto; }
  .figures th[scope=row] { font-weight: 400; white-space: nowrap; }
  .reasons { display: grid; gap: .75rem; margin: 0; padding: 0; list-style: none; }
  .reasons li {
    padding: .75rem 1rem; background: var(--raised); border: 1px solid var(--line);
    border-radius: .5rem;
  }
  .reasons p { margin: .25rem 0 0; }
  .count { color: var(--soft); font-weight: 400; white-space: nowrap; }
  .controls { display: flex; flex-wrap: wrap; gap: .75rem 1rem; align-items: end; }
  .controls label { color: var(--soft); font-size: .875rem; }
  .controls label:first-child { flex: 1 1 16rem; }
  .controls p { flex: 1 1 100%; margin: 0 0 .5rem; color: var(--soft); }
  input, select {
    display: block; width: 100%; min-height: 2.5rem; padding: .4rem .6rem; color: var(--ink);
    font: inherit; background: var(--paper); border: 1px solid var(--soft); border-radius: .375rem;
  }
  :focus-visible { outline: 3px solid var(--latency); outline-offset: 2px; }
  .pushes { font-size: .875rem; }
  .pushes td { border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
  .pushes td:nth-child(-n+2), .pushes td:nth-child(5), .pushes td:nth-child(8) {
    white-space: nowrap;
  }
  .accepted { fill: var(--accepted); } .rejected { fill: var(--rejected); }
  .skipped { fill: var(--skipped); } .deferred { fill: var(--deferred); }
  .unknown { fill: var(--unknown); } .notAttempted { fill: var(--notAttempted); }
  .mark { stroke: var(--mark); stroke-width: 1.2; fill: none; } .dot { fill: var(--mark); }
  @media (max-width: 60rem) {
    .pushes, .pushes tbody { display: block; }
    .pushes thead {
      position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
    }
    .pushes tr:not([hidden]) {
      display: block; margin: .75rem 0; padding: .5rem .75rem; background: var(--raised);
      border: 1px solid var(--line); border-radius: .5rem;
    }
    .pushes td { display: flex; gap: .75rem; padding: .1rem 0; border: 0; white-space: normal; }
    .pushes .short { white-space: normal; overflow-wrap: anywhere; }
    .pushes td::before { content: attr(data-name); flex: 0 0 6.5rem; color: var(--soft); }
  }
  @media print {
    .controls { display: none; }
    body { max-width: none; }
  }
  """
