internal import JSONText
internal import PlainText
internal import PushModel
internal import Reporting

// The number of connections of a run, and its limit.
extension RunFigures {
  /// Both for programs. People see the number if something limited the run, or with `--verbose`.
  func connections(_ notes: FigureNotes) -> [Report.Part] {
    let shown = connections.flatMap { notes.isVerbose || $0.isNotable ? ofThisPass($0.words) : nil }
    return [
      .fact("connections", "connections", .number(connections?.most), shown: shown),
      .json("connectionsLimit", .text(connections?.limit.rawValue)),
    ]
  }
}

extension ConnectionFigures {
  /// The number is worth showing: it was not given, and is not the one of every small run.
  fileprivate var isNotable: Bool {
    switch limit {
    case .given: false
    case .enough, .ended: most > 1
    case .noGain, .server, .most, .system: true
    }
  }

  /// The number and its limit: `8, the last of which gained little`.
  fileprivate var words: StyledText { "\(grouped(most))\(limit.words)" }
}

extension ConnectionFigures.Limit {
  /// The text after the number.
  fileprivate var words: String {
    switch self {
    case .given: ""
    case .enough: ", enough for what was to be sent"
    case .ended: ", as the run ended before the best number was found"
    case .noGain: ", the last of which gained little"
    case .server: ", as the server refused or slowed down"
    case .most: ", the most that are opened automatically"
    case .system: ", as no descriptors or threads were left"
    }
  }
}
