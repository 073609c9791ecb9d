internal import APNS
internal import JSONText
internal import Recipients

/// A template that rows of lists fill.
struct RowFilling {
  let template: Template
  /// The lists of a scenario's step; nil where the command line says which they are.
  let sources: [RecipientSource]?
}

/// Fills several templates with each row of a list, and keeps none of the payloads.
struct RowFillings: RowRendering {
  private struct Part {
    var renderer: TemplateRenderer
    let names: Range<Int>
  }

  private var parts: [Part] = []
  private let excused: Set<String>

  private(set) var names: [String] = []
  private(set) var neededNames: [String] = []

  /// - Parameters:
  ///   - force: whether rows count as good that break a rule which can be forced.
  ///   - excused: rules that do not count.
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

  mutating func render(
    _ values: TemplateValues, into payload: inout [UInt8]
  ) throws(BrokenRules) {
    var problems: [Problem] = []
    for index in parts.indices {
      problems += self.problems(of: index, values).filter { !problems.contains($0) }
    }
    if !problems.isEmpty { throw BrokenRules(problems) }
  }

  private mutating func problems(of index: Int, _ values: TemplateValues) -> [Problem] {
    var own = TemplateValues()
    for place in parts[index].names { values.withValue(at: place) { own.append($0, $1) } }
    var discarded: [UInt8] = []
    do throws(BrokenRules) {
      try parts[index].renderer.render(own, into: &discarded)
      return []
    } catch {
      return error.problems.filter { $0.severity == .error && !excused.contains($0.rule) }
    }
  }
}

extension Problem {
  /// What a row breaks, at the row.
  init(_ problem: Problem, list: String, line: Int) {
    self.init(
      .error, rule: problem.rule, at: problem.place,
      from: .file(list, at: JSONPosition(line: line, column: 1)), message: problem.message,
      fix: problem.fix, reason: problem.reason, isForceable: problem.isForceable)
  }
}
