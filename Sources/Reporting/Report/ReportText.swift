internal import APNS
internal import PlainText

/// Prints reports for people. The output is safe for a terminal.
package struct ReportText {
  /// The longest label with which the values beside it are aligned.
  private static let mostName = 40
  /// The minimum width of a value beside a label, in columns.
  private static let leastRoom = 16

  package var style = Style(hasColor: false)
  /// Shows verdicts as signs instead of words: on a terminal that shows UTF-8.
  package var hasMarks = false
  /// The width for sentences, in columns.
  package var width = Int.max
  /// The width for tables, in columns.
  package var tableWidth = Int.max
  /// Wraps lines as well: on standard error they are sentences.
  var wrapsLines = false

  package init(
    style: Style = Style(hasColor: false), hasMarks: Bool = false, width: Int = .max,
    tableWidth: Int = .max
  ) {
    (self.style, self.hasMarks, self.width, self.tableWidth) = (style, hasMarks, width, tableWidth)
  }

  package func text(of report: Report) -> String { text(of: report.parts) }

  package func text(of parts: [Report.Part]) -> String {
    lines(parts, 0).map { $0 + "\n" }.joined()
  }

  private func lines(_ parts: [Report.Part], _ indent: Int) -> [String] {
    var lines: [String] = []
    var facts: [Report.Fact] = []
    // The extra part at the end flushes the facts before it.
    for part in parts.flatMap(\.flattened) + [.lines([])] {
      if case .fact(let fact) = part {
        facts.append(fact)
      } else {
        let block = block(part, indent)
        lines += rows(facts, indent)
        lines += part.isHeaded && indent == 0 && !lines.isEmpty && !block.isEmpty ? [""] : []
        lines += block
        facts = []
      }
    }
    return lines
  }

  private func block(_ part: Report.Part, _ indent: Int) -> [String] {
    switch part {
    case .fact: return []
    case .paragraph(let text): return wrapped(text, indent)
    case .lines(let lines):
      return wrapsLines ? lines.flatMap { hanging($0, indent) } : lines.map { line($0, indent) }
    case .source(let text): return [text.hasSuffix("\n") ? String(text.dropLast()) : text]
    case .problems(_, let problems): return problems.inFileOrder.flatMap(lines)
    case .section(let heading, _, let parts):
      let inner = lines(parts, indent + 2)
      let title = heading.map { indent == 0 && $0.isPlain ? style.bold($0.plain) : style.of($0) }
      return inner.isEmpty ? [] : [blanks(indent) + (title ?? "")] + inner
    case .list(let list): return table(list.elements, indent)
    }
  }

  private func blanks(_ count: Int) -> String { String(repeating: " ", count: count) }

  private func line(_ text: StyledText, _ indent: Int) -> String {
    text.plain.isEmpty ? "" : blanks(indent) + style.of(text)
  }

  /// A text on lines of its own. Blanks at its start indent all of them.
  ///
  /// - Parameter hang: the further indentation of all lines but the first.
  private func wrapped(_ text: StyledText, _ indent: Int, hang: Int = 0) -> [String] {
    let text = text.told(in: style.offset)
    if text.isVerbatim || width == .max || text.plain.columns <= width - indent {
      return [line(text, indent)]
    }
    let start = indent + text.plain.prefix { $0 == " " }.count
    let lines = text.wrapped(at: max(width - start - hang, Self.leastRoom))
    return lines.enumerated().map { line($1, $0 == 0 ? start : start + hang) }
  }

  /// A sentence whose further lines are indented, so that it can be told from the next.
  private func hanging(_ text: StyledText, _ indent: Int) -> [String] {
    wrapped(text, indent, hang: text.plain.hasPrefix(" ") ? 0 : 4)
  }
}

// Labels with values beside them.
extension ReportText {
  private func rows(_ facts: [Report.Fact], _ indent: Int) -> [String] {
    let shown = facts.filter { $0.name != nil && $0.shown != nil }
    let names = shown.map { $0.name?.plain.columns ?? 0 }
    let marks = shown.contains { $0.mark != nil } ? markWidth + 1 : 0
    let column = indent + marks + min(Self.mostName, names.max() ?? 0) + 2
    return shown.flatMap { row($0, indent, marks, column) }
  }

