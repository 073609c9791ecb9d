internal import APNS
internal import Credentials
internal import Delivery
internal import HTTP2
internal import POSIX
internal import PlainText
internal import PushEmulator
internal import PushInbox
internal import PushModel
package import Reporting

private typealias Sentences = (what: String, fix: String)

extension StopCause {
  /// The reason the run ended early, with a fix; nil when the user asked for it.
  package var failure: Failure? { sentences.map { Failure($0.what, fix: $0.fix) } }

  private var sentences: Sentences? {
    switch self {
    case .interrupted: nil
    case .connecting(let error): (error.sentence, error.fix)
    case .connectionLost(let text):
      (
        "Connection after connection was lost before an answer came (\(text.printable)).",
        "Try again later; if it persists, look for a proxy or firewall on the way."
      )
    case .goodbye(let reason): refusal(reason, "The server closed the connection")
    case .breaker(let response):
      response.reason.map {
        refusal($0, "The run was stopped: push after push", response.clocks)
      }
        ?? (
          "The run was stopped: push after push was refused, the last with HTTP "
            + "\(response.status) and no reason.", "Check the server's address."
        )
    case .stopped(nil):
      ("The run was stopped with 'fanfare stop'.", "Continue it with 'fanfare work RUN'.")
    case .stopped(let cause?):
      (
        "The run was stopped for all workers: \(cause.printable).",
        "Remove the cause, then continue with 'fanfare work RUN'."
      )
    case .signing(let error): (error.sentence, error.fix)
    case .outOfDescriptors: Failure.outOfDescriptors.sentences
    case .outOfThreads: Failure.outOfThreads.sentences
    case .history(let error): (error.sentence, error.fix)
    case .list(let error): ("\(error.list.printable): \(error.sentence)", error.fix)
    }
  }

  private func refusal(
    _ reason: Reason, _ start: String, _ clocks: Clocks? = nil
  ) -> Sentences {
    let meaning = [reason.info?.meaning, clocks?.sentence].compactMap { $0.map { " " + $0 } }
      .joined()
    let facts = RequestFacts(service: .other, clocks: clocks)
    let ofClock = reason.causes.first { $0.clue == .clockAhead && facts.shows(.clockAhead) }
    return (
      "\(start) met \(reason.rawValue).\(meaning)",
      ofClock?.fix ?? reason.info?.advice ?? "See the server's log."
    )
  }
}

extension Failure {
  fileprivate var sentences: Sentences { (sentence, fix) }
}
