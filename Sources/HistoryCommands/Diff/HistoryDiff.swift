internal import APNS
internal import History
package import JSONText
internal import PushModel
package import Reporting
package import Runs
package import Settings

/// Compares two pushes, or two runs.
package struct HistoryDiff: Sendable, Equatable {
  /// The older place, then the newer one.
  package var places: [HistoryReference] = []
  package var isJSON = false
  package var settings = Settings()

  package init() {}

  package func run(_ context: Context) throws(Failure) -> Report {
    guard places.count > 1 else { throw .missingArgument("RUN-OR-ID of what to compare with") }
    if places.count > 2 { throw .unexpectedArgument("\(places[2])") }
    let history = try settings.openHistory(context)
    let difference = Difference(
      try ComparedSide(places[0], in: history, context),
      try ComparedSide(places[1], in: history, context))
    return difference.report.asJSON(isJSON)
      .followed(by: difference.lost.map { Failure.rowsGone($0).parts() } ?? [])
  }
}

/// The differences between two places in the history.
package struct Difference: JSONDescribed {
  package static let fields: [OutputField<Self>] = [
    .always("old", \.old, "The first of the two."), .always("new", \.new, "The second of the two."),
    .always("same", { $0.isSame && $0.lost == nil }, "Whether both sides are the same."),
    .always("payloadsCompared", { $0.lost == nil }, "Whether both payloads could be compared."),
    .always("differences", \.lines, "What differs."),
  ]

  /// A difference; a side is nil if it lacks the fact.
  struct Line: JSONDescribed {
    static let fields: [OutputField<Self>] = [
      .always("part", \.part, "What it is part of."),
      .always("name", \.name, "The header field, key or figure."),
      .sometimes("old", \.old, "The value of the first side, if it has one."),
      .sometimes("new", \.new, "The value of the second side, if it has one."),
    ]

    let part: ComparedSide.Part
    let name: String
    let old: JSON?
    let new: JSON?
  }

  let old: ComparedSide
  let new: ComparedSide
  /// All differences, including latency.
  let lines: [Line]

  init(_ old: ComparedSide, _ new: ComparedSide) {
    (self.old, self.new) = (old, new)
    let areAlike = (old.push == nil) == (new.push == nil)
    let isLost = old.lost != nil || new.lost != nil
    lines = ComparedSide.Part.allCases.flatMap { part -> [Line] in
      switch part {
      case .payload where isLost: []
      case .request, .payload: Self.lines(part, old, new)
      case .answer, .latency, .counts: areAlike ? Self.lines(part, old, new) : []
      }
    }
  }

  private static func lines(
    _ part: ComparedSide.Part, _ old: ComparedSide, _ new: ComparedSide
  ) -> [Line] {
    let (before, after) = (old.values(part), new.values(part))
    let names = before.names + after.names.filter { before.values[$0] == nil }
    return names.compactMap { name in
      let line = Line(part: part, name: name, old: before.values[name], new: after.values[name])
      return line.old == line.new ? nil : line
    }
  }

  /// Nothing differs except perhaps the latency.
  var isSame: Bool { lines.allSatisfy { $0.part == .latency } }

  /// The reason the payloads could not be compared; nil if they were.
  var lost: Failure? { old.lost ?? new.lost }

  /// The differences in the style of diff; nothing for people if there are none.
  var report: Report {
    let code: ExitCode = lost != nil ? .usage : isSame ? .success : .failure
    return Report(
      parts: parts + [.lines(isSame ? [] : text)], exitCode: code)
  }

  private var text: [StyledText] {
    let head: [StyledText] = ["\("--- \(old.title)", .bold)", "\("+++ \(new.title)", .bold)"]
    return head
      + ComparedSide.Part.allCases.flatMap { part -> [StyledText] in
        let lines = lines.filter { $0.part == part }
        return lines.isEmpty ? [] : ["\("@ \(part.rawValue)", .bold)"] + lines.flatMap(\.text)
      }
  }
}

extension Difference.Line {
  fileprivate var text: [StyledText] {
    [
      old.map { "\("- \(name): \(read($0))", .bad)" },
      new.map { "\("+ \(name): \(read($0))", .good)" },
    ].compactMap(\.self)
  }

  /// Quotes text in a payload: 1 and "1" differ.
  private func read(_ value: JSON) -> String {
    if part == .counts, let count = value.number?.int { return grouped(count) }
    if part != .payload, let text = value.string { return text }
    return value.encodedString()
  }
}

extension ComparedSide: JSONDescribed {
  static let fields: [OutputField<Self>] = [
    .always("run", \.run.rawValue, "The run."),
    .always("sequence", \.push?.sequence, "The push's number in it; null for a run."),
    .always("apnsID", \.push?.apnsID.description, "The push's apns-id; null for a run."),
  ]

  /// The description of the place.
  fileprivate var title: String {
    guard let push else { return "run \(run)" }
    return "run \(run), push \(push.sequence): \(push.apnsID) to "
      + push.recipient(showsToken: false) + ", "
      + moment(push.at).plain
  }
}
