internal import APNS
internal import History
internal import PushModel

/// The table of pushes, which can be searched and ordered.
struct PageTable {
  private let rows: [PageFigures.Row]
  private let total: Int
  private let showsTokens: Bool

  init(_ figures: PageFigures, showsTokens: Bool) {
    rows = figures.rows
    total = figures.total
    self.showsTokens = showsTokens
  }

  /// The section.
  var html: String {
    """
    <section aria-labelledby="pushes"><h2 id="pushes">Pushes</h2>
    <p>\(extent)</p>
    \(controls)
    <table class="pushes" role="table" aria-labelledby="pushes"><thead role="rowgroup">\
    <tr role="row">\(headings)</tr></thead>
    <tbody role="rowgroup">
    \(rows.enumerated().map(row).joined(separator: "\n"))
    </tbody></table></section>
    """
  }

  private var extent: String {
    let order = "those that were not accepted first, then the newest"
    if total == 1 { return "The only one." }
    if rows.count == total { return "All \(counted(total, "push", plural: "pushes")), \(order)." }
    return """
      <strong>\(grouped(rows.count)) of \(counted(total, "push", plural: "pushes"))</strong>, \
      \(order). The others are in the history alone: 'fanfare history list --pushes' has them.
      """
  }

  /// They need the script, which shows them.
  private var controls: String {
    let outcomes = Outcome.allCases.filter { outcome in
      rows.contains { $0.push.outcome == outcome }
    }
    let options = outcomes.map { "<option value=\"\($0.rawValue)\">\($0.words)</option>" }.joined()
    return """
      <form class="controls" id="controls" hidden>
      <label>Find <input id="find" type="search" autocomplete="off" \
      placeholder="token, apns-id, reason, list …"></label>
      <label>Outcome <select id="outcome"><option value="">any</option>\(options)</select></label>
      <label>Order <select id="order"><option value="">not accepted first</option>\
      <option value="newest">newest first</option><option value="oldest">oldest first</option>\
      </select></label>
      <p id="shown" role="status"></p>
      </form>
      """
  }

  private static let columns = [
    "At (UTC)", "Outcome", "Answer", "Token", "Run", "Environment", "Recipient", "Latency",
    "apns-id",
  ]

  private var headings: String {
    Self.columns.enumerated().map { index, name in
      let id = index == 0 ? " id=\"time\"" : ""
      return "<th role=\"columnheader\" scope=\"col\"\(id)>\(name)</th>"
    }.joined()
  }

  private func row(_ index: Int, _ row: PageFigures.Row) -> String {
    let cells = zip(Self.columns, values(row)).map { name, value in
      "<td role=\"cell\" data-name=\"\(name)\">\(value)</td>"
    }
    let push = row.push
    return """
      <tr role="row" data-n="\(index)" data-at="\(push.at)" data-outcome="\(push.outcome.rawValue)">\
      \(cells.joined())</tr>
      """
  }

  private func values(_ row: PageFigures.Row) -> [String] {
    let push = row.push
    let answer = [push.response?.status.description, push.response?.reason?.rawValue]
    let latency = push.latencyMicroseconds.map { milliseconds(Double($0) / 1000) }
    let token = showsTokens ? push.token : shortToken(push.token)
    return [
      time(push.at / 1000), "<span>\(swatch(push.outcome))\(push.outcome.words)</span>",
      push.response == nil ? "none" : answer.compactMap(\.self).joined(separator: " ").html,
      "<code\(showsTokens ? "" : " class=\"short\"")>\(token.html)</code>", push.run.description,
      row.environment.html,
      "\(push.list.html):\(push.line)", latency ?? "–", "<code>\(push.apnsID.description)</code>",
    ]
  }
}
