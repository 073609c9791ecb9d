internal import APNS
internal import JSONText
internal import PushModel

/// Pushes of the history as one page that needs nothing else: no network, no other file. The figures
/// stand in it as JSON, which its script draws.
struct HistoryPage {
  let figures: PageFigures
  let showsTokens: Bool
  /// In seconds since 1970.
  let madeAt: Int64
  /// Names the style and the script of the page; nothing else in it may run.
  let nonce: String

  /// The document. Even if something of the data became part of the page, it could neither run nor
  /// load anything.
  var text: String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
    style-src 'nonce-\(nonce)'; script-src 'nonce-\(nonce)'; base-uri 'none'; form-action 'none'">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="referrer" content="no-referrer">
    <title>Pushes and their answers</title>
    <style nonce="\(nonce)">\(pageStyle)</style>
    </head>
    <body>
    \(Self.body)
    <script type="application/json" id="data">\(embedded)</script>
    <script nonce="\(nonce)">\(pageScript)</script>
    </body>
    </html>

    """
  }

  /// What the script fills. Sections without figures stay hidden.
  private static let body = """
    <header><h1>Pushes and their answers</h1><p id="period"></p></header>
    <noscript><p>This page needs JavaScript to show its figures. Without it, use
    'fanfare history stats', or 'fanfare history export --format csv'.</p></noscript>
    <main>
    <dl class="cards" id="cards"></dl>
    <section id="outcomes" aria-labelledby="outcomes-title" hidden>
    <h2 id="outcomes-title">Outcomes</h2></section>
    <section id="times" aria-labelledby="times-title" hidden>
    <h2 id="times-title">Outcomes over time</h2></section>
    <section id="latency" aria-labelledby="latency-title" hidden>
    <h2 id="latency-title">Latency</h2></section>
    <section id="reasons" aria-labelledby="reasons-title" hidden>
    <h2 id="reasons-title">Reasons</h2></section>
    <section id="pushes" aria-labelledby="pushes-title" hidden>
    <h2 id="pushes-title">Pushes</h2>
    <p id="extent"></p>
    <form class="controls" id="controls">
    <label>Search <input id="find" type="search" autocomplete="off" \
    placeholder="token, apns-id, reason, list …"></label>
    <label>Outcome <select id="outcome"><option value="">any</option></select></label>
    <label>Order <select id="order"><option value="">not accepted first</option>\
    <option value="newest">newest first</option><option value="oldest">oldest first</option>\
    </select></label>
    <p id="shown" role="status"></p>
    </form></section>
    </main>
    <footer><p id="made"></p></footer>
    """

  /// The figures. `<` is spelled as an escape, so that no text can end the script element.
  private var embedded: String {
    PageJSON(figures: figures, showsTokens: showsTokens, madeAt: madeAt).value.encodedString()
      .split(separator: "<", omittingEmptySubsequences: false).joined(separator: "\\u003c")
  }
}
