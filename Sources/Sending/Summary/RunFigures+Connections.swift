internal import PlainText
internal import PushModel
internal import Reporting

// The number of connections of a run, and its limit, for people.
extension ConnectionFigures {
  /// The number is worth showing: it was not given, and is not the one of every small run.
  var isNotable: Bool {
    switch limit {
    case .given: false
    case .enough, .ended: most > 1
    case .noGain, .server, .most, .system: true
    }
  }

  /// The number and its limit: `8, the last of which gained little`.
  var words: StyledText { "\(grouped(most))\(limit.words)" }
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