  private func row(
    _ fact: Report.Fact, _ indent: Int, _ marks: Int, _ column: Int
  ) -> [String] {
    let name = fact.name ?? ""
    let start = blanks(indent) + (fact.mark.map(mark) ?? blanks(marks)) + style.of(name)
    let end = max(column, indent + marks + name.plain.columns + 2)
    let text = fact.isFix ? "\(hasMarks ? "→" : "Fix:") \(fact.shown ?? "")" : fact.shown ?? ""
    let lines = wrapped(text, column)
    let first = lines.first.map { $0.drop { $0 == " " } } ?? ""
    if first.isEmpty { return [String(start.reversed().drop { $0 == " " }.reversed())] }
    return [start + blanks(end - indent - marks - name.plain.columns) + first]
      + lines.dropFirst()
  }

  private var markWidth: Int {
    hasMarks ? 1 : Report.Mark.allCases.map(\.rawValue.count).max() ?? 0
  }

  private func mark(_ mark: Report.Mark) -> String {
    let text = (hasMarks ? mark.shown.sign : mark.rawValue).padding(to: markWidth)
    return style.colored(text, mark.shown.tone) + " "
  }
}

// Tables and broken rules.
extension ReportText {
  private func table(_ rows: [[Report.Part]], _ indent: Int) -> [String] {
    var table = TextTable(style: style, width: tableWidth - indent)
    for row in rows { table.add(row) }
    return table.drain().map { blanks(indent) + $0 }
  }

  /// The place, severity and message of a problem with its rule, then the fix.
  private func lines(_ problem: Problem) -> [String] {
    let isError = problem.severity == .error
    let severity = StyledText(isError ? "error:" : "warning:", isError ? .bad : .doubtful)
    let rule = StyledText(problem.rule, link: Hyperlink.rule(problem.rule))
    let what: StyledText =
      "\(problem.whereItIs(style.hasLinks)): \(severity) \(problem.message) [\(rule)]"
    return hanging(what, 0) + hanging("  \(problem.fix)", 0)
  }
}

extension Report.Part {
  /// The parts inside, unless a heading or a table keeps them together.
  var flattened: [Report.Part] {
    switch self {
    case .section(nil, _, let parts): parts.flatMap(\.flattened)
    case .list(let list) where !list.isTable: list.elements.joined().flatMap(\.flattened)
    default: [self]
    }
  }

  fileprivate var isHeaded: Bool { if case .section = self { true } else { false } }

  var namedFact: Report.Fact? {
    if case .fact(let fact) = self, fact.name != nil { fact } else { nil }
  }
}

extension Report.Mark {
  fileprivate var shown: (sign: String, tone: StyledText.Tone) {
    switch self {
    case .ok: ("✓", .good)
    case .warning: ("!", .doubtful)
    case .broken: ("✗", .bad)
    case .skipped, .notReached: ("-", .plain)
    }
  }
}

extension Problem {
  /// The file with line, column and place in it; or the option.
  fileprivate func whereItIs(_ hasLinks: Bool) -> StyledText {
    let part = place.description
    guard let file else { return "\(origin?.setting.map { "\($0), \(part)" } ?? part)" }
    let numbers = [line, column].compactMap { $0.map { ":\($0)" } }.joined()
    let link = hasLinks ? Hyperlink.file(file, line: line) : nil
    // A problem with the file as a whole has no place in it.
    return "\(file + numbers, link: link)\(part.isEmpty ? "" : ": \(part)")"
  }
}

extension [Problem] {
  /// Problems without a place in a file first, then by file, line and column; a stable sort.
  var inFileOrder: [Problem] {
    enumerated().sorted { left, right in
      let (one, other) = (left.element, right.element)
      let (file, otherFile) = (one.file ?? "", other.file ?? "")
      return (file, one.line ?? 0, one.column ?? 0, left.offset)
        < (otherFile, other.line ?? 0, other.column ?? 0, right.offset)
    }.map(\.element)
  }
}
