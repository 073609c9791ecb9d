internal import Credentials
internal import Delivery
internal import HTTP2
internal import PlainText
internal import PushModel
package import Reporting

extension StopCause {
  /// The reason the run ended early, with a fix; nil when the user asked for it.
  package var failure: Failure? {
    switch self {
    case .interrupted: nil
    case .stopped(nil):
      Failure(
        "The run was stopped with 'fanfare stop'.", fix: "Continue it with 'fanfare work RUN'.")
    case .stopped(let cause?):
      Failure(
        "The run was stopped for all workers: \(cause.printable).",
        fix: "Remove the cause, then continue with 'fanfare work RUN'.")
    case .connecting(let error): Failure(error.sentence, fix: error.fix)
    case .signing(let error): Failure(error.sentence, fix: error.fix)
    case .history(let error): Failure(error.sentence, fix: error.fix)
    case .list(let error):
      Failure("\(error.list.printable): \(error.sentence)", fix: error.fix)
    case .outOfDescriptors: .outOfDescriptors
    case .outOfThreads: .outOfThreads
    case .breaker: Failure("The run was stopped. \(sentence ?? "")", fix: advice ?? "")
    case .connectionLost, .goodbye: Failure(sentence ?? "", fix: advice ?? "")
    }
  }
}
