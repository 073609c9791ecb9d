internal import APNS
internal import HTTP2
internal import Reporting

// Failures of requests about channels.
extension Failure {
  /// - Parameter facts: facts about the request.
  static func channel(
    _ fault: ChannelRequestFault, _ request: ChannelRequest, _ facts: RequestFacts
  ) -> Failure {
    switch fault {
    case .refused(let response): refused(response, request, facts, fault)
    case .unreadable(let status):
      Failure(
        "\(request.failed): the answer, status \(status), is not one that Apple documents.",
        fix: "Check that this is APNs, and look for a proxy on the way.", .connection, cause: fault)
    case .unknown(let end): unknown(end, request, fault)
    case .notProcessed(let end):
      Failure("\(request.failed). \(end.sentence)", fix: end.fix, .connection, cause: fault)
    case .notDialed(let error): Failure(error.sentence, fix: error.fix, .connection, cause: fault)
    }
  }

  private static func refused(
    _ response: Response, _ request: ChannelRequest, _ facts: RequestFacts,
    _ fault: ChannelRequestFault
  ) -> Failure {
    let answer = [response.status.description, response.reason?.rawValue].compactMap(\.self)
      .joined(separator: " ")
    let refusal = ChannelRefusal(response, facts)
    return Failure(
      "\(request.failed): \(answer). \(refusal.meaning)", fix: refusal.fix, refusal.exitCode,
      cause: fault)
  }

  private static func unknown(
    _ end: ConversationEnd?, _ request: ChannelRequest, _ fault: ChannelRequestFault
  ) -> Failure {
    let why = end.map { " " + $0.sentence } ?? ""
    return switch request {
    case .create:
      Failure(
        "It is not known whether the channel was created.\(why)",
        fix: "Look for it with 'fanfare channel list' before you create another.", .unfinished,
        cause: fault)
    case .delete(let channel):
      Failure(
        "It is not known whether channel \(channel) was deleted.\(why)",
        fix: "Delete it again: if it is gone, the answer is ChannelNotRegistered.", .unfinished,
        cause: fault)
    case .read, .list:
      Failure(
        "\(request.failed).\(why)", fix: end?.fix ?? "Try again later.", .connection, cause: fault)
    }
  }
}

/// A refusal, explained for someone who manages channels.
private struct ChannelRefusal {
  let response: Response
  let facts: RequestFacts

  init(_ response: Response, _ facts: RequestFacts) {
    (self.response, self.facts) = (response, facts)
  }

  var meaning: String {
    guard let reason = response.reason else {
      return response.status.info.map(\.meaning) ?? "The answer gives no reason."
    }
    // The general text is about pushes to a device.
    if reason == .tooManyRequests { return "Too many requests were sent in a short time." }
    return reason.info?.meaning ?? "This reason is newer than this version of fanfare."
  }

  var fix: String {
    if response.reason == .tooManyRequests { return "Wait, then try again." }
    // Its causes suggest other servers for a push; following them could delete the wrong channel.
    if response.reason == .channelNotRegistered, let info = response.reason?.info {
      return info.advice
    }
    guard let cause = response.reason?.causes(of: facts).first else {
      return "Try again later; check the server, and proxies on the way."
    }
    if cause.text == meaning { return cause.fix }
    return "Most likely: \(cause.text) \(cause.fix)"
  }

  var exitCode: ExitCode {
    switch response.retry {
    case .credentials, .newProviderToken: .connection
    case .later, .slowToken, .keepToken: .unfinished
    case .never, .afterFix, .newConnection, nil: .failure
    }
  }
}

extension ChannelRequest {
  /// The action that failed.
  fileprivate var failed: String {
    switch self {
    case .create: "The channel was not created"
    case .read(let channel): "Channel \(channel) was not read"
    case .delete(let channel): "Channel \(channel) was not deleted"
    case .list: "The channels were not listed"
    }
  }
}
