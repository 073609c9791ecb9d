internal import APNS
internal import Credentials
internal import HTTP2
internal import PlainText

// The reason a run ended early, in words that the command line and the library share.
extension StopCause {
  /// What kept the run from going on; nil when somebody ended it, or a list, the history or the
  /// system did, whose errors have sentences elsewhere.
  package var sentence: String? {
    switch self {
    case .interrupted, .stopped, .list, .history, .outOfDescriptors, .outOfThreads: nil
    case .connecting(let error): error.sentence
    case .connectionLost(let text):
      "Connection after connection was lost before an answer came (\(text.printable))."
    case .goodbye(let reason): "The server closed the connection with \(reason.withMeaning)"
    case .breaker(let response):
      "Push after push was refused, the last with "
        + (response.reason?.withMeaning ?? "HTTP \(response.status) and no reason.")
        + (response.clocks.map { " " + $0.sentence } ?? "")
    case .signing(let error): error.sentence
    }
  }

  /// What to do about it; nil where that depends on who sends.
  package var advice: String? {
    switch self {
    case .connectionLost:
      "Try again later; if it persists, look for a proxy or firewall on the way."
    case .goodbye(let reason): reason.adviceOrLog
    case .breaker(let response):
      response.clockAdvice ?? response.reason?.adviceOrLog ?? "Check the server's address."
    case .interrupted, .stopped, .connecting, .signing, .outOfDescriptors, .outOfThreads, .list,
      .history:
      nil
    }
  }
}

extension Response {
  /// What to do about this machine's clock, if that is the cause.
  fileprivate var clockAdvice: String? {
    let facts = RequestFacts(service: .other, clocks: clocks)
    return reason?.causes.first { $0.clue == .clockAhead && facts.shows(.clockAhead) }?.fix
  }
}

extension Reason {
  /// Its name and what it means, as the end of a sentence.
  fileprivate var withMeaning: String {
    rawValue + "." + (info.map { " " + $0.meaning } ?? "")
  }

  fileprivate var adviceOrLog: String { info?.advice ?? "See the server's log." }
}
