internal import APNS
internal import Delivery
internal import PlainText
internal import PushModel

extension StopCause {
  /// Why the run ended early, and what to do; nil when the user asked for it.
  var sentences: (what: String, fix: String)? {
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
      response.reason == nil
        ? (
          "The run was stopped: push after push was refused, the last with HTTP "
            + "\(response.status) and no reason.", "Check the server's address."
        ) : refusal(response.reason, "The run was stopped: push after push", response.clocks)
    case .signing(let error): (error.sentence, error.fix)
    case .outOfDescriptors:
      ("The process has no file descriptors left.", "Raise the limit with 'ulimit -n'.")
    case .outOfThreads:
      ("The system has no threads left.", "Raise the limit with 'ulimit -u'.")
    case .history(let error): (error.sentence, error.fix)
    case .list(let error): ("\(error.list.printable): \(error.sentence)", error.fix)
    }
  }

  /// The same as two lines; empty when the user asked for it.
  func text(_ style: Style) -> String {
    sentences.map { "fanfare: \(style.bad("error:")) \($0.what)\n  \($0.fix)\n" } ?? ""
  }

  private func refusal(
    _ reason: Reason?, _ start: String, _ clocks: Clocks? = nil
  ) -> (what: String, fix: String) {
    guard let reason else {
      return ("\(start) was refused without a reason.", "Check the server's address.")
    }
    let info = reason.info
    let meaning = [info?.meaning, clocks?.sentence].compactMap { $0.map { " " + $0 } }.joined()
    return ("\(start) met \(reason.rawValue).\(meaning)", info?.advice ?? "See the server's log.")
  }
}

extension Run.Report {
  /// How the process ends after this run.
  var exitCode: ExitCode {
    var codes: [ExitCode] = []
    if case .list = stopCause { codes.append(summary.total == 0 ? .usage : .unfinished) }
    if summary[.accepted] == 0, isConnectionFault { codes.append(.connection) }
    if summary[.deferred] + summary[.unknown] + summary[.notAttempted] > 0 {
      codes.append(.unfinished)
    }
    if summary[.rejected] + summary[.skipped] + summary.recipients.badLines > 0 {
      codes.append(.failure)
    }
    return ExitCode.merged(codes)
  }

  /// Whether key, network or credentials are to blame.
  private var isConnectionFault: Bool {
    switch stopCause {
    case .connecting, .connectionLost, .goodbye, .signing, .outOfDescriptors, .outOfThreads:
      true
    case .breaker(let response): response.blamesCredentials
    case .interrupted, .list, .history: false
    case nil: onlyResult?.response?.blamesCredentials ?? false
    }
  }
}

extension Response {
  /// Whether it is the key or certificate, or the clock that a provider token was signed by.
  fileprivate var blamesCredentials: Bool { retry == .credentials || retry == .newProviderToken }
}
