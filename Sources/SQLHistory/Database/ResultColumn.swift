package import PushModel

/// The columns of `results`, and of `pushes`, which has them as well.
enum ResultColumn: String, CaseIterable {
  case id, token, list, line, outcome, status, reason, attempts, deferrals, pass, latency, at
  case timestamp
  case uniqueID = "unique_id"
  case registered, resent

  static let all = Array(allCases)
}

extension Outcome {
  /// The number that stands for it in the history. It never changes.
  package var code: Int64 {
    switch self {
    case .accepted: 0
    case .rejected: 1
    case .skipped: 2
    case .deferred: 3
    case .unknown: 4
    case .notAttempted: 5
    }
  }

  /// An outcome by its number. A number from a newer version is an outcome we cannot know.
  package init(code: Int64) {
    switch code {
    case 0: self = .accepted
    case 1: self = .rejected
    case 2: self = .skipped
    case 3: self = .deferred
    case 5: self = .notAttempted
    default: self = .unknown
    }
  }
}
