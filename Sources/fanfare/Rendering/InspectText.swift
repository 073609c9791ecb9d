internal import PlainText

/// What `inspect` tells of a payload, as a person reads it.
struct InspectText {
  let style: Style

  /// The facts of one file, with a line feed at the end.
  func text(of facts: PayloadFacts) -> String {
    let rows = [
      ("size", size(facts)), ("push type", type(facts)),
      ("target bundle", facts.target.map(\.printable) ?? ""),
      ("variables", facts.variables.map(\.printable).joined(separator: ", ")),
    ].filter { !$0.1.isEmpty }
    let keys = facts.appleKeys.map { ($0.path.printable, $0.summary ?? "not a key of Apple's") }
    let ownKeys = facts.ownKeys.map { ($0.key.printable, $0.kind) }
    let sections = [
      [style.bold(facts.file.printable)] + table(rows), section("Apple's keys", keys),
      section("The app's own keys", ownKeys), ["  Lock screen"] + preview(facts),
    ]
    return sections.joined().joined(separator: "\n") + "\n"
  }

  private func size(_ facts: PayloadFacts) -> String {
    let limits = PayloadFacts.limits.map { limit in
      let excess = facts.bytes - limit.bytes
      let verdict = excess > 0 ? style.bad("\(grouped(excess)) too many") : style.good("fits")
      return "\(limit.name) \(grouped(limit.bytes)): \(verdict)"
    }
    let state = facts.variables.isEmpty ? "as sent" : "before its variables are filled in"
    return counted(facts.bytes, "byte") + " \(state) (\(limits.joined(separator: ", ")))"
  }

  private func type(_ facts: PayloadFacts) -> String {
    switch (facts.type, facts.typeSource) {
    case (let type?, .folder): "\(type), as its folder says"
    case (let type?, .inferred): "\(type), inferred from the payload"
    case (let type?, nil): "\(type)"
    case (nil, _): "not to be told from the payload; say it with --type"
    }
  }

  func section(_ title: String, _ rows: [(String, String)]) -> [String] {
    rows.isEmpty ? [] : ["  " + title] + table(rows, indent: "    ")
  }

  func table(_ rows: [(String, String)], indent: String = "  ") -> [String] {
    let width = min(40, rows.map(\.0.count).max() ?? 0)
    return rows.map { name, text in
      indent + name + String(repeating: " ", count: max(0, width - name.count)) + "  " + text
    }
  }

  private func preview(_ facts: PayloadFacts) -> [String] {
    guard let banner = facts.banner else { return ["    " + (facts.silence ?? "")] }
    let app = facts.target.map(\.printable) ?? "(the app's name)"
    let lines = [app, banner.title.map(style.bold), banner.subtitle].compactMap(\.self)
    return (lines + banner.body).map { "    │ " + $0 }
  }
}
