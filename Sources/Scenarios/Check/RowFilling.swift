internal import APNS
internal import JSONText
internal import Recipients
internal import Reporting

/// A template that rows of lists fill.
struct RowFilling {
  let template: Template
  /// The lists of a scenario's step; nil for those of the command line.
  let sources: [RecipientSource]?
}

/// Fills several templates with each row of a list, without keeping the payloads.
struct RowFillings: RowRendering {
  private struct Part {
    var renderer: TemplateRenderer
    let names: Range<Int>
    /// The values of these names; the memory is reused for each row.
    var values = TemplateValues()

    mutating func take(_ all: TemplateValues) {
      values.removeAll()
      for place in names { all.withValue(at: place) { values.append($0, $1) } }
    }
  }

  private var parts: [Part] = []
  private let excused: Set<String>

  private(set) var names: [String] = []
  private(set) var neededNames: [String] = []

  /// - Parameters:
  ///   - force: accepts rows that only break rules that can be forced.
  ///   - excused: rules to ignore.
  init?(_ fillings: [RowFilling], force: Bool, excusing excused: Set<String>) {
    self.excused = excused
    for filling in fillings {
      guard let renderer = try? filling.template.renderer(force: force) else { continue }
      let start = names.count
      names += renderer.names
      parts.append(Part(renderer: renderer, names: start..<names.count))
      neededNames.add(renderer.neededNames)
    }
    if names.isEmpty { return nil }
  }

  /// Appends nothing: the payloads are only checked.
  mutating func render(
    _ values: TemplateValues, into payload: inout [UInt8]
  ) throws(BrokenRules) {
    var problems: [Problem] = []
    for index in parts.indices {
      parts[index].take(values)
      problems += self.problems(of: index, using: &payload).filter { !problems.contains($0) }
    }
    if !problems.isEmpty { throw BrokenRules(problems) }
  }

  private mutating func problems(of index: Int, using payload: inout [UInt8]) -> [Problem] {
    let start = payload.count
    defer { payload.removeLast(payload.count - start) }
    do throws(BrokenRules) {
      try parts[index].renderer.render(parts[index].values, into: &payload)
      return []
    } catch {
      return error.problems.filter { $0.severity == .error && !excused.contains($0.rule) }
    }
  }
}

extension Problem {
  /// A problem of a row, placed at that row.
  init(_ problem: Problem, list: String, line: Int) {
    self.init(
      .error, rule: problem.rule, at: problem.place,
      from: .file(list, at: JSONPosition(line: line, column: 1)), message: problem.message,
      fix: problem.fix, reason: problem.reason, isForceable: problem.isForceable)
  }
}
